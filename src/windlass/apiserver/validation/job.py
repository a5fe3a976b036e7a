"""Jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.job_policy import FAILURE, SUCCESS
from windlass.apiserver.validation.job_spec import validate_job_spec
from windlass.apiserver.validation.job_status import is_true, validate_job_status
from windlass.apiserver.validation.label import (
    has_odd_value,
    matches,
    shown_labels,
    shown_selector,
    validate_selector,
)
from windlass.apiserver.validation.meta import IMMUTABLE, METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.same import same
from windlass.apiserver.validation.workload import SPEC, validate_labels_match
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_UID_LABELS: Final = ("controller-uid", "batch.kubernetes.io/controller-uid")
_NAME_LABELS: Final = ("job-name", "batch.kubernetes.io/job-name")
_IMMUTABLE: Final = (
    "completionMode",
    "podFailurePolicy",
    "backoffLimitPerIndex",
    "managedBy",
    "successPolicy",
)
_POLICIES: Final[dict[str, Mapping[str, Any]]] = {"podFailurePolicy": FAILURE, "successPolicy": SUCCESS}
_SCHEDULING: Final = ("nodeSelector", "tolerations", "schedulingGates")


def validate(obj: Fields, old: Fields | None) -> Iterator[Fault]:
    """A Job that is created or updated; its selector has been generated where it was not chosen."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    spec, before = obj.get("spec", {}), None if old is None else old.get("spec", {})
    if spec.get("selector") is not None and not spec.get("manualSelector"):
        yield from _validate_generated(obj, before)
    yield from validate_job_spec(spec, before, SPEC)
    yield from _validate_selector(spec, before)
    yield from _validate_host_names(obj)
    if old is not None and before is not None:
        yield from _validate_update(spec, before, old)


def validate_status(obj: Fields, old: Fields) -> Iterator[Fault]:
    """A Job whose status is written."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    yield from validate_job_status(obj, old)


def _validate_generated(obj: Fields, before: Fields | None) -> Iterator[Fault]:
    """The labels that the server gives to the pods of a job, and the selector of them."""
    meta, spec = obj.get("metadata", {}), obj.get("spec", {})
    uid, name = meta.get("uid", ""), meta.get("name", "")
    if not uid:
        yield Fault.required(METADATA.child("uid"))
    had = {} if before is None else before.get("template", {}).get("metadata", {}).get("labels", {})
    count = 2 if before is None or {_UID_LABELS[1], _NAME_LABELS[1]} <= had.keys() else 1
    labels = spec.get("template", {}).get("metadata", {}).get("labels") or {}
    expected: dict[str, str] = {}
    for index in range(count):
        for key, value in ((_UID_LABELS[index], uid), (_NAME_LABELS[index], name)):
            expected[key] = value
            if labels.get(key) != value:
                yield _missing_label(key, value, labels)
    selector = spec["selector"]
    if not any(validate_selector(selector, SPEC)) and not matches(selector, expected):
        detail = "`selector` not auto-generated"
        yield Fault.invalid(SPEC.child("selector"), shown_selector(selector), detail)


def _missing_label(key: str, value: str, labels: Mapping[str, str]) -> Fault:
    path = SPEC.child("template", "metadata", "labels").key(key)
    if key in labels:
        return Fault.invalid(path, shown_labels(labels), f"must be '{value}'")
    return Fault.required(path, f"must be '{value}'")


def _validate_selector(spec: Fields, before: Fields | None) -> Iterator[Fault]:
    selector, path = spec.get("selector"), SPEC.child("selector")
    if selector is None:
        yield Fault.required(path)
    any_values = before is not None and has_odd_value(before.get("selector"))
    yield from validate_selector(selector, path, any_values=any_values)
    if not any(validate_selector(selector, path)):
        yield from validate_labels_match(spec, spec.get("template", {}), SPEC.child("template"))


def _validate_host_names(obj: Fields) -> Iterator[Fault]:
    """The pods of an indexed job are hosts that are called after it."""
    spec, name = obj.get("spec", {}), obj.get("metadata", {}).get("name", "")
    completions = spec.get("completions") or 0
    if spec.get("completionMode") == "Indexed" and completions > 0:
        longest = f"{name}-{completions - 1}"
        if dns_label(longest):
            detail = f"will not able to create pod with invalid DNS label: {longest}"
            yield Fault.invalid(METADATA.child("name"), name, detail)


def _validate_update(spec: Fields, before: Fields, old: Fields) -> Iterator[Fault]:
    yield from _validate_completions(spec, before, SPEC.child("completions"))
    if spec.get("selector") != before.get("selector"):
        yield Fault.invalid(SPEC.child("selector"), shown_selector(spec.get("selector")), IMMUTABLE)
    yield from _validate_template_update(spec.get("template", {}), before.get("template", {}), old)
    for name in _IMMUTABLE:
        value = spec.get(name)
        if not same(value, before.get(name)):
            policy = _POLICIES.get(name)
            shown = as_declared({"rules": value.get("rules") or []}, policy) if value and policy else value
            yield Fault.invalid(SPEC.child(name), shown, IMMUTABLE)


def _validate_completions(spec: Fields, before: Fields, path: Path) -> Iterator[Fault]:
    now = spec.get("completions")
    if now == before.get("completions"):
        return
    if spec.get("completionMode") != "Indexed":
        yield Fault.invalid(path, now, IMMUTABLE)
    elif now is not None and now != spec.get("parallelism"):
        yield Fault.invalid(path, now, "can only be modified in tandem with spec.parallelism")


def _validate_template_update(new: Fields, old: Fields, job: Fields) -> Iterator[Fault]:
    """A template stays; that of a suspended job may still say where its pods go and what they need."""
    if same(new, old):
        return
    suspended = bool(job.get("spec", {}).get("suspend"))
    status = job.get("status", {})
    idle = "startTime" not in status or is_true(status, "Suspended")
    mutable = suspended and idle and not status.get("active")
    if not mutable:
        yield Fault.invalid(SPEC.child("template"), new, IMMUTABLE)
        return
    if not same(new.get("spec", {}), _with_scheduling(old, new)):
        yield Fault.invalid(SPEC.child("template.spec"), new.get("spec", {}), IMMUTABLE)


def _with_scheduling(old: Fields, new: Fields) -> dict[str, Any]:
    """The old pods' spec with all of the new one's that may change."""
    pod, wanted = dict(old.get("spec", {})), new.get("spec", {})
    for name in _SCHEDULING:
        pod[name] = wanted.get(name)
    affinity = {**pod.get("affinity", {}), "nodeAffinity": wanted.get("affinity", {}).get("nodeAffinity")}
    pod["affinity"] = {name: value for name, value in affinity.items() if value is not None} or None
    for kind in ("containers", "initContainers"):
        ours, theirs = pod.get(kind) or (), wanted.get(kind) or ()
        if len(ours) == len(theirs):
            pod[kind] = [_with_resources(one, two) for one, two in zip(ours, theirs, strict=True)]
    return {name: value for name, value in pod.items() if value is not None}


def _with_resources(old: Fields, new: Fields) -> Fields:
    if old.get("name") != new.get("name"):
        return old
    return {**old, "resources": new.get("resources")}
