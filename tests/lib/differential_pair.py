"""Two servers that get the same requests, and what is made of their answers."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from contract import Api
from contract_crd import Definitions
from differential_custom import custom_definition
from differential_limit import QUOTA, Rule
from differential_side import HUNG_UP, Side
from differential_step import Open, Step, in_common
from differential_verdict import differences, differing_answers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence

    from differential_admission import Admission
    from differential_side import Door
    from differential_subject import Subject
    from differential_verdict import Difference, Register
    from windlass.client import Transport

T = TypeVar("T")

_NAMESPACES: Final = "/api/v1/namespaces"
_LAST: Final = "z"
_UNUSABLE: Final = frozenset({HUNG_UP, 429, 503})
_REFUSED: Final = 300
_AT_ONCE: Final = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}


class Pair:
    """The real server and the embedded one, asked the same.

    Every sequence of requests has a namespace of its own, of the same name on both. Where the servers part, by
    an accepted difference in what they store, the rest of the sequence says nothing and is left out. Any other
    difference ends it with an `AssertionError` that tells the requests so far.
    """

    def __init__(
        self, runner: asyncio.Runner, sides: tuple[Side, Side], group: str, register: Register
    ) -> None:
        self.group = group
        self.register = register
        self.requests = 0
        self.admission: Admission | None = None
        self.namespace = ""
        self._runner = runner
        self._real, self._embedded = sides
        self._since: list[str] = []
        self._told: list[str] = []
        self._parted = False
        self._rule = Rule()

    def begin(self, rule: Rule) -> None:
        """Begin a sequence of requests, in a namespace with such a rule."""
        self.namespace = f"differential-{secrets.token_hex(4)}"
        self._told, self._parted = [], False
        for side in self.sides:
            side.forget()
        if self.admission:
            self.admission.begin()
        path = f"{_NAMESPACES}/{self.namespace}"
        self._rule = rule
        metadata = {"name": self.namespace, "labels": rule.labels}
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
        self.ask(Step("POST", _NAMESPACES, base=body))
        self.ask(Step("GET", path))
        assert not self._parted, "a server does not answer"
        self._since = [side.fill(Open("version", path)) for side in self.sides]
        self._together(*(rule.impose(side.api, self.namespace) for side in self.sides))
        self._told.append(f"  ruled by {rule}")

    def ask(self, step: Step) -> bool:
        """Send a request to both servers, and compare the answers; whether the real one took it."""
        if self._parted:
            return False
        self.requests += 1
        replies = self._together(*(side.send(step) for side in self.sides))
        self._told.append(f"{step}\n  -> {' and '.join(str(reply.status) for reply in replies)}")
        if replies[0].status in _UNUSABLE:
            self._parted = True
            return False
        real, embedded = (side.normal.answer(reply) for side, reply in zip(self.sides, replies, strict=True))
        kept = step.method != "GET" and not step.dry and min(reply.status for reply in replies) < _REFUSED
        found = [*differing_answers(real, embedded), *self._differing_calls()]
        self._judge(str(step).partition("\n")[0], found, kept=kept)
        return bool(replies[0].status < _REFUSED)

    def both(self, work: Callable[[Side], Coroutine[Any, Any, None]]) -> None:
        """Do something at both servers that is not compared."""
        self._together(*(work(side) for side in self.sides))

    def read(self, path: str) -> Any:
        """The object at a path as both servers have it; `None` where there is none."""
        self.ask(Step("GET", path))
        one, other = (side.stored(path) for side in self.sides)
        return None if one is None or other is None else in_common(path, one, other)

    def end(self, subjects: Sequence[Subject]) -> None:
        """Compare what is used, and the events of every collection."""
        self._admit_everything()
        if self._rule.hard:
            self.ask(Step("GET", f"{_NAMESPACES}/{self.namespace}/resourcequotas/{QUOTA}"))
        self._together(*(self._rule.lift(side.api, self.namespace) for side in self.sides))
        for subject in subjects:
            self._compare_events(subject)

    def clear(self, subjects: Sequence[Subject]) -> None:
        """Remove what the sequence has left."""
        self._admit_everything()
        self._together(*(self._clear(side.api, subjects) for side in self.sides))

    @property
    def sides(self) -> tuple[Side, Side]:
        """The real server and the embedded one."""
        return self._real, self._embedded

    def _differing_calls(self) -> Iterator[Difference]:
        """In what the calls of webhooks differ that the last request has led to."""
        if self.admission:
            self._told.append(f"  {self.admission}")
            real, embedded = self.admission.calls(self.sides)
            yield from differences(real, embedded, "/calls")

    def _judge(self, request: str, found: Sequence[Difference], *, kept: bool) -> None:
        unexpected = self.register.unexpected(request, found)
        self._parted |= bool(found) and kept
        if unexpected:
            raise AssertionError(self._report(unexpected))

    def _report(self, unexpected: Sequence[Difference]) -> str:
        lines = ["the servers differ", *self._told, *(f"    {each}" for each in unexpected)]
        return "\n".join(lines).replace(self.namespace, "NS").replace(self.group, "GROUP")

    def _compare_events(self, subject: Subject) -> None:
        last = subject.name(self.namespace, f"{_LAST}{len(self._told)}")
        path = subject.collection(self.namespace)
        taken = self.ask(Step("POST", path, base=subject.manifest(last)))
        if self._parted or not taken:
            return
        own = "" if subject.namespaced else self.namespace
        watched = zip(self.sides, self._since, strict=True)
        real, embedded = self._together(*(side.events(path, since, last, own) for side, since in watched))
        if real[-1]["type"] == "ERROR":
            return  # the real server keeps events for a short while only, and others may use it too
        self._told.append(f"GET {path}?watch=1")
        found = differences(real, embedded, "/events")
        self._judge(f"WATCH {path}", list(found), kept=False)

    async def _clear(self, api: Api, subjects: Sequence[Subject]) -> None:
        for subject in subjects:
            path = subject.collection(self.namespace)
            for found in (await api.get(path)).ok()["items"]:
                name = found["metadata"]["name"]
                if subject.namespaced or name.startswith(self.namespace):
                    await api.patch(f"{path}/{name}", {"metadata": {"finalizers": None}})
                    await api.delete(f"{path}/{name}", _AT_ONCE)
        path = f"{_NAMESPACES}/{self.namespace}"
        namespace = (await api.delete(path)).body
        await api.update(f"{path}/finalize", {**namespace, "spec": {"finalizers": []}})

    def _admit_everything(self) -> None:
        if self.admission:
            self.admission.idle = True

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the event loop of the servers."""
        return self._runner.run(work)

    def _together(self, *calls: Coroutine[Any, Any, Any]) -> list[Any]:
        async def all_of_them() -> list[Any]:
            return await asyncio.gather(*calls)

        return self._runner.run(all_of_them())


