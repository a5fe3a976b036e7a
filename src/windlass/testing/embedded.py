from __future__ import annotations

import asyncio
import pkgutil
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from windlass.aio import run

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from windlass.cluster import Access, Cluster, ClusterOptions


class EmbeddedControlPlane:
    """An embedded control plane that serves on a port from a thread of its own, until it is stopped.

    Without a port in its options it takes a free one.
    """

    def __init__(self, options: ClusterOptions | None = None) -> None:
        self._options = options
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="windlass-control-plane", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._error:
            raise self._error

    access: Access
    """How to reach it."""

    _cluster: Cluster

    def kill(self) -> None:
        """End every connection and take no more, until `restart`; objects stay."""
        self._call(self._cluster.kill())

    def restart(self) -> None:
        """Kill the server, and serve the same objects on the same port again."""
        self._call(self._cluster.restart())

    def compact(self) -> None:
        """Forget the history: who watches or pages from a version of the past is told that it is gone."""

        async def compact() -> None:
            self._cluster.compact()

        self._call(compact())

    def stop(self) -> None:
        """End it, and raise what went wrong meanwhile. Doing it again does nothing."""
        if self._loop and self._stop:
            with suppress(RuntimeError):  # the loop is closed: it has ended by itself
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        error, self._error = self._error, None
        if error:
            raise error

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done in the thread of the server, to which its objects belong."""
        if self._loop is None:
            raise RuntimeError("the control plane does not run")
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _run(self) -> None:
        try:
            run(self._serve())
        except BaseException as error:  # noqa: BLE001 - raised where it was started
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        from windlass.cluster import Cluster, ClusterOptions

        if sys.version_info < (3, 11, 8):
            _load_server()
        options = self._options or ClusterOptions()
        if options.port is None:
            options = replace(options, port=0)
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with Cluster(options) as cluster:
            self._cluster = cluster
            self.access = cluster.access
            self._ready.set()
            await self._stop.wait()


def _load_server() -> None:
    """Load what the server would load when it is first asked for it.

    Python before 3.11.8 mixes up two syntax trees that are made at once in two threads (SystemError: AST
    constructor recursion depth mismatch), and pytest makes one of every module of a plugin. Here the test
    still waits; later it loads modules of its own.
    """
    import windlass.apiserver as server

    for module in pkgutil.walk_packages(server.__path__, f"{server.__name__}."):
        import_module(module.name)
