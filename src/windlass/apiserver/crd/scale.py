"""The Scale of a custom resource, from the paths that its definition gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.scaling import Scaling, Size
from windlass.schema import Fault, Path, printed, type_name
from windlass.schema.ownership import ScaleOwnership

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Object = dict[str, Any]
Paths = dict[str, str]

_INT64: Final = 2**63
_LARGEST: Final = 2**31 - 1


class CustomScaling(Scaling):
    """The size of the objects of a definition, in one of its versions."""

    def __init__(self, crd: Object, version: Object) -> None:
        group = crd["spec"]["group"]
        self._paths: Paths = version["subresources"]["scale"]
        self.path = self._paths["specReplicasPath"]
        self.ownership = ScaleOwnership(
            f"{group}/{version['name']}",
            {f"{group}/{each['name']}": _replicas(each) for each in crd["spec"]["versions"]},
        )

    @override
    def size(self, obj: Object) -> Size:
        try:
            wanted = _number(obj, self.path)
            actual = _number(obj, self._paths["statusReplicasPath"])
            selector = _text(obj, self._paths.get("labelSelectorPath", ""))
        except _UnfitError as error:
            raise Refusal(500, str(error), "") from error
        return Size(wanted, actual or 0, selector)

    @override
    def resize(self, obj: Object, replicas: int) -> None:
        *parents, last = _steps(self.path)
        node = obj
        for step in parents:
            node = node.setdefault(step, {})
        node[last] = replicas


def scale_faults(obj: Object, paths: Paths, *, status: bool) -> Iterator[Fault]:
    """What is wrong with the numbers that a Scale would show; `status` passes over the wanted one."""
    if not status:
        yield from _number_faults(obj, paths["specReplicasPath"])
    yield from _number_faults(obj, paths["statusReplicasPath"])
    selector = paths.get("labelSelectorPath", "")
    try:
        _text(obj, selector)
    except _UnfitError as error:
        yield Fault.invalid(Path(selector), "", str(error))


class _UnfitError(Exception):
    """There is something else where a path leads to."""


def _number_faults(obj: Object, path: str) -> Iterator[Fault]:
    try:
        number = _number(obj, path) or 0
    except _UnfitError as error:
        yield Fault.invalid(Path(path), 0, str(error))
        return
    if number < 0:
        yield Fault.invalid(Path(path), number, "should be a non-negative integer")
    elif number > _LARGEST:
        yield Fault.invalid(Path(path), number, f"should be less than or equal to {_LARGEST}")


def _replicas(version: Mapping[str, Any]) -> tuple[str, ...] | None:
    scale = (version.get("subresources") or {}).get("scale")
    return _steps(scale["specReplicasPath"]) if scale else None


def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.removeprefix(".").split("."))


def _number(obj: Object, path: str) -> int | None:
    found, value = _find(obj, path)
    if not found:
        return None
    if type(value) is int and not -_INT64 <= value < _INT64:
        value = float(value)  # Go has no larger whole numbers
    if type(value) is not int:
        raise _unfit(_steps(path), value, "int64")
    return value


def _text(obj: Object, path: str) -> str:
    found, value = _find(obj, path) if path else (False, "")
    if not found:
        return ""
    if not isinstance(value, str):
        raise _unfit(_steps(path), value, "string")
    return value


def _find(obj: Object, path: str) -> tuple[bool, Any]:
    """Whether there is something where a path leads to, and what."""
    value: Any = obj
    steps = _steps(path)
    for index, step in enumerate(steps):
        if value is None:
            return False, None
        if not isinstance(value, dict):
            raise _unfit(steps[: index + 1], value, "map[string]interface{}")
        if step not in value:
            return False, None
        value = value[step]
    return True, value


def _unfit(steps: tuple[str, ...], value: Any, wanted: str) -> _UnfitError:
    where, found = ".".join(steps), type_name(value)
    return _UnfitError(f".{where} accessor error: {printed(value)} is of the type {found}, expected {wanted}")
