"""Mistakes in a reconciler's class that Python accepts: misspelt names, and methods that cannot run."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import timedelta
from inspect import getattr_static, iscoroutinefunction
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin

from windlass import _declaration as declaration
from windlass.api import Model, Selection
from windlass.reconcile.check import is_kind
from windlass.reconcile.declare import Follow, Index, Owns, Watch
from windlass.reconcile.result import Result
from windlass.reconcile.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Resource

_NEAR = 0.8
"""How like a declared name another one is that must be a slip, where its value is typical: `own` is."""

_NEAR_BY_NAME = 0.88
"""The same, where the value could be anybody's, such as a text: `finaliser` is a slip, `report` is not."""


class Shape(NamedTuple):
    """What an attribute is like that a reconciler declares."""

    fits: Callable[[Any], bool]
    example: str
    aliases: tuple[str, ...] = ()
    """What others call it: names that are not near, and are a mistake with such a value all the same."""


def is_source(value: object) -> bool:
    """Whether something wakes objects, as `Every` does."""
    return callable(getattr(value, "run", None)) and not isinstance(value, type)


def _all(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """One that fits, or a tuple of some that do."""

    def fit(value: Any) -> bool:
        many = isinstance(value, tuple | list)
        return bool(value) and all(map(fits, value)) if many else fits(value)

    return fit


def _is_a(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types)


def _is_method(parameters: int) -> Callable[[Any], bool]:
    """An `async def` that could be called like the one that is meant; a helper of another form is none."""

    def fit(value: Any) -> bool:
        return iscoroutinefunction(value) and declaration.method_takes(value, parameters)

    return fit


_WORDS = _all(lambda value: isinstance(value, str) and bool(value))

_OF_BOTH: Mapping[str, Shape] = {
    "reporter": Shape(_is_a(str), 'reporter = "webapp-operator"'),
    "reads": Shape(_all(_is_a(Watch)), "reads = (Watch(Secret),)", ("watches", "watched")),
    "indexes": Shape(_all(_is_a(Index)), "indexes = (BY_NODE,)", ("indices", "indexers")),
    "sources": Shape(_all(is_source), "sources = (Every(timedelta(hours=1)),)", ("timers", "timer")),
    "follows": Shape(_all(_is_a(Follow)), "follows = (Follow(Pod, see),)", ("followed",)),
    "first_retry": Shape(_is_a(timedelta), "first_retry = timedelta(seconds=1)"),
    "rules": Shape(_all(_is_a(Rule)), 'rules = (Rule.on(Node, "patch"),)', ("permissions", "rbac")),
    "programs": Shape(_WORDS, 'programs = ("helm",)'),
    "reconcile": Shape(_is_method(2), "async def reconcile(self, …)"),
}

_OF_OBJECTS: Mapping[str, Shape] = {
    "of": Shape(is_kind, "of = WebApp", ("kind", "resource")),
    "owns": Shape(
        _all(lambda value: isinstance(value, Owns) or is_kind(value)),
        "owns = (Deployment,)",
        ("owned", "owning"),
    ),
    "selection": Shape(_is_a(Selection), "selection = Selection(…)", ("selector", "selects")),
    "until_gone": Shape(_is_a(bool), "until_gone = True"),
    "finalizer": Shape(_WORDS, 'finalizer = "example.com/webapp"'),
    "old_finalizers": Shape(_WORDS, 'old_finalizers = ("example.com/old",)'),
    "finalize": Shape(_is_method(2), "async def finalize(self, …)"),
    "forget": Shape(_is_method(1), "async def forget(self, key)"),
}

_NOT_OF_KEYS = ("owns", "selection", "until_gone", "finalizer", "old_finalizers", "finalize")

_PARAMETERS: Mapping[bool, Mapping[str, tuple[str, ...]]] = {
    True: {"reconcile": ("app", "ctx"), "finalize": ("app", "ctx"), "forget": ("key",)},
    False: {"reconcile": ("key", "ctx")},
}
"""What the methods are given, of a reconciler of objects and of one of keys."""


def check_names(cls: type, base: type, *, of_objects: bool) -> None:
    """Find attributes of a class that are near to what its base declares, and mean that by their value.

    Raises:
        TypeError: there is one; the message has the name to write.
    """
    shapes = {**_OF_BOTH, **_OF_OBJECTS} if of_objects else _OF_BOTH
    open_ = {each: shape for each, shape in shapes.items() if each not in vars(cls)}
    if hasattr(cls, "of"):
        open_.pop("of", None)
    inherited = {name for each in cls.__mro__[1:] for name in vars(each)}
    for name, value in vars(cls).items():
        if name in inherited or name in shapes or name.startswith("_"):
            continue
        meant = _meant(name, value, open_)
        if meant:
            raise TypeError(
                f"{cls.__name__}.{name} is not an attribute of a {base.__name__}: "
                f"write {shapes[meant].example}; begin the name with _ if it is an attribute of your own"
            )
    for name in () if of_objects else _NOT_OF_KEYS:
        if name in vars(cls) and _OF_OBJECTS[name].fits(vars(cls)[name]):
            raise TypeError(
                f"{cls.__name__}.{name}: a KeyReconciler has no objects; "
                f"derive it from Reconciler[WebApp], or leave {name} out"
            )


def _meant(name: str, value: Any, shapes: Mapping[str, Shape]) -> str:
    """The attribute that is meant by another name; empty for none."""
    fitting = {each: _likeness(name, each, shape) for each, shape in shapes.items() if shape.fits(value)}
    meant = max(fitting, key=lambda each: fitting[each], default="")
    needed = _NEAR_BY_NAME if isinstance(value, str | bool | timedelta) else _NEAR
    return meant if meant and fitting[meant] >= needed else ""


def _likeness(name: str, declared: str, shape: Shape) -> float:
    from difflib import SequenceMatcher  # only where a value is like one that is declared

    return 1 if name in shape.aliases else SequenceMatcher(None, name, declared).ratio()


def check_methods(cls: type, *, of_objects: bool) -> None:
    """Find methods of a class that cannot be awaited or called, or that return something else than a result.

    Raises:
        TypeError: there is one; the message has the line to write.
    """
    for name, parameters in _PARAMETERS[of_objects].items():
        if name not in vars(cls):
            continue
        method = vars(cls)[name]
        line = f"async def {name}(self, {', '.join(parameters)})"
        if declaration.is_sync(name, method):
            raise TypeError(
                f"{cls.__name__}.{name} is not async: write {line}, and await ctx.thread(…) for what blocks"
            )
        if not declaration.method_takes(method, len(parameters)):
            raise TypeError(
                f"{cls.__name__}.{name} takes other parameters than it is called with: write {line}"
            )
        inner = declaration.innermost(method)
        passed_on = () if iscoroutinefunction(inner) else (Awaitable,)
        if name != "forget" and declaration.returns_another(inner, Result, *passed_on):
            returned = declaration.annotation(inner, "return")
            raise TypeError(
                f"{cls.__name__}.{name} is annotated to return {_named(returned)}: "
                f"write {line} -> Result[…], and return Result.ready(status)"
            )
        if not of_objects and is_kind(declaration.parameter(inner, 1)):
            wrong = _named(declaration.parameter(inner, 1))
            raise TypeError(
                f"{cls.__name__}.{name} is annotated for {wrong}, but it is given a Key: "
                f"write async def {name}(self, key: Key, ctx: Context), or derive it from Reconciler[{wrong}]"
            )
    if "when" in vars(cls) and of_objects and not _takes_a_change(vars(cls)["when"]):
        raise TypeError(
            f"{cls.__name__}.when takes other parameters than the change: "
            "write when = generation_changed, or def when(change: Change[WebApp]) -> bool"
        )


def check_types(said: Any) -> None:
    """Find methods of a reconciler of objects that are annotated for another kind, or for another status.

    Raises:
        TypeError: there is one; the message has the line to write.
    """
    of: type[Resource] = said.of
    cls = said if isinstance(said, type) else type(said)
    statuses = _statuses(of)
    for name in ("reconcile", "finalize"):
        inner = declaration.innermost(getattr_static(cls, name))
        where = f"{cls.__name__}.{name}"
        given, context = declaration.parameter(inner, 1), declaration.parameter(inner, 2)
        if is_kind(context) or (is_kind(given) and not _are_related(given, of)):
            wrong = _named(context if is_kind(context) else given)
            raise TypeError(
                f"{where} is annotated for {wrong}, but it is given a {of.__name__} and a Context: "
                f"write async def {name}(self, app: {of.__name__}, ctx: Context)"
            )
        returned = declaration.annotation(inner, "return")
        (status, *_) = get_args(returned) if get_origin(returned) is Result else (Any,)
        if statuses and _is_model(status) and not any(_are_related(status, each) for each in statuses):
            names = " | ".join(each.__name__ for each in statuses)
            raise TypeError(
                f"{where} returns Result[{status.__name__}], but the status of {of.__name__} is a {names}: "
                f"write -> Result[{names}]"
            )


def _statuses(of: type[Resource]) -> list[Any]:
    """The models that the status of a kind may be; none where that cannot be told."""
    field = of.model_fields.get("status")
    held = (
        [each for each in declaration.branches(field.annotation) if each is not type(None)] if field else []
    )
    return held if all(map(_is_model, held)) else []


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Model)


def _are_related(one: type, other: type) -> bool:
    return issubclass(one, other) or issubclass(other, one)


def _takes_a_change(when: object) -> bool:
    return when is None or declaration.takes(declaration.innermost(when), 1)


def _named(said: Any) -> str:
    return getattr(said, "__name__", None) or str(said)
