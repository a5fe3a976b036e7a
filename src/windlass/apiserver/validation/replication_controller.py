"""ReplicationControllers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.label import shown_labels
from windlass.apiserver.validation.meta import METADATA, validate_object_meta, validate_prefix
from windlass.apiserver.validation.names import dns_subdomain, dns_subdomain_in_bytes, path_segment
from windlass.apiserver.validation.number import nonnegative
from windlass.apiserver.validation.pod_template import validate_template
from windlass.apiserver.validation.replica_set import validate_replica_counts
from windlass.apiserver.validation.workload import MISMATCH, SPEC, validate_forever
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A ReplicationController that is created or updated.

    Its name is checked by newer rules than others: measured in bytes, and, where it only begins one, as part
    of a path.
    """
    meta = obj.get("metadata", {})
    whole = {name: value for name, value in meta.items() if name != "generateName"}
    yield from validate_prefix(meta, METADATA, path_segment)
    yield from validate_object_meta({"metadata": whole}, old, dns_subdomain_in_bytes)
    spec, before = obj.get("spec", {}), {} if old is None else old.get("spec", {})
    yield from nonnegative(spec, ("minReadySeconds",), SPEC)
    selector, template = spec.get("selector"), spec.get("template")
    if not selector:
        yield Fault.required(SPEC.child("selector"))
    if "replicas" not in spec:
        yield Fault.required(SPEC.child("replicas"))
    yield from nonnegative(spec, ("replicas",), SPEC)
    path = SPEC.child("template")
    if template is None:
        yield Fault.required(path)
        return
    labels = template.get("metadata", {}).get("labels") or {}
    if any(labels.get(key) != value for key, value in (selector or {}).items()):
        yield Fault.invalid(path.child("metadata", "labels"), shown_labels(labels), MISMATCH)
    yield from validate_template(template, before.get("template"), path)
    yield from validate_forever(template, path, "ReplicationController")


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A ReplicationController whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_replica_counts(obj.get("status", {}))
