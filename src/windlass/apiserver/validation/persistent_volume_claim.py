"""PersistentVolumeClaim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.claim_update import validate_claim_update
from windlass.apiserver.validation.label import has_odd_value, validate_selector
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_label, dns_subdomain, label_key
from windlass.apiserver.validation.number import NOT_POSITIVE
from windlass.apiserver.validation.resource import is_native, quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES: Final = ("Block", "Filesystem")

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_RESIZING: Final = (
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
)
_SOURCE: Final = ("apiGroup", "kind", "name")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A PersistentVolumeClaim, of which hardly anything changes after its creation."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    yield from validate_spec(
        spec,
        _SPEC,
        any_values=has_odd_value(before.get("selector")),
        any_group=any(before.get(name, {}).get("apiGroup") for name in ("dataSource", "dataSourceRef")),
    )
    if old is not None:
        yield from validate_claim_update(obj, old)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """What a volume gave, and how far its resizing is."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    if not obj.get("spec", {}).get("accessModes"):
        yield Fault.required(Path("Spec").child("accessModes"))
    status = obj.get("status", {})
    for name, amount in (status.get("capacity") or {}).items():
        yield from validate_not_negative(amount, _STATUS.child("capacity").key(name))
    path = _STATUS.child("allocatedResourceStatuses")
    for name, state in (status.get("allocatedResourceStatuses") or {}).items():
        yield from _validate_resized(name, path)
        if state not in _RESIZING:
            yield Fault.not_supported(path, name, sorted(_RESIZING))
    path = _STATUS.child("allocatedResources")
    for name, amount in (status.get("allocatedResources") or {}).items():
        faults = list(_validate_resized(name, path))
        yield from faults or validate_not_negative(amount, path.key(name))


def validate_spec(
    spec: Object, path: Path, *, any_values: bool = False, any_group: bool = False
) -> Iterator[Fault]:
    """What is claimed; an update may keep odd values in a selector, and odd groups of a source."""
    if not spec.get("accessModes"):
        yield Fault.required(path.child("accessModes"), "at least 1 access mode is required")
    yield from validate_selector(spec.get("selector"), path.child("selector"), any_values=any_values)
    yield from validate_access_modes(spec.get("accessModes") or (), path.child("accessModes"))
    requested = (spec.get("resources", {}).get("requests") or {}).get("storage")
    where = path.child("resources").key("storage")
    if requested is None:
        yield Fault.required(where)
    elif quantity(requested) <= 0:
        yield Fault.invalid(where, str(quantity(requested)), NOT_POSITIVE)
    yield from validate_class(spec.get("storageClassName"), path.child("storageClassName"))
    mode = spec.get("volumeMode")
    if mode is not None and mode not in VOLUME_MODES:
        yield Fault.not_supported(path.child("volumeMode"), mode, VOLUME_MODES)
    yield from _validate_sources(spec, path, any_group=any_group)
    attributes = spec.get("volumeAttributesClassName")
    yield from validate_class(attributes, path.child("volumeAttributesClassName"))


def validate_access_modes(modes: Sequence[str], path: Path) -> Iterator[Fault]:
    """How a volume may be mounted: by one pod alone, or in other ways."""
    for mode in modes:
        if mode not in ACCESS_MODES:
            yield Fault.not_supported(path, mode, ACCESS_MODES)
    known = set(modes).intersection(ACCESS_MODES)
    if "ReadWriteOncePod" in known and len(known) > 1:
        yield Fault.forbidden(path, "may not use ReadWriteOncePod with other access modes")


def validate_class(name: str | None, path: Path) -> Iterator[Fault]:
    """The name of a class, if there is one."""
    for problem in dns_subdomain(name) if name else ():
        yield Fault.invalid(path, name, problem)


def validate_not_negative(amount: str, path: Path) -> Iterator[Fault]:
    """A quantity that is not negative; fractions count as wholes."""
    if int(quantity(amount)) < 0:
        yield Fault.invalid(path, int(quantity(amount)), "must be a valid resource quantity")


def _validate_sources(spec: Object, path: Path, *, any_group: bool) -> Iterator[Fault]:
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    for name in ("dataSource", "dataSourceRef"):
        if spec.get(name) is not None:
            yield from _validate_source(spec[name], path.child(name), any_group=any_group)
    if source is None or reference is None:
        return
    if reference.get("namespace"):
        detail = "may not be specified when dataSourceRef.namespace is specified"
        yield Fault.invalid(path, {}, detail)
    elif any(source.get(name) != reference.get(name) for name in _SOURCE):
        yield Fault.invalid(path, {}, "must match dataSourceRef")


def _validate_source(source: Object, path: Path, *, any_group: bool) -> Iterator[Fault]:
    group, kind = source.get("apiGroup") or "", source.get("kind", "")
    for name in ("name", "kind"):
        if not source.get(name):
            yield Fault.required(path.child(name))
    if not group and kind != "PersistentVolumeClaim":
        detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
        yield Fault.invalid(path, kind, detail)
    for problem in dns_subdomain(group) if group and not any_group else ():
        yield Fault.invalid(path.child("apiGroup"), group, problem)
    namespace = source.get("namespace") or ""
    for problem in dns_label(namespace) if namespace else ():
        yield Fault.invalid(path.child("namespace"), namespace, problem)


def _validate_resized(name: str, path: Path) -> Iterator[Fault]:
    problems = label_key(name)
    for problem in problems:
        yield Fault.invalid(path, name, problem)
    if not problems and is_native(name) and name != "storage":
        yield Fault.not_supported(path, name, ["storage"])
