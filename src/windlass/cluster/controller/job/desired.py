"""Which pods a Job should have: which of those that are there go, and which are to be created, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.job.indexes import Indexes
from windlass.cluster.controller.job.pod import (
    FAILURES,
    IGNORED_FAILURES,
    INDEX,
    TRACKING,
    all_failures_of,
    cost_of_removal,
    failures_of,
    finished_at,
    indexes_of,
    is_failed,
    replaces_only_failed,
)
from windlass.cluster.controller.job.policy import judge_failure
from windlass.cluster.controller.job.spec import completions, index_within, is_indexed, is_limited_per_index
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.api import Json
    from windlass.cluster.controller.job.survey import Survey
    from windlass.kinds.batch.v1 import Job

_MOST: Final = 500
_SOON: Final = timedelta(milliseconds=10)
_FIRST_DELAY: Final = timedelta(seconds=10)
_LAST_DELAY: Final = timedelta(minutes=10)
_LONGEST_PREFIX: Final = 58
_INDEX_VARIABLE: Final = "JOB_COMPLETION_INDEX"


@dataclass(frozen=True)
class Steps:
    """What is to be done about the pods of a Job; `wait` is how long it takes until there is more to do."""

    remove: Sequence[Pod] = ()
    create: Sequence[Pod] = ()
    wait: timedelta | None = None


def next_steps(survey: Survey, now: datetime) -> Steps:
    """How to come closer to the number of pods that a Job wants; removals go before creations."""
    if survey.job.spec.suspend:
        return Steps(remove=survey.active)
    wanted = _wanted(survey)
    surplus = _surplus(survey, max(len(survey.active) - wanted, 0))
    if surplus:
        return Steps(remove=surplus[:_MOST], wait=_SOON)
    going = len(survey.terminating) if replaces_only_failed(survey.job) else 0
    missing = wanted - going - len(survey.active)
    return _creations(survey, missing, now) if missing > 0 else Steps()


def pod_of(survey: Survey, index: int | None = None) -> Pod:
    """A pod of a Job, for a completion index if it has those."""
    job = survey.job
    template = job.spec.template.to_wire()
    given = template.get("metadata", {})
    metadata: Json = {
        "generateName": f"{job.metadata.name}-",
        "labels": dict(given.get("labels", {})),
        "annotations": dict(given.get("annotations", {})),
        "finalizers": list(dict.fromkeys((*given.get("finalizers", ()), TRACKING))),
    }
    spec: Json = template.get("spec", {})
    if index is not None:
        metadata["generateName"] = _prefix(job, index)
        metadata["labels"][INDEX] = metadata["annotations"][INDEX] = str(index)
        metadata["annotations"] |= _failure_counts(survey, index)
        spec = {**spec, "hostname": f"{job.metadata.name}-{index}"}
        for each in (*spec.get("initContainers", ()), *spec.get("containers", ())):
            _tell_index(each)
    return Pod.from_wire({"metadata": metadata, "spec": spec})


def _creations(survey: Survey, missing: int, now: datetime) -> Steps:
    count = min(missing, _MOST)
    if is_limited_per_index(survey.job):
        return _creations_per_index(survey, count, now)
    wait = _delay(survey, now)
    if wait:
        return Steps(wait=wait)
    more = _SOON if missing > count else None
    if is_indexed(survey.job):
        return Steps(create=[pod_of(survey, index) for index in _pending(survey, count)], wait=more)
    return Steps(create=[pod_of(survey)] * count, wait=more)


def _wanted(survey: Survey) -> int:
    parallelism = survey.job.spec.parallelism
    most = 1 if parallelism is None else parallelism
    if survey.job.spec.completions is None:
        # One that succeeds says for all that the work is done; the others are left to end by themselves.
        return len(survey.active) if survey.succeeded else most
    return max(min(completions(survey.job) - survey.succeeded, most), 0)


def _surplus(survey: Survey, at_least: int) -> list[Pod]:
    """The active pods that are too many: those without an index of their own, then the least advanced."""
    ranked = sorted(survey.active, key=cost_of_removal)
    if not is_indexed(survey.job):
        return ranked[:at_least]
    best = {index: pod for pod in ranked if (index := index_within(survey.job, pod)) is not None}
    kept = {pod.metadata.uid for pod in best.values()}
    gone = [pod for pod in ranked if pod.metadata.uid not in kept]
    more = [pod for pod in ranked if pod.metadata.uid in kept]
    return gone + more[: max(at_least - len(gone), 0)]


def _pending(survey: Survey, count: int) -> list[int]:
    """The first indexes for which nobody works."""
    taken = survey.completed | Indexes.of(indexes_of(survey.active))
    if replaces_only_failed(survey.job):
        taken |= Indexes.of(indexes_of(survey.terminating))
    if is_limited_per_index(survey.job):
        taken |= survey.failed_indexes
    return list(islice(taken.absent(completions(survey.job)), count))


def _creations_per_index(survey: Survey, count: int, now: datetime) -> Steps:
    """Indexes wait each for itself, so that one that fails does not hold up the others."""
    now_due: list[Pod] = []
    waits: list[timedelta] = []
    for index in _pending(survey, count):
        before = survey.predecessors.get(index)
        wait = _backoff(all_failures_of(before) + 1, finished_at(before), now) if before else None
        if wait:
            waits.append(wait)
        else:
            now_due.append(pod_of(survey, index))
    more = [_SOON] if len(now_due) + len(waits) == _MOST else []
    return Steps(create=now_due, wait=min((*waits, *more), default=None))


def _delay(survey: Survey, now: datetime) -> timedelta | None:
    """How long to wait after the failures since the last success, as far as their pods are still there."""
    successes = (finished_at(pod) for pod in survey.pods if pod.status.phase == "Succeeded")
    last_success = max(successes, default=None)
    failures = [finished_at(pod) for pod in survey.pods if is_failed(survey.job, pod)]
    since = [each for each in failures if last_success is None or each > last_success]
    return _backoff(len(since), max(since), now) if since else None


def _backoff(failures: int, last: datetime, now: datetime) -> timedelta | None:
    delay = min(_FIRST_DELAY * 2 ** min(failures - 1, 10), _LAST_DELAY)
    left = last + delay - now
    return left if left > timedelta() else None


def _prefix(job: Job, index: int) -> str:
    ending = f"-{index}-"
    return job.metadata.name[: _LONGEST_PREFIX - len(ending)] + ending


def _failure_counts(survey: Survey, index: int) -> dict[str, str]:
    """What a pod is to know of the failures of its index before it."""
    if not is_limited_per_index(survey.job):
        return {}
    before = survey.predecessors.get(index)
    if before is None:
        return {FAILURES: "0"}
    counted, ignored = failures_of(before), all_failures_of(before) - failures_of(before)
    if judge_failure(survey.job, before).counts:
        counted += 1
    else:
        ignored += 1
    return {FAILURES: str(counted)} | ({IGNORED_FAILURES: str(ignored)} if ignored else {})


def _tell_index(container: Json) -> None:
    """Let a container know its index by an environment variable, unless it has one of that name."""
    variables = container.setdefault("env", [])
    if not any(each.get("name") == _INDEX_VARIABLE for each in variables):
        source = {"fieldRef": {"fieldPath": f"metadata.labels['{INDEX}']"}}
        variables.append({"name": _INDEX_VARIABLE, "valueFrom": source})
