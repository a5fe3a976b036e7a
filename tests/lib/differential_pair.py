"""Two servers that get the same requests, and what is made of their answers."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from contract import Api
from contract_crd import Definitions
from contract_target import transport_to
from differential_custom import custom_definition
from differential_side import Side
from differential_step import Step, in_common
from differential_verdict import Difference, differences
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Sequence

    from contract import Object, Reply
    from differential_subject import Subject
    from differential_verdict import Register
    from windlass.testing import Access

_NAMESPACES: Final = "/api/v1/namespaces"
_LAST: Final = "z"
_BUSY: Final = frozenset({429, 503, 504})


class Pair:
    """The real server and the embedded one, asked the same.

    Every sequence of requests has a namespace of its own, of the same name on both. Where the servers part, by
    an accepted difference in what they store, the rest of the sequence says nothing and is left out. Other
    differences end it as an `AssertionError` that tells the requests so far.
    """

    def __init__(
        self, runner: asyncio.Runner, sides: tuple[Side, Side], register: Register, group: str
    ) -> None:
        self.group = group
        self.real, self.embedded = sides
        self.register = register
        self.requests = 0
        self._runner = runner
        self._begun: dict[str, str] = {}
        self.begin()

    def begin(self) -> None:
        """Begin a sequence of requests."""
        self.namespace = f"differential-{secrets.token_hex(4)}"
        self.parted = False
        self.told: list[str] = []
        for side in (self.real, self.embedded):
            side.forget()
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}
        self.ask(Step("POST", _NAMESPACES, base=body))
        self._begun = {
            side.name: self._run(side.api.get(f"{_NAMESPACES}/{self.namespace}")).ok()["metadata"][
                "resourceVersion"
            ]
            for side in (self.real, self.embedded)
        }

    def ask(self, step: Step) -> Reply | None:
        """Send a request to both servers and compare the answers: the real one's, `None` once they parted."""
        if self.parted:
            return None
        self.requests += 1
        sides = (self.real, self.embedded)
        replies = self._together(*(side.send(step) for side in sides))
        self.told.append(f"{step}\n  -> {' and '.join(str(reply.status) for reply in replies)}")
        if replies[0].status in _BUSY:
            self.parted = True
            return None
        answers = [side.normal.answer(reply) for side, reply in zip(sides, replies, strict=True)]
        found = list(differences(*answers))
        kept = step.method != "GET" and not step.dry and min(reply.status for reply in replies) < 300
        self._judge(str(step).partition("\n")[0], found, kept=kept)
        real: Reply = replies[0]
        return real

    def read(self, path: str) -> Any:
        """The object at a path as both servers have it; `None` where there is none."""
        self.ask(Step("GET", path))
        one, other = self.real.stored(path), self.embedded.stored(path)
        return None if one is None or other is None else in_common(path, one, other)

    def end(self, subjects: Sequence[Subject]) -> None:
        """Compare the events of every collection, then clear up."""
        try:
            for subject in subjects if not self.parted else ():
                self._compare_events(subject)
        finally:
            self.clear(subjects)

    def clear(self, subjects: Sequence[Subject]) -> None:
        """Remove what the sequence has left."""
        self._together(*(self._clear(side, subjects) for side in (self.real, self.embedded)))

    def _judge(self, request: str, found: Sequence[Difference], *, kept: bool) -> None:
        unexpected = [each for each in found if not self.register.accepts(request, each)]
        self.parted |= bool(found) and kept
        if unexpected:
            told = "\n".join(self.told).replace(self.namespace, "NS")
            shown = "\n".join(f"    {each}" for each in unexpected).replace(self.namespace, "NS")
            raise AssertionError(f"the servers differ\n{told}\n{shown}")

    def _compare_events(self, subject: Subject) -> None:
        last = subject.name(self.namespace, f"{_LAST}{len(self.told)}")
        path = subject.collection(self.namespace)
        self.ask(Step("POST", path, base=subject.manifest(last)))
        if self.parted:
            return
        real, embedded = self._together(
            *(side.events(path, self._begun[side.name], last) for side in (self.real, self.embedded))
        )
        if not subject.namespaced:
            real, embedded = self._own(real), self._own(embedded)
        if real and real[-1]["type"] == "ERROR":
            return  # the real server is used by others too, and keeps events for a short while only
        self.told.append(f"GET {path}?watch=1")
        self._judge(f"WATCH {path}", list(differences(real, embedded)), kept=False)

    def _own(self, events: list[Object]) -> list[Object]:
        return [event for event in events if event["object"]["metadata"]["name"].startswith(self.namespace)]

    async def _clear(self, side: Side, subjects: Sequence[Subject]) -> None:
        for subject in subjects:
            path = subject.collection(self.namespace)
            if subject.namespaced:
                found = (await side.api.get(path)).ok()["items"]
            else:
                found = self._named((await side.api.get(path)).ok()["items"])
            for name in (each["metadata"]["name"] for each in found):
                await side.api.patch(f"{path}/{name}", {"metadata": {"finalizers": None}})
                await side.api.delete(f"{path}/{name}", gracePeriodSeconds=0, propagationPolicy="Background")
        path = f"{_NAMESPACES}/{self.namespace}"
        namespace = (await side.api.delete(path)).body
        await side.api.update(f"{path}/finalize", {**namespace, "spec": {"finalizers": []}})

    def _named(self, items: list[Object]) -> list[Object]:
        return [item for item in items if item["metadata"]["name"].startswith(self.namespace)]

    def _together(self, *calls: Coroutine[Any, Any, Any]) -> list[Any]:
        async def all_of_them() -> list[Any]:
            return await asyncio.gather(*calls)

        return self._run(all_of_them())

    def _run(self, call: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(call)


@asynccontextmanager
async def two_sides(control_plane: Access) -> AsyncIterator[tuple[tuple[Side, Side], str]]:
    """The server of this run and an embedded one, both serving the custom kind, and the group of that kind."""
    name = f"differential-{secrets.token_hex(4)}"
    transports = (transport_to(control_plane), Cluster().transport())
    sides = (Side("real", Api(transports[0])), Side("embedded", Api(transports[1])))
    definitions = [Definitions(side.api, "default") for side in sides]
    group = f"{name}.example.com"
    try:
        for each in definitions:
            await each.serve_definition(custom_definition(group))
        yield sides, group
    finally:
        for each in definitions:
            await each.close()
        for transport in transports:
            await transport.close()
