from __future__ import annotations

from collections import Counter, deque
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.exchange import JSON, Cut
from windlass.apiserver.fault.answer import answer
from windlass.apiserver.fault.fate import UNHARMED, Dice
from windlass.apiserver.fault.faults import Injection
from windlass.apiserver.fault.flow import Flow
from windlass.apiserver.fault.past import Replica
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.apiserver.exchange import Call, Reply
    from windlass.apiserver.fault.fate import Fate, StreamFate
    from windlass.apiserver.fault.faults import Fault, Faults
    from windlass.apiserver.route import Route
    from windlass.apiserver.verb.operation import Operation, View
    from windlass.apiserver.world import World

    Serve = Callable[[Call, Route | None, View | None], Awaitable[Reply]]

_REMEMBERED: Final = 10_000


class Injector:
    """Lets things go wrong in a server, by seed: the same faults for the same order of requests.

        with server.faults.applied(Faults(lost=1, times=1, only=Scope(verbs={"update"}))):
            ...

    `log` tells what befell whom, as far back as it reaches. Time is that of the server's clock.
    """

    def __init__(self, world: World) -> None:
        self.log: deque[Injection] = deque(maxlen=_REMEMBERED)
        self._counts: Counter[str] = Counter()
        self._world = world
        self._random = Random(0)  # noqa: S311 - it is to be the same each time
        self._dice: list[Dice] = []
        self._flows: dict[Flow, Dice] = {}
        self._replica = Replica()

    @property
    def faults(self) -> tuple[Faults, ...]:
        """What goes wrong at present."""
        return tuple(each.faults for each in self._dice)

    @property
    def is_on(self) -> bool:
        """Whether anything goes wrong."""
        return bool(self._dice)

    def add(self, *faults: Faults, seed: int | None = None) -> None:
        """Let more go wrong from now on; with a seed, chance begins anew.

        Where several say what becomes of an answer, the first of them has its way.

        Raises:
            ConfigError: a server cannot do this.
        """
        self._dice += self._made(faults)
        if seed is not None:
            self._random.seed(seed)

    def set(self, *faults: Faults, seed: int = 0) -> None:
        """Let this go wrong from now on, and nothing else; what happened before is forgotten.

        Raises:
            ConfigError: a server cannot do this; what went wrong still does.
        """
        made = self._made(faults)
        self.clear()
        self._random.seed(seed)
        self._dice = made
        self._counts.clear()
        self.log.clear()

    def clear(self) -> None:
        """Let nothing go wrong any more: silent watches break off, others go on undisturbed."""
        self._remove(self._dice)

    @contextmanager
    def applied(self, *faults: Faults, seed: int | None = None) -> Iterator[Injector]:
        """Let something go wrong in a block, besides what does so already."""
        before = len(self._dice)
        self.add(*faults, seed=seed)
        added = self._dice[before:]
        try:
            yield self
        finally:
            self._remove(added)

    def count(self, fault: Fault) -> int:
        """How often a fault has happened."""
        return self._counts[fault]

    async def befall(self, call: Call, route: Route | None, serve: Serve) -> Reply:
        """Have a request carried out, as far as its fate allows.

        Raises:
            Cut: the connection breaks.
            Refusal: it was refused, be it by fate.
        """
        note = partial(self._note, call)
        fates = [(dice, self._fate(dice, call, route)) for dice in self._dice]
        fate = sum((each for _, each in fates), UNHARMED)
        if fate.compacted:
            note("compacted")
            self._world.store.compact()
        if fate.early or fate.late:
            note("late")
        await self._hold(fate.early)
        if fate.outcome is not None:
            note(fate.outcome)
        try:
            reply = await self._answered(call, route, fate, serve)
        except (Cut, Refusal):
            await self._hold(fate.late)
            raise
        await self._hold(fate.late)
        for dice, each in fates:
            for stream in each.streams:
                self._divert(reply, stream, dice, note)
        return reply

    def _made(self, faults: Iterable[Faults]) -> list[Dice]:
        for each in faults:
            each.refuse("a server cannot do this to a request that it has received; say dropped", "refused")
        return [Dice(each, self._random) for each in faults]

    def _fate(self, dice: Dice, call: Call, route: Route | None) -> Fate:
        streaming = route is not None and route.verb == "watch"
        return dice.fate(route, call.user.name, streaming=streaming)

    async def _answered(self, call: Call, route: Route | None, fate: Fate, serve: Serve) -> Reply:
        match fate.outcome:
            case None:
                return await serve(call, route, self._view(call, fate))
            case "refused" | "dropped":
                raise Cut("the connection was cut before the request was carried out")
            case "lost":
                await _unanswered(serve(call, route, None))
                raise Cut("the connection was cut after the request was carried out")
            case "timed_out":
                await _unanswered(serve(call, route, None))
        said = answer(fate.outcome, route)
        if isinstance(said, Refusal):
            raise said
        return said

    def _view(self, call: Call, fate: Fate) -> View | None:
        """How reads are seen: all of them while some are stale, so that none goes back."""
        if not any(each.faults.stale for each in self._dice):
            return None

        def view(operation: Operation) -> Operation:
            seen = self._replica.lagging(operation, fate.stale_by)
            if seen.past is not None:
                self._note(call, "stale")
            return seen

        return view

    def _divert(self, reply: Reply, fate: StreamFate, dice: Dice, note: Callable[[Any], None]) -> None:
        if reply.chunks is None:
            return
        if fate.delay:
            note("delayed")
        whole = not reply.content_type.startswith(JSON)
        clock = self._world.clock
        flow = Flow(_lines(reply.chunks, clock, fate, whole=whole), clock, fate)
        flow.told = note
        reply.chunks = self._flowing(flow, dice, reply.chunks)

    async def _flowing(
        self, flow: Flow, dice: Dice, chunks: AsyncGenerator[bytes, None]
    ) -> AsyncGenerator[bytes, None]:
        self._flows[flow] = dice
        try:
            async with aclosing(chunks), flow.lasting():
                while (line := await flow.next()) is not None:
                    yield line
        finally:
            del self._flows[flow]

    def _remove(self, dice: list[Dice]) -> None:
        gone = list(dice)
        self._dice = [each for each in self._dice if each not in gone]
        if not self._dice:
            self._replica = Replica()
        for flow, cause in self._flows.items():
            if cause in gone:
                flow.spare()

    async def _hold(self, delay: timedelta) -> None:
        if delay:
            await self._world.clock.sleep(delay)

    def _note(self, call: Call, fault: Fault) -> None:
        self._counts[fault] += 1
        self.log.append(Injection(fault, f"{call.method} {call.path}", call.user.name))


async def _unanswered(answering: Awaitable[Reply]) -> None:
    """Have a request carried out whose answer, be it a refusal, nobody will see."""
    with suppress(Refusal):
        reply = await answering
        if reply.chunks is not None:
            await reply.chunks.aclose()


async def _lines(
    chunks: AsyncIterator[bytes], clock: Clock, fate: StreamFate, *, whole: bool
) -> AsyncGenerator[bytes, None]:
    """The lines of an answer, in what comes at once after a delay; of what has no lines, the pieces."""
    async for chunk in chunks:
        if chunk and fate.delay:
            await clock.sleep(fate.delay)
        for line in [chunk] if whole or not chunk else chunk.splitlines(keepends=True):
            yield line
