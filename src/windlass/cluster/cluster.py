from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from windlass.cluster.access import ADMIN, KUBECONFIG, Access, token_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from tempfile import TemporaryDirectory
    from types import TracebackType

    from windlass.apiserver import ApiServer, Decision, Listening, World
    from windlass.client import Transport

MASTERS = "system:masters"
_IN_PROCESS = "https://in-process.invalid"
_NOWHERE = "nowhere"  # what has no port writes no files


@dataclass(frozen=True, kw_only=True)
class ClusterOptions:
    """How an embedded cluster is started.

    `port`: the loopback port to serve HTTPS on, 0 for a free one; `None` for no port at all.
    `users`: names, each with its groups, for whom there is to be a token besides `admin`, who may do
    everything, and `nobody`, who is in no group.
    `world`: the time, chance and store to use instead of the machine's own.
    `recount`: whether quotas are kept up to date, as a controller of a real cluster does. Without it they
    limit what their status says, which is nothing before somebody writes it.
    `service_accounts`: whether a pod needs a ServiceAccount, as in a real cluster, where a controller makes
    one for each namespace.
    """

    port: int | None = None
    users: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    world: World | None = None
    recount: bool = True
    service_accounts: bool = False


class Cluster:
    """An embedded control plane for the length of an `async with` block.

    `server` is the API server. Everything that it writes to disk, the kubeconfig, is in a folder that goes
    with it. At the end of the block nobody listens any more, and watches that are being read end.
    """

    def __init__(self, options: ClusterOptions | None = None) -> None:
        import secrets

        from windlass.apiserver import ApiServer, ServerOptions, User, World

        self._options = options or ClusterOptions()
        groups = {ADMIN: (MASTERS,), "nobody": (), **self._options.users}
        self._tokens = {user: secrets.token_urlsafe(24) for user in groups}
        self._folder: TemporaryDirectory[str] | None = None
        self._listening: Listening | None = None
        users = {token: User(user, groups[user], uid=user) for user, token in self._tokens.items()}
        world = self._options.world or World()
        self.server: ApiServer = ApiServer(
            ServerOptions(
                world=world,
                tokens=users,
                recount=self._options.recount,
                service_accounts=self._options.service_accounts,
            )
        )

    @cached_property
    def access(self) -> Access:
        """How to reach it over HTTPS, and as whom. Certificates are made when it is first asked for."""
        from windlass.pki import authority

        return Access(
            server=_IN_PROCESS,
            tokens=self._tokens,
            authority=authority("windlass"),
            folder=Path(_NOWHERE),
        )

    def transport(self, user: str = ADMIN) -> Transport:
        """How a client in this process reaches the server as a user, by calls alone."""
        from windlass.cluster.transport import InProcessTransport

        return InProcessTransport(self.server, {"authorization": f"Bearer {token_of(user, self._tokens)}"})

    def audit(self, most: int = 100_000) -> AbstractContextManager[Sequence[Decision]]:
        """Who attempts what in a block, whether they may and by which rule; the last `most` of it.

        with cluster.audit() as decisions:
            ...
        denied = [each for each in decisions if not each.verdict.allowed]
        """
        return self.server.audit.recording(most)

    async def kill(self) -> None:
        """End every connection to the port and take no more, until `restart`; objects stay.

        A transport of this process has no connection that could end: a `FaultyTransport` around it does
        what is wanted there.
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
        if self._options.port is not None:
            try:
                self._listening = await self._listen(self._options.port)
                self._publish(self._listening.url)
            except BaseException:
                await self._close()
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _close(self) -> None:
        self.server.close()
        if self._listening:
            await self._listening.close()
        if self._folder:
            self._folder.cleanup()

    async def _listen(self, port: int) -> Listening:
        from windlass.apiserver import listen
        from windlass.pki import serving_certificate

        authority = self.access.authority
        certificate = serving_certificate(authority, ["127.0.0.1", "localhost"])
        return await listen(self.server, certificate, authority, port)

    def _publish(self, url: str) -> None:
        """Write down where the server is."""
        from tempfile import TemporaryDirectory

        self._folder = TemporaryDirectory(prefix="windlass-")
        self.access = replace(self.access, server=url, folder=Path(self._folder.name))
        kubeconfig = self.access.folder / KUBECONFIG
        kubeconfig.touch(mode=0o600)
        kubeconfig.write_text(self.access.kubeconfig_for(), encoding="utf-8")
