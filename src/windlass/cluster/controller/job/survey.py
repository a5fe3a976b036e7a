from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windlass.cluster.controller.job.indexes import Indexes
from windlass.cluster.controller.job.pod import (
    all_failures_of,
    failures_of,
    finished_at,
    indexes_of,
    is_failed,
    is_tracked,
)
from windlass.cluster.controller.job.policy import judge_failure
from windlass.cluster.controller.job.spec import (
    completions,
    index_within,
    is_indexed,
    is_limited_per_index,
)
from windlass.cluster.controller.pod_state import is_active, is_terminating

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.core.v1 import Pod


@dataclass(frozen=True)
class Survey:
    """A Job and its pods at one moment, and what follows from them.

    What has ended is in the numbers of the status, or written down there as uncounted, or new.
    """

    job: Job
    pods: Sequence[Pod]

    @cached_property
    def active(self) -> Sequence[Pod]:
        """The pods that work, or are going to."""
        return [pod for pod in self.pods if is_active(pod)]

    @cached_property
    def terminating(self) -> Sequence[Pod]:
        """The pods that were told to end and have not yet."""
        return [pod for pod in self.pods if is_terminating(pod)]

    @cached_property
    def written_down(self) -> tuple[frozenset[str], frozenset[str]]:
        """The uids of pods that the status has as succeeded and failed, but not yet as numbers."""
        uncounted = self.job.status.uncounted_terminated_pods
        if uncounted is None:
            return frozenset(), frozenset()
        return frozenset(uncounted.succeeded), frozenset(uncounted.failed)

    @cached_property
    def _new_failures(self) -> Sequence[Pod]:
        """The pods that failed and are not in the status."""
        return [
            pod for pod in self.pods if self._is_new(pod, self.written_down[1]) and is_failed(self.job, pod)
        ]

    @cached_property
    def completed(self) -> Indexes:
        """The indexes that have succeeded."""
        ended = (pod for pod in self.pods if pod.status.phase == "Succeeded" and is_tracked(pod))
        new = (index for pod in ended if (index := index_within(self.job, pod)) is not None)
        return self.completed_before | Indexes.of(new)

    @cached_property
    def completed_before(self) -> Indexes:
        """The indexes that have succeeded by what the status says."""
        return Indexes.parse(self.job.status.completed_indexes, completions(self.job))

    @cached_property
    def failed_indexes(self) -> Indexes:
        """The indexes that have failed for good."""
        tracked = (pod for pod in self.pods if is_tracked(pod) and self._fails_its_index(pod))
        new = (index for pod in tracked if (index := index_within(self.job, pod)) is not None)
        return Indexes.parse(self.job.status.failed_indexes, completions(self.job)) | Indexes.of(new)

    @cached_property
    def succeeded(self) -> int:
        """How many completions there are."""
        if is_indexed(self.job):
            return len(self.completed)
        known = self.written_down[0]
        new = [pod for pod in self.pods if pod.status.phase == "Succeeded" and self._is_new(pod, known)]
        return self.job.status.succeeded + len(known) + len(new)

    @cached_property
    def failed(self) -> int:
        """How many failures there are that count."""
        counting = [pod for pod in self._new_failures if judge_failure(self.job, pod).counts]
        return self.job.status.failed + len(self.written_down[1]) + len(counting)

    @cached_property
    def predecessors(self) -> Mapping[int, Pod]:
        """The last failed pod of each index that waits for a new one, which is to know its failures.

        They keep their finalizer until the new one is there.
        """
        settled = self.completed | self.failed_indexes | Indexes.of(indexes_of(self.active))
        last: dict[int, Pod] = {}
        for pod in self.pods if is_limited_per_index(self.job) else ():
            index = index_within(self.job, pod)
            if index is None or index in settled or not is_tracked(pod) or not is_failed(self.job, pod):
                continue
            if index not in last or _follows(pod, last[index]):
                last[index] = pod
        return last

    def _is_new(self, pod: Pod, known: frozenset[str]) -> bool:
        valid = not is_indexed(self.job) or index_within(self.job, pod) is not None
        return is_tracked(pod) and pod.metadata.uid not in known and valid

    def _fails_its_index(self, pod: Pod) -> bool:
        limit = self.job.spec.backoff_limit_per_index
        if limit is None or not is_failed(self.job, pod):
            return False
        failure = judge_failure(self.job, pod)
        return failure.action == "FailIndex" or (failure.counts and failures_of(pod) >= limit)


def _follows(pod: Pod, other: Pod) -> bool:
    """Whether a failed pod came after another of the same index."""
    return all_failures_of(pod) >= all_failures_of(other) and finished_at(pod) >= finished_at(other)
