"""Pods, and the kinds that make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.apparmor import PROFILE, profile_of
from windlass.apiserver.validation.names import dns_label
from windlass.apiserver.warning.pod import NO_PROFILE, located_containers, pod_warnings
from windlass.apiserver.warning.storage import claim_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_POOR: Final = "which can result in surprising behavior; a DNS label is recommended"
_MANY_COMPLETIONS: Final = 100_000
_MANY_AT_ONCE: Final = 10_000
_TEMPLATE_GENERATION: Final = "deprecated.daemonset.template.generation"


def pod(obj: Object, old: Object | None) -> Iterator[str]:
    """A new pod; changes of pods are the work of programs, which read no warnings."""
    if old is not None:
        return
    yield from _poor_name(obj, "the Pod's hostname")
    yield from pod_warnings(obj, "")
    yield from _old_profiles(obj)


def named_workload(obj: Object, old: Object | None) -> Iterator[str]:
    """A Deployment or ReplicaSet."""
    if old is None:
        yield from _poor_name(obj, "Pod names and hostnames")
    if old is None or _counted(obj, old):
        yield from _template(obj["spec"], "spec")


def replication_controller(obj: Object, old: Object | None) -> Iterator[str]:
    """A ReplicationController; of a change, the real server warns of what was there before."""
    if old is None:
        yield from _poor_name(obj, "Pod names and hostnames")
        yield from _template(obj["spec"], "spec")
    elif _counted(obj, old):
        yield from _template(old["spec"], "spec")


def pod_template(obj: Object, old: Object | None) -> Iterator[str]:
    """A PodTemplate."""
    if old is None or _counted(obj, old):
        yield from _template(obj, "")


def daemon_set(obj: Object, old: Object | None) -> Iterator[str]:
    """A DaemonSet."""
    generations = [
        each["metadata"].get("annotations", {}).get(_TEMPLATE_GENERATION) for each in (obj, old) if each
    ]
    if old is None or generations[0] != generations[1]:
        yield from _template(obj["spec"], "spec")


def stateful_set(obj: Object, old: Object | None) -> Iterator[str]:
    """A StatefulSet, and the claims that it makes."""
    spec = obj["spec"]
    if old is None or _counted(obj, old):
        yield from _template(spec, "spec")
    suffix = "" if old is None else ".Spec"
    for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
        yield from claim_spec(claim.get("spec", {}), f"spec.volumeClaimTemplates[{index}]{suffix}")
    if spec.get("revisionHistoryLimit", 0) < 0:
        yield (
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; "
            "a value >= 0 is recommended"
        )


def job(obj: Object, old: Object | None) -> Iterator[str]:
    """A Job."""
    if old is None:
        yield from _poor_name(obj, "Pod names and hostnames")
    if old is None or _counted(obj, old):
        yield from _job_spec(obj["spec"], "spec")


def cron_job(obj: Object, old: Object | None) -> Iterator[str]:
    """A CronJob."""
    spec = obj["spec"]
    if old is None:
        yield from _poor_name(obj, "Pod names and hostnames")
    if old is None or _counted(obj, old):
        yield from _job_spec(spec["jobTemplate"].get("spec", {}), "spec.jobTemplate.spec")
    if old is not None and "TZ" in spec.get("schedule", ""):
        yield (
            "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
            "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
        )


def _job_spec(spec: Object, path: str) -> Iterator[str]:
    many = spec.get("completions", 0) > _MANY_COMPLETIONS and spec.get("parallelism", 0) > _MANY_AT_ONCE
    if spec.get("completionMode") == "Indexed" and many:
        yield (
            f"{path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher "
            "than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes "
            "fail"
        )
    yield from _template(spec, path)


def _template(spec: Object, path: str) -> Iterator[str]:
    template = spec.get("template")
    if template is None:
        return
    where = f"{path}.template" if path else "template"
    yield from pod_warnings(template, where)


def _old_profiles(pod: Object) -> Iterator[str]:
    """Annotations that named a profile, or that named none."""
    annotations = pod["metadata"].get("annotations") or {}
    if not any(key.startswith(PROFILE) for key in annotations):
        return
    spec = pod["spec"]
    whole = (spec.get("securityContext") or {}).get("appArmorProfile")
    for container, _ in located_containers(spec, ""):
        key = PROFILE + container["name"]
        profile = profile_of(annotations.get(key))
        if key in annotations and (profile is None or profile != whole):
            yield f"metadata.annotations[{key}]: {NO_PROFILE}"


def _poor_name(obj: Object, used: str) -> Iterator[str]:
    problems = dns_label(obj["metadata"].get("name", ""))
    if problems:
        yield f"metadata.name: this is used in {used}, {_POOR}: [{' '.join(problems)}]"


def _counted(obj: Object, old: Object) -> bool:
    return bool(obj["metadata"].get("generation") != old["metadata"].get("generation"))
