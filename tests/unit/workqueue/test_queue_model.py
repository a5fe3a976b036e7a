"""The queue beside a plain model of what it promises, with workers that wait, give up and finish."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from windlass.aio import ManualClock
from windlass.workqueue import Item, Priority, QueueOptions, WorkQueue

KEYS = [f"{group}/{name}" for group in "abc" for name in range(4)]
OPTIONS = QueueOptions(causes=3, background_every=4)
MILLISECOND = timedelta(milliseconds=1)

keys = st.sampled_from(KEYS)
priorities = st.sampled_from(Priority)
delays = st.integers(0, 20)


def group_of(key: str) -> str:
    return key[0]


@dataclass
class Waiting:
    """What the model knows of a key that waits; `ready` is its place in the line, once it is in one."""

    causes: list[int]
    priority: Priority
    at: int
    put: int
    ready: int | None = None
    since: int = 0


@dataclass
class Model:
    """What has to be taken, when and in which order, said as plainly as possible."""

    now: int = 0
    steps: int = 0
    waiting: dict[str, Waiting] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    overtaken: dict[tuple[Priority, str], Counter[str]] = field(default_factory=dict)
    passed_over: int = 0

    def step(self) -> int:
        self.steps += 1
        return self.steps

    def ready(self, priority: Priority) -> dict[str, Waiting]:
        return {
            key: each
            for key, each in self.waiting.items()
            if each.ready is not None and each.priority is priority
        }

    def add(self, key: str, cause: int, priority: Priority, at: int) -> None:
        found = self.waiting.setdefault(key, Waiting([], priority, at, self.step()))
        found.causes.append(cause)
        if priority < found.priority:
            found.priority = priority
            found.ready = None if found.ready is None else self.step()
        if at < found.at:
            found.at, found.put = at, self.step()
        self.settle()

    def settle(self) -> None:
        """What is due and not worked on gets its place in the line."""
        due = [key for key, each in self.waiting.items() if each.ready is None and each.at <= self.now]
        for key in sorted(due, key=lambda key: (self.waiting[key].at, self.waiting[key].put)):
            if key not in self.running:
                self.waiting[key].ready = self.step()
                self.waiting[key].since = self.now
        for priority in Priority:
            groups = {group_of(key) for key in self.ready(priority)}
            for group in "abc":
                if group not in groups:
                    self.overtaken.pop((priority, group), None)
                else:
                    self.overtaken.setdefault((priority, group), Counter())

    def next_due(self) -> int | None:
        return min((each.at for each in self.waiting.values() if each.at > self.now), default=None)

    def take(self, item: Item[str, int]) -> None:
        """Check one take against every promise."""
        assert item.key not in self.running, "two workers on one key"
        found = self.waiting.pop(item.key)
        assert found.ready is not None, "taken before its time"
        assert item.causes == tuple(found.causes[:3])
        assert item.dropped_causes == len(found.causes[3:])
        assert item.waited == (self.now - found.since) * MILLISECOND
        assert item.priority is found.priority
        self._check_order(item.key, found)
        self._check_priority(found.priority)
        self.running.add(item.key)
        self.settle()

    def _check_order(self, key: str, found: Waiting) -> None:
        """First come, first served in a group; between two turns of a group no other has two."""
        others = self.ready(found.priority)
        ahead = [each for other, each in others.items() if group_of(other) == group_of(key)]
        assert all((each.ready or 0) > (found.ready or 0) for each in ahead)
        del self.overtaken[found.priority, group_of(key)]
        for group in {group_of(other) for other in others} - {group_of(key)}:
            seen = self.overtaken[found.priority, group]
            seen[group_of(key)] += 1
            assert seen[group_of(key)] <= 1, "a group had two turns while another waited"

    def _check_priority(self, priority: Priority) -> None:
        if priority is Priority.BACKGROUND:
            assert not self.ready(Priority.FRESH) or self.passed_over == 3
            self.passed_over = 0
        elif self.ready(Priority.BACKGROUND):
            self.passed_over += 1
            assert self.passed_over <= 3, "the background starves"


class QueueMachine(RuleBasedStateMachine):
    """Adds, workers that wait, give up and finish, and time that passes, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = ManualClock()
        self.queue: WorkQueue[str, int] = WorkQueue(
            OPTIONS, clock=self.clock, random=Random(1), group=group_of
        )
        self.model = Model()
        self.workers: list[asyncio.Task[None]] = []
        self.taken: list[Item[str, int]] = []
        self.causes = 0

    def teardown(self) -> None:
        for worker in self.workers:
            worker.cancel()
        self.loop.run_until_complete(self._turns())
        left = asyncio.all_tasks(self.loop)
        self.loop.close()
        assert not left, "a task outlives the calls"

    async def _work(self) -> None:
        self.taken.append(await self.queue.take())

    async def _turns(self) -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    def _settle(self) -> None:
        self.loop.run_until_complete(self._turns())
        self.model.settle()
        for item in self.taken:
            self.model.take(item)
        self.taken.clear()
        self.workers = [worker for worker in self.workers if not worker.done()]

    @rule(key=keys, priority=priorities, delay=delays)
    def add(self, key: str, priority: Priority, delay: int) -> None:
        self._add(key, priority, delay)
        self._settle()

    @rule(keys=st.lists(keys, min_size=2, max_size=4), priority=priorities, delay=delays)
    def add_several_at_once(self, keys: list[str], priority: Priority, delay: int) -> None:
        for key in keys:
            self._add(key, priority, delay)
        self._settle()

    def _add(self, key: str, priority: Priority, delay: int) -> None:
        self.causes += 1
        self.queue.add(key, self.causes, priority, delay * MILLISECOND)
        self.model.add(key, self.causes, priority, self.model.now + delay)

    @rule(key=keys, first=st.booleans())
    def a_key_is_withdrawn(self, key: str, first: bool) -> None:  # noqa: FBT001 - Hypothesis names it
        known = self.model.waiting.get(key)
        cause = known.causes[0] if known and first else 0
        assert self.queue.withdraw(key, cause) == bool(cause)
        if cause:
            del self.model.waiting[key]
            self.model.settle()
        self._settle()

    @rule(count=st.integers(1, 4))
    def workers_come(self, count: int) -> None:
        self.workers += [self.loop.create_task(self._work()) for _ in range(count)]
        self._settle()

    @precondition(lambda self: self.workers)
    @rule(data=st.data(), key=st.none() | keys, delay=delays)
    def a_worker_gives_up_just_when_something_comes(
        self, data: st.DataObject, key: str | None, delay: int
    ) -> None:
        if key is not None:
            self._add(key, Priority.FRESH, delay)
        data.draw(st.sampled_from(self.workers)).cancel()
        self._settle()

    @precondition(lambda self: self.model.running)
    @rule(data=st.data())
    def a_worker_finishes(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.model.running)))
        self.queue.done(key)
        self.model.running.remove(key)
        self.model.settle()
        self._settle()

    @rule(delay=st.integers(1, 30))
    def time_passes(self, delay: int) -> None:
        until = self.model.now + delay
        while (due := self.model.next_due()) is not None and due <= until:
            self._move_to(due)
        self._move_to(until)

    def _move_to(self, moment: int) -> None:
        delay = (moment - self.model.now) * MILLISECOND
        self.model.now = moment
        self.loop.run_until_complete(self.clock.advance(delay))
        self._settle()

    @invariant()
    def nothing_is_lost_and_nobody_waits_in_vain(self) -> None:
        ready = sum(len(self.model.ready(priority)) for priority in Priority)
        assert len(self.queue) == ready
        assert self.queue.running == len(self.model.running)
        assert not (ready and self.workers), "a worker waits although something is ready"

    @invariant()
    def at_most_one_task_watches_the_clock(self) -> None:
        assert len(asyncio.all_tasks(self.loop)) <= len(self.workers) + 1


TestQueue = pytest.mark.property(QueueMachine.TestCase)
TestQueue.settings = settings(stateful_step_count=30)
