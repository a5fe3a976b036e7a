"""CSINode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.meta import IMMUTABLE, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, label_key
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.volume_disk import validate_csi_driver
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_DRIVERS: Final = Path("spec").child("drivers")
_LONGEST_ID: Final = 256
_DRIVER: Final = {"name": "", "nodeID": "", "topologyKeys": None, "allocatable": None}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A CSINode: its drivers, of which each stays as it is but for how many volumes it takes."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    drivers = obj.get("spec", {}).get("drivers") or ()
    seen: set[str] = set()
    for index, driver in enumerate(drivers):
        yield from _validate_driver(driver, seen, _DRIVERS.index(index))
        seen.add(driver.get("name", ""))
    for was in (old or {}).get("spec", {}).get("drivers") or ():
        for driver in drivers:
            if driver.get("name") == was.get("name") and _lasting(driver) != _lasting(was):
                yield Fault.invalid(_DRIVERS, as_declared(_lasting(driver), _DRIVER), IMMUTABLE)


def _lasting(driver: Object) -> dict[str, Any]:
    return {name: value for name, value in driver.items() if name != "allocatable" and value}


def _validate_driver(driver: Object, seen: set[str], path: Path) -> Iterator[Fault]:
    name, node = driver.get("name", ""), driver.get("nodeID", "")
    yield from validate_csi_driver(name, path.child("name"))
    if not node:
        yield Fault.required(path.child("nodeID"))
    if len(node.encode()) > _LONGEST_ID:
        detail = f"must be {_LONGEST_ID} characters or less"
        yield Fault.invalid(path.child("nodeID"), node, detail)
    yield from nonnegative(driver.get("allocatable") or {}, ("count",), path.child("allocatable"))
    if name in seen:
        yield Fault.duplicate(path.child("name"), name)
    yield from _validate_keys(driver.get("topologyKeys") or (), path)


def _validate_keys(keys: Sequence[str], path: Path) -> Iterator[Fault]:
    for index, key in enumerate(keys):
        if not key:
            yield Fault.required(path)
        if key in keys[:index]:
            yield Fault.duplicate(path, key)
        for problem in label_key(key):
            yield Fault.invalid(path, key, problem)
