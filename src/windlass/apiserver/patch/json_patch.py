from __future__ import annotations

import re
from typing import Any, Final

import orjson

from windlass.apiserver.go_json import NotJsonError, parse_exactly, written
from windlass.apiserver.patch.body import operation_problems, read, unfit
from windlass.apiserver.patch.outcome import Patched, not_an_object, panicked, rejected
from windlass.apiserver.refusal import Refusal
from windlass.schema import alike, json_kind

MOST_OPERATIONS: Final = 10_000
MOST_COPIED: Final = 3 * 1024 * 1024
MOST_STEPS: Final = 100
_TEXTS: Final = ("op", "path", "from")
_KNOWN: Final = frozenset((*_TEXTS, "value"))
_INDEX: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def json_patched(document: dict[str, Any], body: bytes, *, checked: bool = True) -> Patched:
    """Carry out the operations of a JSON patch (RFC 6902) on an object, all of them or none.

    `checked` is false where field validation is off: the server then reads the body less closely, and refuses
    it in other words.

    Raises:
        Refusal: 400, the body is no list of operations; 413, there are too many; 422, one of them cannot be
            carried out, or what they leave is no object.
    """
    operations = _operations(body, checked=checked)
    if len(operations) > MOST_OPERATIONS:
        allowed = (
            f"The allowed maximum operations in a JSON patch is {MOST_OPERATIONS}, got {len(operations)}"
        )
        raise Refusal(413, f"Request entity too large: {allowed}")
    work = _Work(document)
    for operation in operations:
        work.carry_out(operation or {})
    if isinstance(work.root, list):
        raise not_an_object(work.root)
    return Patched(work.written(work.root), operation_problems(body, _KNOWN) if checked else ())


def _operations(body: bytes, *, checked: bool) -> list[dict[str, Any] | None]:
    prefix = "error decoding patch: " if checked else ""
    types = (
        ("[]handlers.jsonPatchOp", "handlers.jsonPatchOp")
        if checked
        else ("jsonpatch.Patch", "jsonpatch.Operation")
    )
    operations = read(body, prefix)
    if operations is None:
        return []
    if not isinstance(operations, list):
        raise Refusal.bad_request(prefix + unfit(operations, types[0]))
    for operation in operations:
        if not isinstance(operation, dict | None):
            raise Refusal.bad_request(prefix + unfit(operation, types[1]))
        if checked:
            _check_texts(operation or {}, prefix)
    return operations


def _check_texts(operation: dict[str, Any], prefix: str) -> None:
    for name in _TEXTS:
        value = operation.get(name)
        if not isinstance(value, str | None):
            where = f"into Go struct field jsonPatchOp.{name} of type string"
            raise Refusal.bad_request(f"{prefix}json: cannot unmarshal {json_kind(value)} {where}")


class _Work:
    """An object while operations change it.

    Containers are copied when they are first changed, and only those: `_own` holds the identities of the
    copies. Everything else is shared with the object that came in and with the patch.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.root: dict[str, Any] | list[Any] = dict(document)
        self._own = {id(self.root)}
        self._copied = 0

    def written(self, value: Any) -> Any:
        """A value whose changed objects have their members in order, as Go writes and so reads them again."""
        if id(value) not in self._own:
            return value
        if isinstance(value, dict):
            return {name: self.written(value[name]) for name in sorted(value)}
        return [self.written(item) for item in value]

    def carry_out(self, operation: dict[str, Any]) -> None:
        """Do one operation.

        Raises:
            Refusal: 422, it cannot be done.
        """
        match operation.get("op"):
            case "add":
                self._add(_text(operation, "path"), operation.get("value"))
            case "remove":
                self._remove(_text(operation, "path"))
            case "replace":
                self._replace(operation)
            case "move":
                source = _text(operation, "from")
                value = self._get(source)
                self._remove(source)
                self._add(_text(operation, "path"), value)
            case "copy":
                value = self._copy(_text(operation, "from"))
                self._add(_text(operation, "path"), value)
            case "test":
                self._test(operation)
            case _:
                raise rejected()

    def _find(self, path: str) -> tuple[dict[str, Any] | list[Any], str]:
        """The container, free to be changed, that a pointer's last step is taken in, and that step."""
        _, *steps = (step.replace("~1", "/").replace("~0", "~") for step in path.split("/"))
        if not 0 < len(steps) <= MOST_STEPS:
            raise rejected()
        container = self.root
        for step in steps[:-1]:
            key = _key(container, step)
            below = container.get(key) if isinstance(container, dict) else container[int(key)]
            if not isinstance(below, dict | list):
                raise rejected()
            if id(below) not in self._own:
                below = below.copy()
                self._own.add(id(below))
                container[key] = below
            container = below
        return container, steps[-1]

    def _get(self, path: str) -> Any:
        container, step = self._find(path)
        if isinstance(container, dict):
            return container.get(step)
        return container[_index(step, len(container))]

    def _copy(self, path: str) -> Any:
        try:
            text = written(self._get(path))
            value = parse_exactly(text)
        except (orjson.JSONEncodeError, NotJsonError) as error:  # nested too deeply
            raise rejected() from error
        self._copied += len(text)
        if self._copied > MOST_COPIED:
            raise rejected()
        return value

    def _add(self, path: str, value: Any) -> None:
        container, step = self._find(path)
        if isinstance(container, dict):
            container[step] = value
        elif step == "-":
            container.append(value)
        else:
            container.insert(_index(step, len(container) + 1), value)

    def _remove(self, path: str) -> None:
        container, step = self._find(path)
        if isinstance(container, dict):
            if step not in container:
                raise rejected()
            del container[step]
        else:
            del container[_index(step, len(container))]

    def _replace(self, operation: dict[str, Any]) -> None:
        path = _text(operation, "path")
        if path:
            container, step = self._find(path)
            if isinstance(container, dict):
                container[step] = operation.get("value")
            else:
                container[_index(step, len(container))] = operation.get("value")
            return
        if "value" not in operation:
            raise panicked()
        if not isinstance(operation["value"], dict | list):
            raise rejected()
        self.root = operation["value"].copy()
        self._own.add(id(self.root))

    def _test(self, operation: dict[str, Any]) -> None:
        path = _text(operation, "path")
        if not path and "value" not in operation:
            raise panicked()
        if not alike(self._get(path) if path else self.root, operation.get("value")):
            raise rejected()


def _text(operation: dict[str, Any], name: str) -> str:
    value = operation.get(name)
    if not isinstance(value, str):
        raise rejected()
    return value


def _key(container: dict[str, Any] | list[Any], step: str) -> Any:
    return step if isinstance(container, dict) else _index(step, len(container))


def _index(step: str, length: int) -> int:
    """The position that a step names in a list of that length; a negative one counts from the end."""
    if not _INDEX.fullmatch(step):
        raise rejected()
    index = int(step)
    if not -length <= index < length:
        raise rejected()
    return index + length if index < 0 else index
