"""Templates of pods, in workloads and on their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import validate_annotations, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.pod_annotation import validate_pod_annotations
from windlass.apiserver.validation.pod_options import STRICT, PodOptions, relaxed
from windlass.apiserver.validation.pod_spec import located_containers, validate_pod_spec
from windlass.apiserver.validation.security_profile import validate_profile_agreement
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A PodTemplate."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    before = None if old is None else old.get("template", {})
    yield from validate_template(obj.get("template", {}), before, Path("template"))


def validate_template(template: Fields, old: Fields | None, path: Path) -> Iterator[Fault]:
    """A template; one that an update leaves as it was has been checked before.

    What the old template had may stay although new ones may not have it, so a fault is looked at twice.
    """
    if template == old:
        return
    faults = list(_validate(template, path, STRICT))
    if faults and old is not None:
        options = relaxed(STRICT, old.get("spec", {}), old.get("metadata", {}).get("annotations", {}))
        faults = list(_validate(template, path, options))
    yield from faults


def _validate(template: Fields, path: Path, options: PodOptions) -> Iterator[Fault]:
    meta, spec = template.get("metadata", {}), template.get("spec", {})
    yield from validate_labels(meta.get("labels"), path.child("labels"))
    annotations = meta.get("annotations")
    if annotations:
        yield from validate_annotations(annotations, path.child("annotations"))
        yield from validate_pod_annotations(annotations, spec, path.child("annotations"), options)
    yield from validate_pod_spec(spec, path.child("spec"), options)
    if annotations:
        where = path.child("spec")
        containers = located_containers(spec, where)
        yield from validate_profile_agreement(annotations, spec, containers, where)
    if spec.get("ephemeralContainers"):
        detail = "ephemeral containers not allowed in pod template"
        yield Fault.forbidden(path.child("spec", "ephemeralContainers"), detail)
