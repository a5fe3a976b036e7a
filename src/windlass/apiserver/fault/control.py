"""The endpoint by which a test in another process says what is to go wrong."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.exchange import Reply
from windlass.apiserver.fault.faults import Faults
from windlass.apiserver.fault.scope import Scope
from windlass.apiserver.refusal import Refusal, no_such_method
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.fault.injector import Injector

Json = dict[str, Any]

_NUMBERS: Final = ("float", "int", "int | None")
_TIMES: Final = ("timedelta", "timedelta | None")
_SECONDS: Final = "Seconds"


def answer_control(call: Call, injector: Injector) -> Reply:
    """GET tells the faults and what they did, PUT replaces them, DELETE ends them.

    Raises:
        Refusal: 400, this cannot be asked for; 405.
    """
    match call.method:
        case "GET" | "HEAD":
            pass
        case "PUT":
            _replace(call.body, injector)
        case "DELETE":
            injector.clear()
        case _:
            raise no_such_method()
    log = [each._asdict() for each in injector.log]
    return Reply.json({"faults": [written_faults(each) for each in injector.faults], "log": log})


def _replace(body: bytes, injector: Injector) -> None:
    try:
        faults, seed = _wanted(orjson.loads(body))
        injector.set(*faults, seed=seed)
    except (orjson.JSONDecodeError, ConfigError) as error:
        raise Refusal.bad_request(f"faults: {error}") from error


def _wanted(given: Any) -> tuple[list[Faults], int]:
    if not isinstance(given, dict) or not isinstance(given.get("faults"), list):
        raise ConfigError('the body must be {"faults": […], "seed": 1}')
    if unknown := given.keys() - {"faults", "seed", "log"}:  # what GET has told may be put back
        raise ConfigError(f"{', '.join(sorted(unknown))}: no such field")
    seed = given.get("seed", 0)
    if not isinstance(seed, int):
        raise ConfigError("seed: must be a whole number")
    return [read_faults(each) for each in given["faults"]], seed


def written_faults(faults: Faults) -> Json:
    """Faults as JSON: what differs from the defaults, names in camel case, times in seconds."""
    written: Json = {}
    for field in fields(faults):
        value = getattr(faults, field.name)
        if value == field.default:
            continue
        if isinstance(value, timedelta):
            written[_camel(field.name) + _SECONDS] = value.total_seconds()
        elif isinstance(value, Scope):
            scope = {each.name: getattr(value, each.name) for each in fields(value)}
            written[_camel(field.name)] = {
                name: sorted(said) if isinstance(said, frozenset) else said
                for name, said in scope.items()
                if said is not None
            }
        else:
            written[_camel(field.name)] = value
    return written


def read_faults(given: Any) -> Faults:
    """Faults from JSON.

    Raises:
        ConfigError: a name or a value makes no sense.
    """
    if not isinstance(given, dict):
        raise ConfigError("each of the faults must be an object")
    known = {_camel(each.name) + (_SECONDS if each.type in _TIMES else ""): each for each in fields(Faults)}
    values: Json = {}
    for name, value in given.items():
        if name not in known:
            raise ConfigError(f"{name}: no such field; choose from {', '.join(sorted(known))}")
        values[known[name].name] = _read(name, str(known[name].type), value)
    return Faults(**values)


def _read(name: str, kind: str, value: Any) -> Any:
    if kind in _NUMBERS or kind in _TIMES:
        whole = kind.startswith("int")
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise ConfigError(f"{name}: must be a {'whole ' if whole else ''}number")
        return _time(name, value) if kind in _TIMES else value
    return _read_scope(name, value)


def _time(name: str, seconds: float) -> timedelta:
    try:
        return timedelta(seconds=seconds)
    except OverflowError as error:
        raise ConfigError(f"{name}: nobody waits so long") from error


def _read_scope(name: str, given: Any) -> Scope:
    if not isinstance(given, dict):
        raise ConfigError(f"{name}: must be an object")
    known = [each.name for each in fields(Scope) if each.default is not MISSING]
    for key, value in given.items():
        if key not in known:
            raise ConfigError(f"{name}.{key}: no such field; choose from {', '.join(known)}")
        if key == "verbs" and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            raise ConfigError(f"{name}.verbs: must be a list of texts")
        if key != "verbs" and not isinstance(value, str):
            raise ConfigError(f"{name}.{key}: must be a text")
    return Scope(**given)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
