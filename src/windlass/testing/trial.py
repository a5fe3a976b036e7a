from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from windlass.api import Key, Resource
from windlass.client import WatchOptions
from windlass.controller import reporting
from windlass.testing.drift import DriftReport, assert_drift_repaired
from windlass.testing.settled import assert_settled, rest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from windlass.client import Client, Request
    from windlass.controller import Run
    from windlass.manager import Manager
    from windlass.testing.faulty import FaultyTransport
    from windlass.testing.privilege import Granted
    from windlass.testing.settled import RecordingTransport

R = TypeVar("R", bound=Resource)
_PATIENCE = timedelta(seconds=20)
_RUNS_TOLD = 3
_FROM_NOW = WatchOptions(initial_events=True)


class Trial:
    """An operator that runs in a test, and what the test wants of it.

    `client` is the user's, whose objects lie in `namespace`, which is this test's alone. `network` is the way
    from the operator to the server, on which things can be made to go wrong, and `granted` what it may do,
    where it runs with the least privilege.
    """

    def __init__(
        self,
        client: Client,
        manager: Manager,
        network: FaultyTransport,
        sent: RecordingTransport,
        granted: Granted | None = None,
    ) -> None:
        self.client = client
        self.manager = manager
        self.network = network
        self.granted = granted
        self._sent = sent

    @property
    def namespace(self) -> str:
        """Where the test's objects lie."""
        return self.client.options.namespace

    @property
    def requests(self) -> Sequence[Request]:
        """What the operator has sent, watches aside."""
        return self._sent.requests

    async def until(
        self, kind: type[R], name: str, accept: Callable[[R], bool], *, within: timedelta = _PATIENCE
    ) -> R:
        """An object of the test's namespace, as soon as it is as wanted.

        Raises:
            AssertionError: it was not in time; the message has its last state, and what the operator did.
        """
        async with aclosing(self._states(kind, name, within)) as states:
            async for state in states:
                if state is not None and accept(state):
                    return state
        raise RuntimeError("a watch without an end has ended")

    async def ready(self, kind: type[R], name: str, *, within: timedelta = _PATIENCE) -> R:
        """An object, as soon as its ready condition is true of its present generation.

        Raises:
            AssertionError: it was not in time; the message says what the operator did.
            TypeError: the kind has no such condition; say what to wait for with `until`.
        """
        return await self.until(kind, name, is_ready, within=within)

    async def gone(self, kind: type[Resource], name: str, *, within: timedelta = _PATIENCE) -> None:
        """Wait until an object of the test's namespace is gone.

        Raises:
            AssertionError: it was not in time; the message has its finalizers.
        """
        async with aclosing(self._states(kind, name, within)) as states:
            async for state in states:
                if state is None:
                    return

    async def rest(self, *, within: timedelta = _PATIENCE) -> None:
        """Wait until the operator has nothing left to do.

        Raises:
            AssertionError: it always has.
        """
        await rest(self.manager, within)

    async def settled(self) -> None:
        """Fail unless another pass over all objects makes no API call: `assert_settled`.

        Raises:
            AssertionError: calls were made, each is named; or the operator does not come to rest.
        """
        await assert_settled(self.manager, self._sent)

    async def assert_drift_repaired(
        self, *kinds: type[Resource], within: timedelta = _PATIENCE
    ) -> DriftReport:
        """Edit every field that the operator applied, and fail unless each is put back.

        It edits the objects of these kinds, or of all kinds. Each field is set to another value and then
        removed, and Secrets are edited by `stringData` and emptied. The report lists what was repaired, and
        the fields that the server does not let others edit.

        Raises:
            AssertionError: a field was not put back in time, or no field could be edited; each is named.
        """
        await self.rest(within=within)
        return await assert_drift_repaired(self.client, self.manager, kinds, within)

    def runs(self, name: str) -> Sequence[Run]:
        """What was done for an object of the test's namespace, the last run first."""
        key = Key(self.namespace, name)
        found = [
            run for each in self.manager.controllers for run in self.manager.journal.runs(each.name, key)
        ]
        return sorted(found, key=lambda run: run.started, reverse=True)

    async def _states(self, kind: type[R], name: str, within: timedelta) -> AsyncGenerator[R | None, None]:
        """What becomes of an object, None while it is not there.

        Raises:
            AssertionError: the time is over.
        """
        state: R | None = None
        where = self.namespace if kind.__kind__.namespaced else ""
        try:
            async with asyncio.timeout(within.total_seconds()):
                while True:  # a server ends each watch in time
                    found = self.client.watch(kind, where, fields=f"metadata.name={name}", options=_FROM_NOW)
                    async with aclosing(found) as events:
                        async for event in events:
                            if event.type != "BOOKMARK":
                                state = None if event.type == "DELETED" else event.object
                                yield state
                            elif event.initial_events_end and state is None:
                                yield None
        except TimeoutError:
            raise AssertionError(self._told(kind, name, state, within)) from None

    def _told(self, kind: type[Resource], name: str, last: Resource | None, within: timedelta) -> str:
        state = last.to_wire() if last is not None else "not there"
        runs = [f"  {_run_told(run)}" for run in self.runs(name)[:_RUNS_TOLD]] or ["  nothing"]
        did = "\n".join(runs)
        return (
            f"{kind.__name__} {name} is not as wanted after {within.total_seconds():g} s: {state}\n"
            f"what the operator did for it, the last first:\n{did}"
        )


def _run_told(run: Run) -> str:
    writes = ", ".join(f"{each.verb} {each.kind} {each.key.name}" for each in run.writes) or "wrote nothing"
    said = f"{run.reason} {run.message}".strip()
    return f"because of {', '.join(run.causes)}: {writes}; {run.outcome}: {said}"


def is_ready(resource: Resource) -> bool:
    """Whether the ready condition of an object is true of its present generation.

    Raises:
        TypeError: its kind has none.
    """
    ready = reporting(type(resource)).ready
    if not ready:
        raise TypeError(f"{type(resource).__name__} declares no ready condition: wait with `until`")
    status = resource.to_wire().get("status") or {}
    observed = status.get("observedGeneration", resource.metadata.generation)
    conditions = {each["type"]: each["status"] for each in status.get("conditions", ())}
    return observed == resource.metadata.generation and conditions.get(ready) == "True"
