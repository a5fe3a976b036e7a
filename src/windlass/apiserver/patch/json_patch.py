from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.go_json import NotJsonError, parse_exactly, written
from windlass.apiserver.patch.body import operation_problems, read, unfit
from windlass.apiserver.patch.outcome import Patched, Rejected, not_an_object, panicked
from windlass.apiserver.refusal import Refusal
from windlass.schema import json_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

Operations = Sequence[dict[str, Any] | None]

MOST_OPERATIONS: Final = 10_000
MOST_COPIED: Final = 3 * 1024 * 1024
MOST_STEPS: Final = 100
_TEXTS: Final = ("op", "path", "from")
_KNOWN: Final = frozenset((*_TEXTS, "value"))
_NO_PATH: Final = "does not apply: doc is missing path"
_INDEX: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def json_patched(document: dict[str, Any], body: bytes, *, checked: bool = True) -> Patched:
    """Carry out the operations of a JSON patch (RFC 6902) on an object, all of them or none.

    `checked` is false where field validation is off: the server then reads the body less closely, and refuses
    it in other words.

    Raises:
        Refusal: 400, the body is no list of operations; 413, there are too many; 422, one of them cannot be
            carried out, or what they leave is no object.
    """
    operations = json_operations(body, checked=checked)
    if len(operations) > MOST_OPERATIONS:
        allowed = (
            f"The allowed maximum operations in a JSON patch is {MOST_OPERATIONS}, got {len(operations)}"
        )
        raise Refusal(413, f"Request entity too large: {allowed}")
    return Patched(carried_out(document, operations), operation_problems(body, _KNOWN) if checked else ())


def carried_out(document: dict[str, Any], operations: Operations) -> dict[str, Any]:
    """What operations make of an object.

    Raises:
        Rejected: one of them cannot be carried out.
        Unusable: they leave no object.
    """
    work = _Work(document)
    for operation in operations:
        work.carry_out(operation or {})
    if isinstance(work.root, list):
        raise not_an_object(work.root)
    found: dict[str, Any] = work.written(work.root)
    return found


