"""Whether live objects are ready, by the rules that Helm and Flux wait by (kstatus).

An object is ready when its controllers have done what its specification says. A Job is once it has started,
a Service of type LoadBalancer once it has an address inside the cluster. Unlike kstatus, a Pod that failed
is not ready.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.helm.manifest import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from windlass.api import Json

    Rule = Callable[[Json, Json], Iterator[str]]

_MOST: Final = 5
_NO_DEADLINE: Final = 2**31 - 1  # says that a Deployment may take for ever, and then reports no progress


class Readiness(NamedTuple):
    """Whether an object is ready; if it is not, what it waits for."""

    ready: bool
    message: str = ""


def readiness(obj: Json) -> Readiness:
    """Whether a live object is ready, and if not, why: "1 of 3 replicas are available"."""
    which = identity(obj)
    rule = _RULES.get((which.group, which.kind), _custom)
    for check in (_common, rule):
        for message in check(_map(obj, "spec"), obj):
            return Readiness(ready=False, message=message)
    return Readiness(ready=True)


def summary(objects: Iterable[Json]) -> str:
    """What a release waits for: "Deployment shop: 1 of 3 replicas are available"; empty if all are ready.

    Where many are not, the first few are named.
    """
    found = ((identity(obj), readiness(obj)) for obj in objects)
    told = [f"{which}: {said.message}" for which, said in found if not said.ready]
    more = [f"{len(told) - _MOST} more are not ready"] if len(told) > _MOST else []
    return "; ".join(told[:_MOST] + more)


def _common(_: Json, obj: Json) -> Iterator[str]:
    """What holds for every kind."""
    metadata, status = _map(obj, "metadata"), _map(obj, "status")
    if metadata.get("deletionTimestamp"):
        yield "it is being deleted"
    observed, generation = status.get("observedGeneration"), metadata.get("generation")
    if None not in (observed, generation) and observed != generation:
        yield "its last change is not observed yet"
    conditions = _conditions(obj)
    for name in ("Stalled", "Reconciling"):
        if _status(conditions, name) == "True":
            yield _text(conditions[name])


def _custom(_: Json, obj: Json) -> Iterator[str]:
    conditions = _conditions(obj)
    if _status(conditions, "Ready") not in ("", "True"):
        yield _text(conditions["Ready"])


def _deployment(spec: Json, obj: Json) -> Iterator[str]:
    wanted, status, conditions = _number(spec, "replicas", 1), _map(obj, "status"), _conditions(obj)
    progress = conditions.get("Progressing", {})
    if progress.get("reason") == "ProgressDeadlineExceeded":
        yield _text(progress)
    yield from _fewer(status, "updatedReplicas", wanted, "replicas are updated")
    yield from _more(status, "replicas", wanted)
    yield from _fewer(status, "availableReplicas", wanted, "replicas are available")
    yield from _fewer(status, "readyReplicas", wanted, "replicas are ready")
    has_deadline = _number(spec, "progressDeadlineSeconds", _NO_DEADLINE) != _NO_DEADLINE
    if has_deadline and (progress.get("status"), progress.get("reason")) != (
        "True",
        "NewReplicaSetAvailable",
    ):
        yield _text(progress) if progress else "its pods are being replaced"
    if _status(conditions, "Available") != "True":
        yield _text(conditions.get("Available", {})) or "it is not available"


def _stateful_set(spec: Json, obj: Json) -> Iterator[str]:
    strategy = _map(spec, "updateStrategy")
    if strategy.get("type") == "OnDelete":
        return
    wanted, status = _number(spec, "replicas", 1), _map(obj, "status")
    partition = _map(strategy, "rollingUpdate").get("partition")
    yield from _fewer(status, "readyReplicas", wanted, "replicas are ready")
    yield from _more(status, "replicas", wanted)
    if isinstance(partition, int):
        yield from _fewer(status, "updatedReplicas", wanted - partition, "replicas are updated")
        return
    yield from _fewer(status, "currentReplicas", wanted, "replicas are updated")
    if status.get("currentRevision") != status.get("updateRevision"):
        yield "its pods are being replaced"


def _replica_set(spec: Json, obj: Json) -> Iterator[str]:
    wanted, status, conditions = _number(spec, "replicas", 1), _map(obj, "status"), _conditions(obj)
    if _status(conditions, "ReplicaFailure") == "True":
        yield _text(conditions["ReplicaFailure"])
    yield from _fewer(status, "availableReplicas", wanted, "replicas are available")
    yield from _fewer(status, "readyReplicas", wanted, "replicas are ready")
    yield from _fewer(status, "fullyLabeledReplicas", wanted, "replicas are labelled")
    yield from _more(status, "replicas", wanted)


def _daemon_set(_: Json, obj: Json) -> Iterator[str]:
    status = _map(obj, "status")
    wanted = status.get("desiredNumberScheduled")
    if wanted is None or status.get("observedGeneration") is None:
        yield "it is not observed yet"
        return
    yield from _fewer(status, "currentNumberScheduled", wanted, "pods are scheduled")
    yield from _fewer(status, "updatedNumberScheduled", wanted, "pods are updated")
    yield from _fewer(status, "numberAvailable", wanted, "pods are available")
    yield from _fewer(status, "numberReady", wanted, "pods are ready")


def _job(_: Json, obj: Json) -> Iterator[str]:
    conditions = _conditions(obj)
    if _status(conditions, "Failed") == "True":
        yield f"it failed: {_text(conditions['Failed'])}"
    elif _status(conditions, "Complete") != "True" and not _map(obj, "status").get("startTime"):
        yield "it has not started"


def _pod(_: Json, obj: Json) -> Iterator[str]:
    status, conditions = _map(obj, "status"), _conditions(obj)
    phase = status.get("phase") or "Pending"
    if phase == "Failed":
        yield f"it failed: {status.get('message') or status.get('reason') or 'a container failed'}"
    elif phase != "Succeeded" and _status(conditions, "Ready") != "True":
        yield from _crashing(status)
        if _status(conditions, "PodScheduled") == "False":
            yield _text(conditions["PodScheduled"])
        yield "it is running, but not ready" if phase == "Running" else "it is pending"


def _crashing(status: Json) -> Iterator[str]:
    for container in status.get("containerStatuses") or ():
        waiting = _map(_map(container, "state"), "waiting")
        if waiting.get("reason") == "CrashLoopBackOff":
            yield f"container {container.get('name')} crashes again and again"


def _claim(_: Json, obj: Json) -> Iterator[str]:
    phase = _map(obj, "status").get("phase") or "Pending"
    if phase != "Bound":
        yield f"it is not bound, but {str(phase).lower()}"


def _service(spec: Json, _: Json) -> Iterator[str]:
    if spec.get("type") == "LoadBalancer" and not spec.get("clusterIP"):
        yield "it has no address"


def _definition(_: Json, obj: Json) -> Iterator[str]:
    conditions = _conditions(obj)
    if _status(conditions, "NamesAccepted") == "False":
        yield _text(conditions["NamesAccepted"])
    if _status(conditions, "Established") != "True":
        yield _text(conditions.get("Established", {})) or "it is not established"


def _budget(_: Json, obj: Json) -> Iterator[str]:
    if _map(obj, "status").get("observedGeneration") is None:
        yield "it is not observed yet"


_RULES: Final[Mapping[tuple[str, str], Rule]] = {
    ("apps", "Deployment"): _deployment,
    ("apps", "StatefulSet"): _stateful_set,
    ("apps", "DaemonSet"): _daemon_set,
    ("apps", "ReplicaSet"): _replica_set,
    ("", "ReplicationController"): _replica_set,
    ("", "Pod"): _pod,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "Service"): _service,
    ("batch", "Job"): _job,
    ("policy", "PodDisruptionBudget"): _budget,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _definition,
}


def _fewer(status: Json, name: str, wanted: int, what: str) -> Iterator[str]:
    found = _number(status, name, 0)
    if found < wanted:
        yield f"{found} of {wanted} {what}"


def _more(status: Json, name: str, wanted: int) -> Iterator[str]:
    found = _number(status, name, 0)
    if found > wanted:
        yield f"{found - wanted} old {'replica is' if found - wanted == 1 else 'replicas are'} still there"


def _map(obj: Json, name: str) -> Json:
    found = obj.get(name)
    return found if isinstance(found, dict) else {}


def _number(obj: Json, name: str, default: int) -> int:
    found = obj.get(name)
    return found if isinstance(found, int) else default


def _conditions(obj: Json) -> dict[str, Json]:
    found: Any = _map(obj, "status").get("conditions")
    items = found if isinstance(found, list) else []
    return {str(item.get("type")): item for item in items if isinstance(item, dict)}


def _status(conditions: Mapping[str, Json], name: str) -> str:
    return str(conditions.get(name, {}).get("status") or "")


def _text(condition: Json) -> str:
    return str(condition.get("message") or condition.get("reason") or condition.get("type") or "")
