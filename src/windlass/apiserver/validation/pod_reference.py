"""References from a pod to its own fields and resources, for variables and for downward files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import label_key
from windlass.apiserver.validation.resource import quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

VARIABLE_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
"""The fields that an environment variable can hold, sorted."""

FILE_FIELDS: Final = (
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
)
"""The fields that a file can hold, sorted."""

_KNOWN: Final = {
    *VARIABLE_FIELDS,
    *FILE_FIELDS,
    "spec.host",
    "spec.restartPolicy",
    "spec.schedulerName",
    "status.phase",
}
_SUBSCRIPTED: Final = ("metadata.annotations", "metadata.labels")
_RESOURCES: Final = tuple(
    f"{side}.{name}" for side in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory")
)
_HUGE_PAGES: Final = ("limits.hugepages-", "requests.hugepages-")
_SIZES: Final = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"]
_MEASURED: Final = {"cpu": "cpu", "memory": "memory", "ephemeral-storage": "local ephemeral storage"}


def validate_field_reference(
    reference: Mapping[str, Any], path: Path, supported: Sequence[str]
) -> Iterator[Fault]:
    """A reference to a field of the pod; `supported` are those that can be asked for as a whole."""
    for name in ("apiVersion", "fieldPath"):
        if not reference.get(name):
            yield Fault.required(path.child(name))
            return
    asked = reference["fieldPath"]
    field, key = _subscripted(asked)
    problem = _unknown(reference["apiVersion"], asked, field, key)
    if problem:
        yield Fault.invalid(path.child("fieldPath"), asked, f"error converting fieldPath: {problem}")
    elif key is not None:
        key = key.lower() if field == "metadata.annotations" else key
        for wrong in label_key(key):
            yield Fault.invalid(path, key, wrong)
    elif (field := "spec.nodeName" if field == "spec.host" else field) not in supported:
        yield Fault.not_supported(path.child("fieldPath"), field, supported)


def validate_resource_reference(
    reference: Mapping[str, Any], path: Path, *, needs_container: bool
) -> Iterator[Fault]:
    """A reference to a container's limit or request, and what it is divided by."""
    resource = reference.get("resource", "")
    if needs_container and not reference.get("containerName"):
        yield Fault.required(path.child("containerName"))
    elif not resource:
        yield Fault.required(path.child("resource"))
    elif resource not in _RESOURCES and not resource.startswith(_HUGE_PAGES):
        yield Fault.not_supported(path.child("resource"), resource, _RESOURCES)
    divisor = quantity(reference.get("divisor", "0"))
    if divisor:
        yield from _validate_divisor(resource, str(divisor), path.child("divisor"))


def _subscripted(asked: str) -> tuple[str, str | None]:
    """A field and the key asked for: `metadata.labels` and `app` of `metadata.labels['app']`."""
    if asked.endswith("']"):
        field, bracket, key = asked.removesuffix("']").partition("['")
        if bracket and field:
            return field, key
    return asked, None


def _unknown(version: str, asked: str, field: str, key: str | None) -> str:
    if version != "v1":
        return f"unsupported pod version: {version}"
    if key is not None:
        return "" if field in _SUBSCRIPTED else f"field label does not support subscript: {asked}"
    return "" if field in _KNOWN else f"field label not supported: {asked}"


def _validate_divisor(resource: str, divisor: str, path: Path) -> Iterator[Fault]:
    if resource in _RESOURCES:
        of = _MEASURED[resource.partition(".")[2]]
    elif resource.startswith(_HUGE_PAGES):
        of = "hugepages"
    else:
        return
    if divisor not in ("1m", "1") if of == "cpu" else divisor not in _SIZES:
        sizes = "1m and 1" if of == "cpu" else ", ".join(_SIZES)
        detail = f"only divisor's values {sizes} are supported with the {of} resource"
        yield Fault.invalid(path, resource, detail)
