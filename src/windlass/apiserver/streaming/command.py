"""A command in a container, for a client at the other end of a connection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windlass.apiserver.kubelet import Command, KubeletRefusal
from windlass.apiserver.streaming.channel import Channel, RemoteConsole, WebSocketChannels
from windlass.apiserver.streaming.connected import while_connected
from windlass.apiserver.streaming.outcome import exited, failed
from windlass.apiserver.streaming.spdy_channel import RESIZABLE, SpdyChannels

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Duplex, Kubelet, PodName
    from windlass.apiserver.streaming.channel import Channels


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Which command is run where, and which of its streams the client wants."""

    kubelet: Kubelet
    pod: PodName
    container: str
    command: Command = field(default_factory=Command)
    stdout: bool = True
    stderr: bool = True

    async def over_websocket(self, connection: Duplex, protocol: str) -> None:
        """Run it over a WebSocket."""
        shown = self._shown()
        channels = WebSocketChannels(connection, protocol, min(shown, default=Channel.ERROR))
        await while_connected(channels.listen(), self._run(channels))

    async def over_spdy(self, connection: Duplex, protocol: str) -> None:
        """Run it over SPDY, once the client has opened its streams."""
        expected = self._shown() | {Channel.ERROR}
        if self.command.stdin:
            expected |= {Channel.STDIN}
        if self.command.tty and protocol in RESIZABLE:
            expected |= {Channel.RESIZE}
        channels = SpdyChannels(connection, protocol, expected)

        async def run() -> None:
            await channels.opened()
            await self._run(channels)

        await while_connected(channels.listen(), run())

    def _shown(self) -> frozenset[Channel]:
        """The streams that are shown: a terminal has no other but stdout."""
        wanted = {Channel.STDOUT: self.stdout, Channel.STDERR: self.stderr and not self.command.tty}
        return frozenset(channel for channel, is_wanted in wanted.items() if is_wanted)

    async def _run(self, channels: Channels) -> None:
        if not self.command.stdin:
            channels.stdin.close()
        console = RemoteConsole(channels, self._shown())
        status: dict[str, Any]
        try:
            status = exited(await self.kubelet.run(self.pod, self.container, self.command, console))
        except KubeletRefusal as refusal:
            what = "executing command in" if self.command.argv else "attaching to"
            status = failed(f"error {what} container: {refusal}")
        await channels.finish(status)
