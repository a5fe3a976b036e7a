from __future__ import annotations

from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Self

from windlass.cluster.access import ADMIN, Access, token_of
from windlass.cluster.credentials import kept_credentials, new_credentials, write_private
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from tempfile import TemporaryDirectory
    from types import TracebackType

    from windlass.apiserver import ApiServer, AuditEvent, Listening, World
    from windlass.apiserver.disk import Folder
    from windlass.apiserver.fault import Injector
    from windlass.apiserver.outside import Handler
    from windlass.client import Transport
    from windlass.cluster.node import ApiAddress, NodeOptions, Nodes

MASTERS = "system:masters"
CONTROLLERS = "system:kube-controller-manager"
NODES = "system:node"
_IN_PROCESS = "https://in-process.invalid"
_NOWHERE = "nowhere"  # what has no port writes no files


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """How an embedded cluster is started.

    `port`: the loopback port to serve HTTPS on, 0 for a free one; `None` for no port at all.
    `users`: names, each with its groups, for whom there is to be a token besides `admin`, who may do
    everything, and `nobody`, who is in no group.
    `world`: the time, chance and store to use instead of the machine's own.
    `data`: a folder in which everything is kept for the next cluster that is given it: objects with their
    versions and history, users' tokens, certificates. Nothing is answered before it is on disk. The store of
    `world` is then the one of the folder.
    `upkeep`: whether quotas are counted and roles that are made of others made, as controllers of a real
    cluster do. Without it a quota limits what its status says, which is nothing before somebody writes it,
    and `admin`, `edit` and `view` allow nothing.
    `service_accounts`: let a pod need a ServiceAccount without controllers too; somebody must create it.
    `controllers`: whether the controllers of a real cluster run: garbage collection, namespaces, workloads, a
    scheduler. A pod then needs a ServiceAccount, which one of them makes for each namespace.
    `nodes`: how many simulated nodes run pods, or which.
    `audit_log`: a file to which each request is appended, as a line of JSON in the form of the audit log of a
    real server.
    """

    port: int | None = None
    users: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    world: World | None = None
    data: Path | None = None
    upkeep: bool = True
    service_accounts: bool = False
    controllers: bool = False
    nodes: int | NodeOptions = 0
    audit_log: Path | None = None


