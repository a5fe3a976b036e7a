from __future__ import annotations

from typing import TYPE_CHECKING, Self

from windlass.aio import SystemClock
from windlass.cluster.kubelet.answer import Answerer

if TYPE_CHECKING:
    from types import TracebackType

    from windlass.aio import Clock
    from windlass.apiserver import Listening
    from windlass.apiserver.kubelet import Kubelet
    from windlass.pki import KeyPair


class KubeletServer:
    """Serves what a kubelet answers over HTTPS on a loopback port, for the length of an `async with` block.

    `authority` are the certificates, as PEM text, by which those of clients are known: with it, only a client
    in the group `system:masters`, such as the API server, is answered. Without it everybody is who reaches
    the port, and can run commands in every container.
    """

    def __init__(
        self,
        kubelet: Kubelet,
        certificate: KeyPair,
        *,
        authority: str = "",
        port: int = 0,
        clock: Clock | None = None,
    ) -> None:
        self._answerer = Answerer(kubelet, clock or SystemClock(), closed=bool(authority))
        self._certificate = certificate
        self._authority = authority
        self._port = port
        self._listening: Listening | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listening.port if self._listening else self._port

    async def __aenter__(self) -> Self:
        from windlass.apiserver import listen

        self._listening = await listen(self._answerer, self._certificate, self._authority, self._port)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._listening:
            await self._listening.close()
