from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar, cast

from windlass.api import Resource, is_secret
from windlass.client import Client, DeleteOptions, MergePatch, Request
from windlass.errors import NotFound
from windlass.testing.simulation.judge import Sent
from windlass.testing.simulation.reach import Reached
from windlass.testing.simulation.transport import SimulatedTransport, is_write, said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from windlass.client import Transport
    from windlass.testing.simulation.channel import Channels
    from windlass.testing.simulation.court import Court
    from windlass.testing.simulation.outside import Outside
    from windlass.testing.simulation.process import Process
    from windlass.testing.simulation.scenario import Scenario
    from windlass.testing.simulation.truth import Truth

R = TypeVar("R", bound=Resource)
_AS_KUBECTL = DeleteOptions(propagation="Background")
Away = TypeVar("Away", bound="Outside")


class SimulatedWorld:
    """A simulation as a scenario sees it.

    `client` is that of the people who use the operator; their requests arrive. `trace` tells what happened.
    """

    def __init__(self, scenario: Scenario, transport: Transport, truth: Truth, channels: Channels) -> None:
        self.scenario = scenario
        self.client = Client(transport)
        self.trace = channels.wire.trace
        self.truth = truth
        self.court: Court | None = None
        self._server = transport
        self.channels = channels

    async def pause(self, delay: timedelta) -> None:
        """Let time go on."""
        await asyncio.sleep(delay.total_seconds())

    def get(self, kind: type[R], name: str, namespace: str = "default") -> R | None:
        """One object as it is stored at this instant; no request is made."""
        return self.truth.get(kind, name, namespace)

    def list(self, kind: type[R]) -> Sequence[R]:
        """All objects of a kind as they are stored at this instant."""
        return self.truth.list(kind)

    async def create(self, resource: R) -> R:
        """Create an object as a person; without a namespace it lies in `default`."""
        self.trace.add("people", "create", f"{type(resource).__name__} {resource.metadata.name}")
        if resource.__kind__.namespaced and not resource.metadata.namespace:
            resource.metadata.namespace = "default"
        return await self.client.create(resource)

    async def change(
        self, kind: type[R], name: str, content: dict[str, Any], namespace: str = "default"
    ) -> R | None:
        """Change fields of an object by a merge patch, as a person; None when it is gone."""
        if is_secret(kind.__kind__):
            self.trace.secrets.note(content)
        self.trace.add("people", "change", f"{kind.__name__} {name} {content}")
        try:
            return await self.client.patch(kind, name, MergePatch(content), namespace)
        except NotFound:
            return None

    async def delete(self, kind: type[Resource], name: str, namespace: str = "default") -> None:
        """Delete an object as a person does with kubectl, if it is there: its dependents go too."""
        self.trace.add("people", "delete", f"{kind.__name__} {name}")
        try:
            await self.client.delete(kind, name, namespace, options=_AS_KUBECTL)
        except NotFound:
            return

    def reach(self, outside: Away) -> Away:
        """Something outside as the operator's processes reach it: late, or not at all."""
        return cast("Away", Reached(outside, self.channels.wire, self.truth, self._told))

    def transport(self) -> Transport:
        """How the operator's processes reach the API server, past every fence."""
        return SimulatedTransport(self._server, self.channels, self._told_request)

    def _told_request(self, process: Process, request: Request) -> None:
        now = self.channels.wire.loop.time()
        self._told(Sent(now, process, said(request), is_write(request), request))

    def _told(self, sent: Sent) -> None:
        if self.court is not None:
            self.court.sent(sent)