class Cluster:
    """An embedded control plane for the length of an `async with` block.

    `server` is the API server. Everything that it writes to disk, the kubeconfig, is in a folder that goes
    with it, or in that of its data, which stays. At the end of the block nobody listens any more, and watches
    that are being read end.

    Raises:
        ConfigError: another process has the folder of the data, or it or the audit log cannot be used.
    """

    def __init__(self, options: ClusterOptions | None = None) -> None:
        self._options = options or ClusterOptions()
        self._folder: TemporaryDirectory[str] | None = None
        self._listening: Listening | None = None
        self._log = ExitStack()
        self._running = AsyncExitStack()
        self._controllers_token, self._nodes_token = token_urlsafe(), token_urlsafe()
        self._nodes: Nodes | None = None
        self._data = _opened(self._options.data)
        try:
            groups = {ADMIN: (MASTERS,), "nobody": (), **self._options.users}
            self._credentials = (
                kept_credentials(self._data.path, groups) if self._data else new_credentials(groups)
            )
            self.server: ApiServer = self._new_server(groups)
        except BaseException:
            if self._data:
                self._data.release()
            raise

    @cached_property
    def access(self) -> Access:
        """How to reach it over HTTPS, and as whom. Certificates are made when it is first asked for."""
        from windlass.pki import authority

        return Access(
            server=_IN_PROCESS,
            tokens=self._credentials.tokens,
            authority=self._credentials.authority or authority("windlass"),
            folder=Path(_NOWHERE),
            controllers=self._options.controllers,
        )

    def transport(self, user: str = ADMIN) -> Transport:
        """How a client in this process reaches the server as a user, by calls alone."""
        return self._as(token_of(user, self._credentials.tokens))

    def audit(self, most: int = 100_000) -> AbstractContextManager[Sequence[AuditEvent]]:
        """Each request of a block: who attempts what, whether they may and by which rule, and the answer.

        with cluster.audit() as trail:
            ...
        denied = [str(each) for each in trail if each.code == 403]

        The last `most` are kept. `each.json` is what the audit log of a real server has of it.
        """
        return self.server.audit.recording(most)

    def lead(self, address: str, to: Handler | str) -> None:
        """Say who is at an address that the server calls, for webhooks: `host:port`.

        It is somebody of this process, who is given the path and the body of each POST, or another address.
        That of a service is `name.namespace.svc:port`; nobody is there before this is said.

        async def admit(path: str, body: bytes) -> Answer: ...

        cluster.lead("checker.default.svc:443", admit)
        """
        self.server.world.network.lead(address, to)

    @property
    def faults(self) -> Injector:
        """What is to go wrong, in this process and over HTTPS.

        with cluster.faults.applied(Faults(lost=0.1), seed=7):
            ...
        """
        return self.server.faults

    @property
    def nodes(self) -> Nodes:
        """Its simulated nodes, to be lost and restored.

        Raises:
            ConfigError: it has none; the option `nodes` says how many it has.
        """
        if self._nodes is None:
            raise ConfigError("this cluster runs no nodes: ask for some with the option nodes")
        return self._nodes

    async def kill(self) -> None:
        """End every connection to the port and take no more, until `restart`; objects stay.

        A transport of this process has no connection that could end: `faults`, or a `FaultyTransport`
        around it, do what is wanted there.
        """
        if self._listening:
            await self._listening.close()

    async def restart(self) -> None:
        """Kill the server, and serve the same objects on the same port again."""
        if self._listening:
            await self.kill()
            self._listening = await self._listen(self._listening.port)

    def compact(self) -> None:
        """Forget the history: who watches or pages from a version of the past is told that it is gone."""
        self.server.world.store.compact()

    async def __aenter__(self) -> Self:
        try:
            if self._options.audit_log is not None:
                self._log.enter_context(self.server.audit.writing(self._options.audit_log))
            if self._options.port is not None:
                self._listening = await self._listen(self._options.port)
                self._publish(self._listening.url)
            if self._options.controllers:
                await self._start_controllers()
            if self._options.nodes:
                await self._start_nodes(self._options.nodes)
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        await self._running.aclose()
        self.server.close()
        if self._listening:
            await self._listening.close()
        self._log.close()
        if self._folder:
            self._folder.cleanup()
        if self._data:
            await self._data.close()

    def _new_server(self, groups: Mapping[str, tuple[str, ...]]) -> ApiServer:
        from windlass.apiserver import ApiServer, ServerOptions, User, World

        known = self._credentials
        users = {known.tokens[user]: User(user, those, uid=user) for user, those in groups.items()}
        users[self._controllers_token] = User(CONTROLLERS, (MASTERS,))
        users[self._nodes_token] = User(NODES, (MASTERS,))
        world = self._options.world or World()
        if self._data:
            world = replace(world, store=self._data.store)
        return ApiServer(
            ServerOptions(
                world=world,
                tokens=users,
                signing_key=known.signing_key,
                upkeep=self._options.upkeep,
                service_accounts=self._options.service_accounts or self._options.controllers,
            )
        )

    async def _start_controllers(self) -> None:
        from windlass.cluster.whole import controllers_running

        running = controllers_running(
            self._as(self._controllers_token), self.server.world, lambda: self.access.ca
        )
        await self._running.enter_async_context(running)

    async def _start_nodes(self, nodes: int | NodeOptions) -> None:
        from windlass.cluster.node import NodeOptions
        from windlass.cluster.whole import simulated_nodes

        options = NodeOptions(count=nodes) if isinstance(nodes, int) else nodes
        transport = self._as(self._nodes_token)
        running = simulated_nodes(transport, self.server.world, options, self._address())
        self._nodes = await self._running.enter_async_context(running)

    def _address(self) -> ApiAddress | None:
        """Where programs find the server, if it has a port."""
        from windlass.cluster.node import ApiAddress

        if self._listening is None:
            return None
        return ApiAddress("127.0.0.1", self._listening.port, self.access.ca)

    def _as(self, token: str) -> Transport:
        from windlass.cluster.transport import InProcessTransport

        return InProcessTransport(self.server, {"authorization": f"Bearer {token}"})

    async def _listen(self, port: int) -> Listening:
        from windlass.apiserver import listen
        from windlass.pki import serving_certificate

        authority = self.access.authority
        certificate = serving_certificate(authority, ["127.0.0.1", "localhost"])
        return await listen(self.server, certificate, authority.certificate, port)

    def _publish(self, url: str) -> None:
        """Write down where the server is."""
        from tempfile import TemporaryDirectory

        if self._data:
            folder = self._data.path
        else:
            self._folder = TemporaryDirectory(prefix="windlass-")
            folder = Path(self._folder.name)
        self.access = replace(self.access, server=url, folder=folder)
        write_private(self.access.kubeconfig, self.access.kubeconfig_for())


def _opened(path: Path | None) -> Folder | None:
    if path is None:
        return None
    from windlass.apiserver.disk import Folder  # SQLite is for those who want it

    return Folder(path)
