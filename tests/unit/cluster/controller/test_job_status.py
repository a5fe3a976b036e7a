"""How pods become numbers: each once, whatever crashes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from job_cases import indexed, job, pod
from windlass.cluster.controller.job.pod import TRACKING, is_tracked
from windlass.cluster.controller.job.status import count, settled, written
from windlass.cluster.controller.job.survey import Survey

if TYPE_CHECKING:
    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.core.v1 import Pod


class Crash(Exception):
    """The controller is gone."""


@dataclass
class World:
    """What outlives a crash: the Job with its status, and the finalizers of its pods."""

    job: Job
    pods: list[Pod]
    crashes: list[int] = field(default_factory=list)
    steps: int = 0

    def step(self) -> None:
        self.steps += 1
        if self.crashes and self.crashes[0] == self.steps:
            self.crashes.pop(0)
            self.steps = 0
            raise Crash

    def reconcile(self) -> None:
        """What the controller does, in its order, with a crash between any two writes."""
        tracked = {each.metadata.uid for each in self.pods if is_tracked(each)}
        self.job.status = settled(self.job.status, tracked)
        survey = Survey(self.job.model_copy(deep=True), [each.model_copy(deep=True) for each in self.pods])
        counted = count(survey, None)
        status = written(survey, survey, counted, ())
        self.step()
        self.job.status = status
        released = {each.metadata.uid for each in counted.release}
        for each in self.pods:
            if each.metadata.uid in released:
                self.step()
                each.metadata.finalizers.remove(TRACKING)
        self.step()
        self.job.status = settled(status, tracked - released)


def settle(world: World) -> None:
    for _ in range(len(world.crashes) + 2):
        try:
            world.reconcile()
        except Crash:
            continue


outcomes = st.lists(st.sampled_from(["Pending", "Succeeded", "Failed"]), max_size=8)


@given(outcomes, st.lists(st.integers(1, 10), max_size=4))
@settings(max_examples=200)
def test_each_pod_counts_once_whatever_crashes(phases: list[str], crashes: list[int]) -> None:
    pods = [pod(f"p{number}", phase) for number, phase in enumerate(phases)]
    world = World(job(completions=99), pods, crashes)
    settle(world)
    status = world.job.status
    assert (status.succeeded, status.failed) == (phases.count("Succeeded"), phases.count("Failed"))
    assert status.uncounted_terminated_pods is not None
    assert status.uncounted_terminated_pods.to_wire() == {}


@given(outcomes, st.lists(st.integers(1, 10), max_size=4))
@settings(max_examples=200)
def test_each_index_counts_once_whatever_crashes(phases: list[str], crashes: list[int]) -> None:
    pods = [pod(f"p{number}", phase, number // 2) for number, phase in enumerate(phases)]
    world = World(indexed(20), pods, crashes)
    settle(world)
    done = {number // 2 for number, phase in enumerate(phases) if phase == "Succeeded"}
    assert world.job.status.succeeded == len(done)
    assert world.job.status.failed == phases.count("Failed")


def test_very_many_are_counted_some_at_a_time() -> None:
    world = World(job(completions=2000), [pod(f"p{number}", "Succeeded") for number in range(1200)])
    seen = []
    for _ in range(4):
        world.reconcile()
        seen.append(world.job.status.succeeded)
    assert seen == [500, 1000, 1200, 1200]
