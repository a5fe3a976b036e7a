from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.aio import within
from windlass.apiserver.outside.endpoint import ready_endpoints
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.apiserver.kubelet import Kubelet
    from windlass.apiserver.outside.target import Target
    from windlass.apiserver.world import World

_log = logging.getLogger("windlass.apiserver")
TIMED_OUT: Final = "context deadline exceeded"


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answered."""

    status: int
    body: bytes
    content_type: str = "application/json"


Handler = Callable[[str, bytes], Awaitable[Answer]]
"""Somebody in this process: the path and the body of a POST in, the answer out."""


class Unreachable(WindlassError):
    """Nobody answered; the message says why."""


class Untrustworthy(Unreachable):
    """Nobody was even called: the certificates by which they would be known are none."""


class Network:
    """Whom the server reaches, and how.

    An address, `host:port`, is somebody of this process, or another address, if `lead` said so; otherwise it
    is connected to over TLS. The address of a service, `name.namespace.svc:port`, leads to a pod behind it
    that is ready, by its EndpointSlices; that of a pod leads nowhere by itself.
    """

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._addresses: dict[str, str] = {}
        self._kubelets: dict[str, Kubelet] = {}

    def attach(self, address: str, kubelet: Kubelet) -> None:
        """Let the kubelet of a node be reached at its address."""
        self._kubelets[address] = kubelet

    def detach(self, address: str) -> None:
        """Let nobody be there any more."""
        self._kubelets.pop(address, None)

    def kubelet(self, address: str) -> Kubelet | None:
        """The kubelet at an address, if there is one."""
        return self._kubelets.get(address)

    def lead(self, address: str, to: Handler | str) -> None:
        """Let an address be somebody of this process, or another address."""
        self._handlers.pop(address, None)
        self._addresses.pop(address, None)
        if isinstance(to, str):
            self._addresses[address] = to
        else:
            self._handlers[address] = to

    def led(self, address: str) -> Handler | str | None:
        """Where an address leads, as far as that was said."""
        return self._handlers.get(address) or self._addresses.get(address)

    async def post(self, target: Target, body: bytes, limit: timedelta, world: World) -> Answer:
        """Send a body, and wait for the answer.

        Raises:
            Unreachable: nobody answered, or not in time.
        """
        url = f"{target.url}?timeout={limit.total_seconds():.0f}s"
        handler = self._handlers.get(target.address)
        work = _called(handler, target, body) if handler else self._connected(target, url, body, world)
        try:
            return await within(world.clock, limit, work)
        except TimeoutError as error:
            raise Unreachable(f'Post "{url}": {TIMED_OUT}') from error

    async def _connected(self, target: Target, url: str, body: bytes, world: World) -> Answer:
        address = self._addresses.get(target.address)
        if address is None and target.service is not None:
            try:
                address = _service_address(world, *target.service, target.port)
            except Unreachable as error:
                raise Unreachable(f'Post "{url}": {error}') from error
            if handler := self._handlers.get(address):
                return await _called(handler, target, body)
        from windlass.apiserver.outside import https  # most servers reach nobody

        return await https.post(target, address or target.address, url, body)


def _service_address(world: World, namespace: str, name: str, port: int) -> str:
    """Where a service leads: to its external name, or to one of its ready pods.

    Raises:
        Unreachable: there is no such service, or nobody behind it.
    """
    record = world.store.collection("/services").get(f"{namespace}/{name}")
    if record is None:
        raise Unreachable(f'service "{name}" not found')
    spec = record.object()["spec"]
    if spec.get("type") == "ExternalName":
        return f"{spec['externalName']}:{port}"
    if spec.get("clusterIP") == "None":
        raise Unreachable('cannot route to service with ClusterIP "None"')
    names = [each.get("name", "") for each in spec.get("ports", ()) if each["port"] == port]
    if not names:
        raise Unreachable(f'no service port {port} found for service "{name}"')
    pods = ready_endpoints(world.store, namespace, name, names[0])
    if not pods:
        raise Unreachable(f'no endpoints available for service "{name}"')
    pod = world.chance.choice(pods)
    led = world.network.led(pod)
    if led is None:
        raise Unreachable(f"dial tcp {pod}: connect: connection refused")
    return led if isinstance(led, str) else pod


async def _called(handler: Handler, target: Target, body: bytes) -> Answer:
    """What a function of this process answers; one that fails hangs up, as another process would."""
    try:
        return await handler(target.path, body)
    except Unreachable as error:
        raise Unreachable(f'Post "{target.url}": {error}') from error
    except Exception as error:
        _log.exception("the function that is %s failed", target.address)
        raise Unreachable(f'Post "{target.url}": EOF') from error
