"""The judges of a simulation, each for one kind of fault."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.testing.settled import is_beside
from windlass.testing.simulation.court import facts
from windlass.testing.simulation.judge import Judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.api import Key
    from windlass.controller import Run
    from windlass.testing.simulation.court import Court
    from windlass.testing.simulation.judge import Sent, Version

_SECOND: Final = timedelta(seconds=1)
_IN_A_ROW: Final = 3
_A_PASS: Final = timedelta(seconds=8)
_MOST_WRITES: Final = 2
_MOST_RUNS: Final = 12
_MOST_RUNS_IN_A_SECOND: Final = 500
_NOT_MADE: Final = ("coordination.k8s.io/leases", "events.k8s.io/events", "/events")


def all_judges() -> Sequence[Judge]:
    """One of each, in the order in which they examine."""
    return (
        DuplicateEffect(),
        WriteAfterLeaseLoss(),
        FalselyReady(),
        Converges(),
        HotLoop(),
        Idempotent(),
        Orphan(),
    )


class Converges(Judge):
    """After the last disturbance every object comes to rest: ready, or waiting where that is allowed."""

    name = "converges"

    @override
    async def examine(self, court: Court) -> None:
        left = court.scenario.patience
        in_a_row = 0
        unrest: list[str] = []
        while in_a_row < _IN_A_ROW and left > timedelta():
            await court.world.pause(_SECOND)
            left -= _SECOND
            unrest = list(_unrest(court))
            in_a_row = 0 if unrest else in_a_row + 1
        if unrest:
            court.find(
                self.name, f"{court.scenario.patience} after the last disturbance: {'; '.join(unrest)}"
            )


class HotLoop(Judge):
    """While nothing outside changes, an object is neither written nor reconciled again and again.

    One that is reconciled hundreds of times within a second is found at once: between such runs hardly any
    virtual time passes, so that the end of a simulation may never come.
    """

    name = "no hot loop"

    def __init__(self) -> None:
        self._runs: Counter[tuple[str, Key]] = Counter()
        self._writes: Counter[str] = Counter()
        self._second = 0
        self._runs_in_second: Counter[tuple[str, Key]] = Counter()

    @override
    def ran(self, run: Run, court: Court) -> None:
        self._runs[run.controller, run.key] += 1
        second = int(court.crew.wire.loop.time())
        if second != self._second:
            self._second = second
            self._runs_in_second.clear()
        self._runs_in_second[run.controller, run.key] += 1
        if self._runs_in_second[run.controller, run.key] > _MOST_RUNS_IN_A_SECOND:
            court.find(
                self.name,
                f"{run.controller} reconciled {run.key} {_MOST_RUNS_IN_A_SECOND} times within a second",
            )

    @override
    def sent(self, sent: Sent, court: Court) -> None:
        if sent.changes and not _is_event(sent):
            self._writes[sent.about] += 1

    @override
    async def examine(self, court: Court) -> None:
        self._runs.clear()
        self._writes.clear()
        await court.world.pause(court.scenario.quiet)
        within = f"in {court.scenario.quiet} in which nothing changed"
        for about, count in self._writes.items():
            if count > _MOST_WRITES:
                court.find(self.name, f"{about} was sent {count} times {within}")
        for (controller, key), count in self._runs.items():
            if count > _MOST_RUNS:
                court.find(self.name, f"{controller} reconciled {key} {count} times {within}")


class Idempotent(Judge):
    """Another pass over a world in which nothing changed asks nothing of anybody."""

    name = "idempotent"

    def __init__(self) -> None:
        self._calls: list[str] = []

    @override
    def sent(self, sent: Sent, court: Court) -> None:
        calls = sent.changes or (sent.request is not None and not is_beside(sent.request))
        if calls and not _is_event(sent):
            self._calls.append(sent.about)

    @override
    async def examine(self, court: Court) -> None:
        self._calls.clear()
        court.wake_all()
        await court.world.pause(_A_PASS)
        if self._calls:
            court.find(self.name, f"another pass asked for: {', '.join(self._calls)}")


class Orphan(Judge):
    """When its objects are deleted they go, and with them all that the operator made, here and outside."""

    name = "no orphan"

    def __init__(self) -> None:
        self._made: dict[str, Version] = {}

    @override
    def looked(self, versions: list[Version], court: Court) -> None:
        for version in versions:
            if version.type == "DELETED":
                self._made.pop(version.uid, None)
            elif version.type == "ADDED" and version.by and version.resource not in _NOT_MADE:
                self._made[version.uid] = version

    @override
    async def examine(self, court: Court) -> None:
        for each in list(court.objects()):
            await court.world.delete(type(each), each.metadata.name, each.metadata.namespace)
        left = court.scenario.patience
        while (stuck := list(self._left(court))) and left > timedelta():
            await court.world.pause(_SECOND)
            left -= _SECOND
        if stuck:
            court.find(self.name, f"{court.scenario.patience} after all was deleted: {'; '.join(stuck)}")

    def _left(self, court: Court) -> Iterator[str]:
        for each in court.objects():
            held = ", ".join(each.metadata.finalizers or ()) or "nothing"
            yield f"{type(each).__name__} {each.metadata.name} is still there, held by {held}"
        for version in self._made.values():
            if not court.scenario.may_stay(version):
                yield f"{version} is left behind"
        for outside in court.scenario.outside:
            for holding in outside.holdings():
                if not holding.lasting:
                    yield f"{type(outside).__name__} still has {holding.key} ({holding.id})"


class DuplicateEffect(Judge):
    """What may exist once outside the cluster does not exist twice."""

    name = "no duplicate effect"

    @override
    def looked(self, versions: list[Version], court: Court) -> None:
        for outside in court.scenario.outside:
            ids: dict[str, str] = {}
            for holding in outside.holdings():
                other = ids.setdefault(holding.key, holding.id)
                if other != holding.id:
                    who = type(outside).__name__
                    court.find(self.name, f"{who} has {holding.key} twice: {other} and {holding.id}")


class WriteAfterLeaseLoss(Judge):
    """Nothing that changes anything leaves a process that does not hold the lease, as the server knows it."""

    name = "no write after lease loss"

    @override
    def sent(self, sent: Sent, court: Court) -> None:
        if not sent.changes or not court.crew.elects:
            return
        holder, until = court.world.truth.holder, court.world.truth.held_until
        what = f"{sent.process.name} sent {sent.about}"
        if holder != sent.process.identity:
            court.find(self.name, f"{what} while {holder or 'nobody'} held the lease")
        elif sent.at > until:
            court.find(self.name, f"{what} {sent.at - until:.3f} s after its lease ran out")


class FalselyReady(Judge):
    """No version of an object says Ready for its generation before each of its facts was true once.

    All at once need not have been: an operator sees one after the other, and the world does not stand still.
    """

    name = "status never says Ready falsely"

    def __init__(self) -> None:
        self._untrue: dict[tuple[str, int | None], set[str]] = {}

    @override
    def looked(self, versions: list[Version], court: Court) -> None:
        for each in court.objects():
            state = (each.metadata.uid or "", each.metadata.generation)
            untrue = self._untrue.get(state)
            if untrue is None or untrue:
                now = {fact for fact, is_true in facts(each, court).items() if not is_true}
                self._untrue[state] = now if untrue is None else untrue & now
        for version in versions:
            each = court.typed(version) if version.type != "DELETED" else None
            if (
                each is None
                or each.metadata.deletion_timestamp is not None
                or not court.scenario.reports(each).is_ready
            ):
                continue
            untrue = self._untrue.get((version.uid, each.metadata.generation))
            if untrue:
                what = f"{version} at {each.metadata.resource_version}"
                never = ", ".join(sorted(untrue))
                court.find(self.name, f"{what} says Ready, and this was never so for its generation: {never}")


def _is_event(sent: Sent) -> bool:
    """Whether somebody is told something: that comes late, is merged and rationed, and decides nothing."""
    return sent.request is not None and "/events" in sent.request.path


def _unrest(court: Court) -> Iterator[str]:
    """What is not at rest, in words."""
    for each in court.objects():
        name = f"{type(each).__name__} {each.metadata.name}"
        told = court.scenario.reports(each)
        untrue = ", ".join(fact for fact, is_true in facts(each, court).items() if not is_true)
        if each.metadata.deletion_timestamp is not None:
            yield f"{name} is deleted, and not gone"
        elif not told.is_fresh:
            yield f"{name} tells nothing about its generation {each.metadata.generation}"
        elif told.is_ready and untrue:
            yield f"{name} says Ready, and this is not so: {untrue}"
        elif not told.is_ready and not (told.reason and court.scenario.may_wait(each, court.world)):
            truth = f"and this is not so: {untrue}" if untrue else "although all is as it should be"
            yield f"{name} is not Ready ({told.reason}: {told.message}), {truth}"
    yield from court.crew.busy()
    yield from (f"{each.process.name} has not noticed that {each.about} is silent" for each in court.silent())
