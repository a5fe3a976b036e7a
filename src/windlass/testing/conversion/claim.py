"""What is true of a conversion that loses nothing."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from windlass.api import write_yaml
from windlass.schema import Shape, structural
from windlass.testing.conversion.rule import faults
from windlass.webhook.conversion import Difference, differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource
    from windlass.webhook import Conversion, Spoke

_FREE: Final = ("labels", "annotations")


class Claims:
    """Judges single objects; each claim raises AssertionError with the object and what became of it."""

    def __init__(self, conversion: Conversion[Any]) -> None:
        self._conversion = conversion

    def check_paths(self) -> None:
        """Make sure that there is a field for every path that a spoke names.

        Raises:
            ValueError: there is not.
        """
        hub = self._conversion.hub
        for spoke in self._conversion.spokes:
            for kind, name, paths in ((hub, "lacks", spoke.lacks), (spoke.of, "only", spoke.only)):
                for path in paths:
                    if not _exists(Shape(structural(kind)), path):
                        version = spoke.of.__kind__.version
                        raise ValueError(f"the spoke {version} says {name}={path!r}, which {kind} has not")

    def hold(self, obj: Json) -> None:
        """All of them, for an object of any version."""
        own, hub = obj["apiVersion"], self._conversion.hub.__kind__.api_version
        for spoke in self._conversion.spokes:
            if own == hub:
                self._hub_survives(spoke, obj)
            elif own == spoke.of.__kind__.api_version:
                self._spoke_survives(spoke, obj)
        for other in self._conversion.versions:
            if other != own:
                self._comes_back(other, obj)

    def _spoke_survives(self, spoke: Spoke[Any, Any], obj: Json) -> None:
        """The functions lose nothing of a spoke but what it is the only one to have."""
        again = spoke.from_hub(spoke.to_hub(spoke.of.from_wire(deepcopy(obj)))).to_wire()
        hub, version = self._conversion.hub.__kind__.version, spoke.of.__kind__.version
        _survives(spoke.of, obj, again, spoke.only, (f"{version} → {hub} → {version}", "only", hub))

    def _hub_survives(self, spoke: Spoke[Any, Any], obj: Json) -> None:
        """The functions lose nothing of the hub but what the spoke lacks."""
        kind = self._conversion.hub
        again = spoke.to_hub(spoke.from_hub(kind.from_wire(deepcopy(obj)))).to_wire()
        hub, version = kind.__kind__.version, spoke.of.__kind__.version
        _survives(kind, obj, again, spoke.lacks, (f"{hub} → {version} → {hub}", "lacks", version))

    def _comes_back(self, api_version: str, obj: Json) -> None:
        """An object that goes to another version, and back, is what it was; meanwhile it is valid."""
        convert, own = self._conversion.convert, obj["apiVersion"]
        there = convert(deepcopy(obj), api_version)
        way = f"{_version(own)} → {_version(api_version)}"
        _same(way, obj, "is not the same each time", there, convert(deepcopy(obj), api_version))
        target = self._conversion.versions[api_version]
        if wrong := faults(target, there):
            raise AssertionError(_told(way, obj, "is not valid", wrong, there))
        _same(way, obj, "changes metadata", _fixed(obj), _fixed(there))
        if not self._conversion.keep:
            return
        back, way = convert(deepcopy(there), own), f"{way} → {_version(own)}"
        if found := differences(self._conversion.versions[own], obj, back):
            raise AssertionError(_told(way, obj, "is another object", map(_shown, found), there))
        _same(way, obj, "leaves other metadata", obj["metadata"], back["metadata"])


def _survives(
    kind: type[Resource], obj: Json, again: Json, allowed: Sequence[str], words: tuple[str, str, str]
) -> None:
    way, setting, other = words
    found = [each for each in differences(kind, obj, again) if not _covered(each, allowed)]
    if found:
        paths = ", ".join(dict.fromkeys(f'"{_general(each)}"' for each in found))
        advice = f"if {other} has no place for it, say so: {setting}=({paths},)"
        raise AssertionError(_told(way, obj, "loses fields", [*map(_shown, found), advice], again))


def _same(way: str, obj: Json, what: str, one: Any, other: Any) -> None:
    if one != other:
        raise AssertionError(_told(way, obj, what, [f"was {one!r}", f"is {other!r}"], None))


def _told(way: str, obj: Json, what: str, lines: Iterable[str], made: Json | None) -> str:
    """What went wrong, in what, and the object that shows it."""
    parts = [f"{obj['kind']} {way} {what}:", *(f"  {line}" for line in lines)]
    for title, each in (("the object", obj), ("what became of it", made)):
        if each is not None:
            parts += [f"{title}:", *(f"  {line}" for line in write_yaml([each]).splitlines())]
    return "\n".join(parts)


def _shown(each: Difference) -> str:
    return f"{each}: was {each.one!r}, became {each.other!r}"


def _fixed(obj: Json) -> Json:
    return {name: value for name, value in obj["metadata"].items() if name not in _FREE}


def _version(api_version: str) -> str:
    return api_version.rpartition("/")[2]


def _general(each: Difference) -> str:
    """A path for all items: `spec.ports[].protocol`."""
    text = ""
    for step in each.path:
        text += f".{step}" if isinstance(step, str) else "[]"
    return text.removeprefix(".")


def _covered(each: Difference, allowed: Sequence[str]) -> bool:
    steps = _steps(_general(each))
    for path in allowed:
        wanted = _steps(path)
        if len(wanted) <= len(steps) and all(
            want in ("*", step) for want, step in zip(wanted, steps, strict=False)
        ):
            return True
    return False


def _steps(path: str) -> list[str]:
    return path.replace("[]", ".[]").split(".")


def _exists(shape: Shape | None, path: str) -> bool:
    for step in _steps(path):
        if shape is None or shape.preserves_unknown:
            return shape is not None
        shape = shape.items if step == "[]" else shape.additional if step == "*" else shape.child(step)
    return shape is not None
