"""Pods: what may be created, and the little that may change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.container import validate_image_space
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.pod_annotation import (
    MIRROR,
    validate_annotation_update,
    validate_pod_annotations,
)
from windlass.apiserver.validation.pod_options import STRICT_POD, PodOptions, relaxed
from windlass.apiserver.validation.pod_resize import validate_resize_of
from windlass.apiserver.validation.pod_spec import located_containers, validate_pod_spec
from windlass.apiserver.validation.pod_status import validate_pod_status
from windlass.apiserver.validation.pod_update import validate_spec_update
from windlass.apiserver.validation.same import same
from windlass.apiserver.validation.security_profile import validate_profile_agreement
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

SPEC: Final = Path("spec")
ANNOTATIONS: Final = METADATA.child("annotations")


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A Pod that is created or updated."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    if old is None:
        yield from _validate_contents(obj, STRICT_POD)
        yield from _validate_new(obj)
        return
    yield from _validate_changed(obj, old)
    yield from validate_annotation_update(_annotations(obj), _annotations(old), ANNOTATIONS)
    if obj.get("spec") != old.get("spec"):
        yield from validate_spec_update(obj.get("spec", {}), old.get("spec", {}), SPEC)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A Pod whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_annotation_update(_annotations(obj), _annotations(old), ANNOTATIONS)
    if _annotations(obj) != _annotations(old):
        yield from validate_pod_annotations(_annotations(obj), obj.get("spec", {}), ANNOTATIONS, _kept(old))
    yield from validate_pod_status(obj, old, Path("status"))


def validate_ephemeralcontainers(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A Pod that gets more ephemeral containers: those that it has stay as they are."""
    if MIRROR in _annotations(old):
        yield Fault.forbidden("[]", "static pods do not support ephemeral containers")
        return
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from _validate_changed(obj, old)
    yield from validate_annotation_update(_annotations(obj), _annotations(old), ANNOTATIONS)
    path = SPEC.child("ephemeralContainers")
    new = {each.get("name", ""): each for each in obj.get("spec", {}).get("ephemeralContainers", ())}
    for container in old.get("spec", {}).get("ephemeralContainers", ()):
        name = container.get("name", "")
        if name not in new:
            yield Fault.forbidden(path, f'existing ephemeral containers "{name}" may not be removed\n')
        elif not same(new[name], container):
            yield Fault.forbidden(path, f'existing ephemeral containers "{name}" may not be changed\n')


def validate_resize(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A Pod whose containers get more, or less, to run with."""
    faults = [*validate_object_meta(obj, old, dns_subdomain), *_validate_contents(obj, _kept(old))]
    if MIRROR in _annotations(old):
        yield Fault.forbidden("[]", "static pods cannot be resized")
    elif old.get("spec", {}).get("os", {}).get("name") == "windows":
        yield Fault.forbidden("[]", "windows pods cannot be resized")
    else:
        yield from faults
        yield from validate_resize_of(obj, old)


def _annotations(pod: Fields) -> Mapping[str, str]:
    found: Mapping[str, str] = pod.get("metadata", {}).get("annotations") or {}
    return found


def _kept(old: Fields) -> PodOptions:
    return relaxed(STRICT_POD, old.get("spec", {}), _annotations(old))


def _validate_changed(obj: Fields, old: Fields) -> Iterator[Fault]:
    """Spec and annotations of an update; what has not changed has been checked before."""
    if obj.get("spec") == old.get("spec") and _annotations(obj) == _annotations(old):
        return
    faults = list(_validate_contents(obj, STRICT_POD))
    yield from _validate_contents(obj, _kept(old)) if faults else ()


def _validate_contents(obj: Fields, options: PodOptions) -> Iterator[Fault]:
    meta, spec = obj.get("metadata", {}), obj.get("spec", {})
    if _annotations(obj):
        yield from validate_pod_annotations(_annotations(obj), spec, ANNOTATIONS, options)
    yield from validate_pod_spec(spec, SPEC, options, meta)
    if not spec.get("serviceAccountName"):
        yield from _validate_tokens(spec)
    for kind in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            if container.get("image", "").strip() != container.get("image", ""):
                yield from validate_image_space(container, SPEC.child(kind).index(index))


def _validate_tokens(spec: Fields) -> Iterator[Fault]:
    for index, volume in enumerate(spec.get("volumes", ())):
        for position, source in enumerate(volume.get("projected", {}).get("sources") or ()):
            if "serviceAccountToken" in source:
                where = SPEC.child("volumes").index(index).child("projected", "sources").index(position)
                detail = "must not be specified when serviceAccountName is not set"
                yield Fault.forbidden(where.child("serviceAccountToken"), detail)


def _validate_new(obj: Fields) -> Iterator[Fault]:
    spec = obj.get("spec", {})
    if spec.get("ephemeralContainers"):
        yield Fault.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        detail = "cannot be set until all schedulingGates have been cleared"
        yield Fault.forbidden(SPEC.child("nodeName"), detail)
    if _annotations(obj):
        containers = located_containers(spec, SPEC)
        yield from validate_profile_agreement(_annotations(obj), spec, containers, SPEC)
