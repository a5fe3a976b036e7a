from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from windlass.testing.options import ControlPlaneOptions
from windlass.testing.processes import Processes

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from types import TracebackType

    from windlass.cluster import Access

_A_MINUTE = timedelta(minutes=1)
_APISERVER = "kube-apiserver"


class RunningControlPlane:
    """A control plane that runs until `stop` is called, or until the process that started it is gone.

    It is also a context manager that stops at the end of its block.
    """

    def __init__(self, access: Access, processes: Processes) -> None:
        self.access = access
        self._processes = processes
        self._held: socket.socket | None = None

    @property
    def pids(self) -> Mapping[str, int]:
        """The process id of each program, and of the `supervisor` that owns them."""
        return self._processes.pids

    def wait(self) -> None:
        """Wait for a failure, for ever if there is none.

        Raises:
            ToolError: a program ended; the message has the end of its log.
        """
        while True:
            self._processes.check(_A_MINUTE)

    def keep_alive(self) -> None:
        """From now on, have a program that ends started again on the same port and data, while in `wait`."""
        self._processes.keep_alive()

    def kill(self, program: str = _APISERVER) -> None:
        """Kill a program, as SIGKILL does: no goodbye, nothing finished. It stays away until `restart`.

        Raises:
            ToolError: there is no such program, or another one ended meanwhile.
        """
        if program == _APISERVER and self._held is None:
            from urllib.parse import urlsplit

            from windlass.testing.port import hold_port

            self._held = hold_port(urlsplit(self.access.server).port or 0)  # so that nobody else takes it
        self._processes.kill(program)

    def restart(self, program: str = _APISERVER, within: timedelta = _A_MINUTE) -> None:
        """Kill a program and start it again, on the same port and data; return when the API server serves.

        Raises:
            ToolError: a program ended, or the API server was not ready in time.
        """
        import time

        from windlass.testing.start import await_apiserver

        self.kill(program)
        self._processes.revive(program)
        await_apiserver(self.access, self._processes, time.monotonic() + within.total_seconds())
        if program == _APISERVER:
            self._let_port_go()

    def compact(self) -> None:
        """Have etcd forget its history.

        kube-apiserver keeps its own of some minutes; after a `restart` it has none, and whoever watches or
        pages from a version of the past is told that it is gone.

        Raises:
            ToolError: etcd refused, or cannot be reached.
        """
        from windlass.testing.etcd import compact

        compact(self.access.folder)

    def stop(self) -> None:
        """End every program and remove the folder. Doing it again does nothing."""
        self._let_port_go()
        self._processes.stop()

    def _let_port_go(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class ControlPlane:
    """A real control plane for the length of an `async with` block, which is given the `Access` to it.

    The block begins when the API server is ready and its first objects exist. Cancelling the start ends what
    was started.

    Raises:
        ToolError: a program is missing, ends during the start, or is not ready in time; the message has the
            command and the end of the log.
    """

    def __init__(self, options: ControlPlaneOptions | None = None) -> None:
        self._options = options or ControlPlaneOptions()
        self._running: RunningControlPlane | None = None

    async def __aenter__(self) -> Access:
        import asyncio

        processes = Processes()
        start = asyncio.ensure_future(asyncio.to_thread(_bring_up, self._options, processes))
        try:
            self._running = await asyncio.shield(start)
        except asyncio.CancelledError:
            processes.abort()  # a thread cannot be cancelled, but this makes it fail, and clean up, at once
            await asyncio.wait([start])
            if start.exception() is None:
                await asyncio.to_thread(start.result().stop)
            raise
        return self._running.access

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import asyncio

        if self._running:
            await asyncio.to_thread(self._running.stop)


def start_control_plane(options: ControlPlaneOptions | None = None) -> RunningControlPlane:
    """Start a real control plane and return when it is ready; `ControlPlane` does the same in an event loop.

    Raises:
        ToolError: a program is missing, ends during the start, or is not ready in time; the message has the
            command and the end of the log.
    """
    return _bring_up(options or ControlPlaneOptions(), Processes())


def _bring_up(options: ControlPlaneOptions, processes: Processes) -> RunningControlPlane:
    from windlass.testing.start import start

    try:
        return RunningControlPlane(start(options, processes), processes)
    except BaseException:  # Ctrl-C too
        processes.stop()
        raise