def json_operations(body: bytes, *, checked: bool) -> Operations:
    """The operations of a JSON patch.

    Raises:
        Refusal: 400, the body is no list of operations.
    """
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
            Rejected: it cannot be done.
        """
        match operation.get("op"):
            case "add":
                path = _text(operation, "path", "add operation failed to decode path: missing value")
                self._add(path, operation.get("value"), f'add operation {_NO_PATH}: "{path}"')
            case "remove":
                path = _text(operation, "path", "remove operation failed to decode path: missing value")
                self._remove(path, f'remove operation {_NO_PATH}: "{path}"')
            case "replace":
                self._replace(operation)
            case "move":
                self._move(operation)
            case "copy":
                self._copy(operation)
            case "test":
                self._test(operation)
            case kind:
                raise Rejected(f"Unexpected kind: {kind if isinstance(kind, str) else 'unknown'}")

    def _find(self, path: str, missing: str) -> tuple[dict[str, Any] | list[Any], str]:
        """The container, free to be changed, that a pointer's last step is taken in, and that step.

        Where there is none, `missing` says so.
        """
        _, *steps = (step.replace("~1", "/").replace("~0", "~") for step in path.split("/"))
        if not 0 < len(steps) <= MOST_STEPS:
            raise Rejected(f"{missing}: missing value")
        container = self.root
        for step in steps[:-1]:
            try:
                key = _key(container, step)
            except _Misstep as misstep:
                raise Rejected(f"{missing}: missing value") from misstep
            below = container.get(key) if isinstance(container, dict) else container[int(key)]
            if not isinstance(below, dict | list):
                raise Rejected(f"{missing}: missing value")
            if id(below) not in self._own:
                below = below.copy()
                self._own.add(id(below))
                container[key] = below
            container = below
        return container, steps[-1]

    def _get(self, path: str, missing: str, failing: str) -> Any:
        container, step = self._find(path, missing)
        if isinstance(container, dict):
            return container.get(step)
        with _saying(f"{failing}: '{path}'"):
            return container[_index(step, len(container))]

    def _add(self, path: str, value: Any, missing: str, failing: str = "") -> None:
        container, step = self._find(path, missing)
        if isinstance(container, dict):
            container[step] = value
        elif step == "-":
            container.append(value)
        else:
            with _saying(failing or f"error in add for path: '{path}'"):
                container.insert(_index(step, len(container) + 1, added=True), value)

    def _remove(self, path: str, missing: str, failing: str = "") -> None:
        container, step = self._find(path, missing)
        with _saying(failing or f"error in remove for path: '{path}'"):
            if isinstance(container, list):
                del container[_index(step, len(container))]
            elif step in container:
                del container[step]
            else:
                raise _Misstep(f"Unable to remove nonexistent key: {step}: missing value")

    def _move(self, operation: dict[str, Any]) -> None:
        source = _text(
            operation, "from", "move operation failed to decode from: operation, missing from field"
        )
        missing = f"move operation does not apply: doc is missing from path: {source}"
        value = self._get(source, missing, "error in move for path")
        self._remove(source, missing, f"error in move for path: '{source.rpartition('/')[2]}'")
        path = _text(operation, "path", "move operation failed to decode path: operation missing path field")
        missing = f"move operation does not apply: doc is missing destination path: {path}"
        self._add(path, value, missing, f"error in move for path: '{path}'")

    def _copy(self, operation: dict[str, Any]) -> None:
        source = _text(
            operation, "from", "copy operation failed to decode from: operation, missing from field"
        )
        missing = f"copy operation does not apply: doc is missing from path: {source}"
        found = self._get(source, missing, "error in copy for from")
        path = _text(operation, "path", "copy operation failed to decode path: missing value")
        try:
            text = written(self.written(found))
            value = parse_exactly(text)
        except (orjson.JSONEncodeError, NotJsonError) as error:  # nested too deeply
            raise Rejected(f"error while performing deep copy: {error}") from error
        self._copied += len(text)
        if self._copied > MOST_COPIED:
            size = f"the accumulated size increase of copy is {self._copied}"
            raise Rejected(f"Unable to complete the copy, {size}, exceeding the limit {MOST_COPIED}")
        missing = f"copy operation does not apply: doc is missing destination path: {path}"
        self._add(path, value, missing, "error while adding value during copy")

    def _replace(self, operation: dict[str, Any]) -> None:
        path = _text(
            operation, "path", "replace operation failed to decode path: operation missing path field"
        )
        if path:
            container, step = self._find(path, f"replace operation {_NO_PATH}: {path}")
            if isinstance(container, dict):
                container[step] = operation.get("value")
                return
            try:
                container[_index(step, len(container))] = operation.get("value")
            except _Misstep as misstep:
                missing = f"replace operation does not apply: doc is missing key: {path}: missing value"
                raise Rejected(missing) from misstep
            return
        if "value" not in operation:
            raise panicked()
        if not isinstance(operation["value"], dict | list):
            raise Rejected("replace operation value must be object or array: %!w(<nil>)")
        self.root = operation["value"].copy()
        self._own.add(id(self.root))

    def _test(self, operation: dict[str, Any]) -> None:
        path = _text(operation, "path", "test operation failed to decode path: operation missing path field")
        if not path and "value" not in operation:
            raise panicked()
        missing = f"test operation does not apply: is missing path: {path}"
        found = self._get(path, missing, "error in test for path") if path else self.root
        value = operation.get("value")
        if written(found, orjson.OPT_SORT_KEYS) != written(value, orjson.OPT_SORT_KEYS):  # digit by digit
            raise Rejected(f"testing value {path} failed: test failed")


class _Misstep(Exception):
    """A step that leads nowhere."""


@contextmanager
def _saying(what: str) -> Iterator[None]:
    """Reject what a misstep in the block makes impossible."""
    try:
        yield
    except _Misstep as misstep:
        raise Rejected(f"{what}: {misstep}") from misstep


def _text(operation: dict[str, Any], name: str, missing: str) -> str:
    value = operation.get(name)
    if not isinstance(value, str):
        raise Rejected(missing if missing.endswith("missing value") else f"{missing}: missing value")
    return value


def _key(container: dict[str, Any] | list[Any], step: str) -> Any:
    return step if isinstance(container, dict) else _index(step, len(container))


def _index(step: str, length: int, *, added: bool = False) -> int:
    """The position that a step names in a list of that length; a negative one counts from the end."""
    if not _INDEX.fullmatch(step):
        why = f"strconv.Atoi: parsing {quoted(step)}: invalid syntax"
        raise _Misstep(f"value was not a proper array index: '{step}': {why}" if added else why)
    index = int(step)
    if not -length <= index < length:
        raise _Misstep(f"Unable to access invalid index: {index}: invalid index referenced")
    return index + length if index < 0 else index
