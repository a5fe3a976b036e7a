"""StatefulSets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import shown_selector, validate_labels
from windlass.apiserver.validation.meta import validate_annotations, validate_object_meta
from windlass.apiserver.validation.names import dns_label
from windlass.apiserver.validation.number import nonnegative, share, validate_at_most_all, validate_share
from windlass.apiserver.validation.pod_template import validate_template
from windlass.apiserver.validation.same import same
from windlass.apiserver.validation.volume_file import validate_claim_spec
from windlass.apiserver.validation.workload import (
    SPEC,
    STATUS,
    check_selector,
    validate_at_most,
    validate_collisions,
    validate_forever,
    validate_labels_match,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_RETAINED: Final = ("whenDeleted", "whenScaled")
_RETENTIONS: Final = ("Retain", "Delete")
_CHANGEABLE: Final = frozenset(
    {
        "replicas",
        "template",
        "updateStrategy",
        "minReadySeconds",
        "ordinals",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
    }
)
_FORBIDDEN: Final = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
_PARTS: Final = ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas")


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A StatefulSet that is created or updated."""
    yield from validate_object_meta(obj, old, dns_label)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    yield from _validate_policies(spec)
    if before is None:
        for index, claim in enumerate(spec.get("volumeClaimTemplates", ())):
            where = SPEC.child("volumeClaimTemplates").index(index).child("spec")
            yield from validate_claim_spec(claim.get("spec", {}), where)
    yield from nonnegative(spec, ("replicas", "minReadySeconds"), SPEC)
    yield from nonnegative(spec.get("ordinals", {}), ("start",), SPEC.child("ordinals"))
    service = spec.get("serviceName", "")
    for problem in dns_label(service) if service and before is None else ():
        yield Fault.invalid(SPEC.child("serviceName"), service, problem)
    yield from _validate_selected(spec, before)
    yield from validate_forever(spec.get("template", {}), SPEC.child("template"), "StatefulSet")
    if before is not None and not same(_fixed(spec), _fixed(before)):
        yield Fault.forbidden(SPEC, _FORBIDDEN)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A StatefulSet whose status is written."""
    status = obj.get("status", {})
    yield from validate_object_meta(obj, old, dns_label)
    yield from nonnegative(status, ("replicas", *_PARTS, "observedGeneration", "collisionCount"), STATUS)
    yield from validate_at_most(status, _PARTS, "replicas")
    yield from validate_at_most(status, ("availableReplicas",), "readyReplicas")
    yield from validate_collisions(status, old.get("status", {}))


def _fixed(spec: Fields) -> dict[str, Any]:
    return {name: value for name, value in spec.items() if name not in _CHANGEABLE}


def _validate_policies(spec: Fields) -> Iterator[Fault]:
    management = spec.get("podManagementPolicy", "")
    if not management:
        yield Fault.required(SPEC.child("podManagementPolicy"))
    elif management not in ("OrderedReady", "Parallel"):
        detail = "must be 'OrderedReady' or 'Parallel'"
        yield Fault.invalid(SPEC.child("podManagementPolicy"), management, detail)
    yield from _validate_strategy(spec.get("updateStrategy", {}), SPEC.child("updateStrategy"))
    retention = spec.get("persistentVolumeClaimRetentionPolicy", dict.fromkeys(_RETAINED, "Retain"))
    for name in _RETAINED:
        policy = retention.get(name, "")
        if policy not in _RETENTIONS:
            where = SPEC.child("persistentVolumeClaimRetentionPolicy", name)
            yield Fault.not_supported(where, policy, _RETENTIONS)


def _validate_strategy(strategy: Fields, path: Path) -> Iterator[Fault]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    if not kind:
        yield Fault.required(path)
    elif kind == "OnDelete":
        if rolling is not None:
            detail = "only allowed for updateStrategy 'RollingUpdate'"
            yield Fault.invalid(path.child("rollingUpdate"), _shown(rolling), detail)
    elif kind != "RollingUpdate":
        shown = {"Type": kind, "RollingUpdate": None if rolling is None else _shown(rolling)}
        yield Fault.invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")
    elif rolling is not None:
        yield from _validate_rolling(rolling, path.child("rollingUpdate"))


def _validate_rolling(rolling: Fields, path: Path) -> Iterator[Fault]:
    yield from nonnegative(rolling, ("partition",), path)
    unavailable = rolling.get("maxUnavailable")
    if unavailable is None:
        return
    where = path.child("maxUnavailable")
    yield from validate_share(unavailable, where)
    if share(unavailable) == 0:
        yield Fault.invalid(where, unavailable, "cannot be 0")
    yield from validate_at_most_all(unavailable, where)


def _shown(rolling: Fields) -> dict[str, Any]:
    return {"Partition": rolling.get("partition", 0), "MaxUnavailable": rolling.get("maxUnavailable")}


def _validate_selected(spec: Fields, before: Fields | None) -> Iterator[Fault]:
    usable, faults = check_selector(spec, SPEC.child("selector"), "statefulset")
    yield from faults
    if not usable:
        yield Fault.invalid(SPEC.child("selector"), shown_selector(spec["selector"]))
        return
    path, template = SPEC.child("template"), _as_made(spec)
    yield from validate_labels_match(spec, template, path)
    yield from validate_template(template, None if before is None else _as_made(before), path)
    meta = template.get("metadata", {})
    yield from validate_labels(meta.get("labels"), path.child("labels"))
    yield from validate_annotations(meta.get("annotations"), path.child("annotations"))


def _as_made(spec: Fields) -> dict[str, Any]:
    """The template as the controller will use it: with the claims as volumes, with names of its own."""
    template = dict(spec.get("template", {}))
    pod = {
        name: value
        for name, value in template.get("spec", {}).items()
        if name not in ("subdomain", "hostname")
    }
    claims = [claim.get("metadata", {}).get("name", "") for claim in spec.get("volumeClaimTemplates", ())]
    if claims:
        made = [
            {"name": name, "persistentVolumeClaim": {"claimName": name}} for name in dict.fromkeys(claims)
        ]
        others = [volume for volume in pod.get("volumes", ()) if volume.get("name", "") not in claims]
        pod["volumes"] = made + others
    return template | {"spec": pod}