@asynccontextmanager
async def serving(
    transports: tuple[Transport, Transport], doors: tuple[Door | None, Door | None]
) -> AsyncIterator[tuple[tuple[Side, Side], str]]:
    """The servers behind two transports, both serving the custom kind, and the group of that kind."""
    group = f"differential-{secrets.token_hex(4)}.example.com"
    real, embedded = (Side(Api(one), door) for one, door in zip(transports, doors, strict=True))
    definitions = [Definitions(side.api, "default") for side in (real, embedded)]
    try:
        for each in definitions:
            await each.serve_definition(custom_definition(group))
        yield (real, embedded), group
    finally:
        for each in definitions:
            await each.close()
        for transport in (*transports, *(door.transport for door in doors if door)):
            await transport.close()


@contextmanager
def pair_of(
    transports: Callable[[], tuple[Transport, Transport]],
    register: Register,
    doors: Callable[[], tuple[Door | None, Door | None]] = lambda: (None, None),
) -> Iterator[Pair]:
    """Two servers to compare: the first is right. The transports are made in the loop that they are used in."""
    with asyncio.Runner() as runner:

        async def opened() -> tuple[tuple[Side, Side], str]:
            return await stack.enter_async_context(serving(transports(), doors()))

        stack = AsyncExitStack()
        sides, group = runner.run(opened())
        try:
            yield Pair(runner, sides, group, register)
        finally:
            runner.run(stack.aclose())
