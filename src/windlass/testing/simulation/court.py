from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.reconcile import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from windlass.api import Resource
    from windlass.controller import Run
    from windlass.testing.simulation.channel import Channel
    from windlass.testing.simulation.crew import Crew
    from windlass.testing.simulation.judge import Judge, Sent, Version
    from windlass.testing.simulation.world import SimulatedWorld

_ANOTHER_PASS = Cause("another pass")


class Finding(NamedTuple):
    """What a judge has found."""

    judge: str
    what: str

    def __str__(self) -> str:
        return f"{self.judge}: {self.what}"


class Court:
    """What judges see of a simulation, and where they tell what they find. The first finding ends it."""

    def __init__(self, world: SimulatedWorld, crew: Crew, judges: Sequence[Judge]) -> None:
        self.world = world
        self.scenario = world.scenario
        self.finding: Finding | None = None
        self._crew = crew
        self._judges = judges

    def find(self, judge: str, what: str) -> None:
        """Tell a fault."""
        if self.finding is None:
            self.finding = Finding(judge, self.world.trace.secrets.mask(what))
            self.world.trace.add("judge", "finds", str(self.finding))
            self._crew.wire.loop.halt()

    def sent(self, sent: Sent) -> None:
        """Something leaves a process."""
        for judge in self._judges:
            judge.sent(sent, self)

    def looked(self, versions: list[Version]) -> None:
        """Something has changed."""
        for judge in self._judges:
            judge.looked(versions, self)

    def ran(self, run: Run) -> None:
        """A reconcile has ended."""
        for judge in self._judges:
            judge.ran(run, self)

    async def examine(self) -> None:
        """Let each judge look at everything, one after the other."""
        for judge in self._judges:
            await judge.examine(self)

    def objects(self) -> Iterator[Any]:
        """The operator's own objects, as they are stored."""
        for kind in self.scenario.kinds:
            yield from self.world.list(kind)

    def typed(self, version: Version) -> Any:
        """A version of one of the operator's own objects; None for others."""
        for kind in self.scenario.kinds:
            if version.resource == f"{kind.__kind__.group}/{kind.__kind__.plural}":
                return kind.from_wire(version.object)
        return None

    @property
    def crew(self) -> Crew:
        """The processes."""
        return self._crew

    def silent(self) -> Sequence[Channel]:
        """The watches that are open and say nothing any more."""
        return [each for each in self.world.channels.open if each.silent]

    def wake_all(self) -> None:
        """Have every object reconciled once more."""
        for manager in self._crew.managers():
            for controller in manager.controllers:
                controller.wake_all(_ANOTHER_PASS)


def facts(each: Resource, court: Court) -> Mapping[str, bool]:
    """What the scenario says of an object at this instant, fact by fact."""
    said = court.scenario.is_true(each, court.world)
    return {"is_true": said} if isinstance(said, bool) else said
