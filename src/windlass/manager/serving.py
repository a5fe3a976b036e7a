"""The manager's own pages: health, metrics and the journal."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from windlass.manager.address import is_loopback
from windlass.manager.page import Page

if TYPE_CHECKING:
    import ssl
    from types import TracebackType

    from windlass.manager.address import Address
    from windlass.manager.guard import Guard
    from windlass.manager.listener import Listener
    from windlass.manager.metrics import Metrics
    from windlass.manager.options import ManagerOptions
    from windlass.manager.page import Ask, Handler
    from windlass.manager.probe import Probe


_log = logging.getLogger("windlass.manager.serving")
_NOT_LOCAL = Page(
    403,
    b"the journal is served over loopback only: use kubectl port-forward and http://localhost, "
    b"or --metrics-secure\n",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class JournalQuery:
    """Which runs are asked for; an empty field means any."""

    controller: str = ""
    namespace: str = ""
    name: str = ""


Journal = Callable[[JournalQuery], Iterable[Mapping[str, Any]]]
"""The runs that the journal holds, as plain data."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """Everything that a manager has to show; `guard` stands before what is to be secured."""

    live: Probe
    ready: Probe
    metrics: Metrics
    journal: Journal
    guard: Guard | None = None


class Serving:
    """Serves a site for the length of an `async with` block, where the options say.

    Health is on one address, metrics on another or the same; none of them at all when there is no address.
    The journal, which names objects and what is wrong with them, is beside metrics and as secure where these
    are secured. Otherwise it is beside health, for requests over loopback alone, wherever health listens.
    `health` and `metrics` are where they are really served, free ports resolved.

    Raises:
        ConfigError: an address is taken or not ours, or there is no usable certificate.
        ValueError: metrics are to be secured, but the site has no guard.
    """

    def __init__(self, options: ManagerOptions, site: Site) -> None:
        if options.metrics.secure and site.guard is None:
            raise ValueError("secured metrics need a guard")
        self._options = options
        self._site = site
        self._listeners: list[Listener] = []
        self.health: Address | None = None
        self.metrics: Address | None = None

    async def __aenter__(self) -> Self:
        health, metrics = self._options.health, self._options.metrics.address
        tls = self._tls() if metrics else None
        try:
            if metrics:
                shared = self._health_pages() if metrics == health else {}
                self.metrics = await self._listen(metrics, {**shared, **self._metrics_pages()}, tls)
                _say("Serving metrics", self.metrics, secure=tls is not None)
            if health and health == metrics:
                self.health = self.metrics
            elif health:
                self.health = await self._listen(health, self._health_pages(), None)
            if self.health:
                _say("Serving health probes", self.health)
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    async def _listen(
        self, address: Address, pages: Mapping[str, Handler], tls: ssl.SSLContext | None
    ) -> Address:
        from windlass.manager.listener import listen  # loads aiohttp, which who serves nothing spares

        listener = await listen(address, pages, tls)
        self._listeners.append(listener)
        return listener.address

    async def _close(self) -> None:
        while self._listeners:
            await self._listeners.pop().close()

    def _tls(self) -> ssl.SSLContext | None:
        if not self._options.metrics.secure:
            return None
        folder = self._options.metrics.certificate
        if not folder:
            return _own_context()
        from windlass.pki import FolderContext  # loads ssl

        return FolderContext(folder, "metrics").context

    def _health_pages(self) -> dict[str, Handler]:
        return {
            "/healthz": self._live,
            "/healthz/": self._live,
            "/readyz": self._ready,
            "/readyz/": self._ready,
            **({} if self._options.metrics.secure else {"/journal": _local(self._journal)}),
        }

    def _metrics_pages(self) -> dict[str, Handler]:
        guard = self._site.guard
        if guard is None or not self._options.metrics.secure:
            return {"/metrics": self._metrics}
        pages = {"/metrics": self._metrics, "/journal": self._journal}
        return {path: _guarded(page, guard) for path, page in pages.items()}

    async def _live(self, ask: Ask) -> Page:
        return self._site.live.answer(ask)

    async def _ready(self, ask: Ask) -> Page:
        return self._site.ready.answer(ask)

    async def _metrics(self, ask: Ask) -> Page:
        shown = self._site.metrics.expose(ask.headers.get("accept", ""))
        return Page(200, shown.body, shown.content_type)

    async def _journal(self, ask: Ask) -> Page:
        import orjson

        asked = {
            name: ask.query[name][-1] for name in ("controller", "namespace", "name") if name in ask.query
        }
        runs = list(self._site.journal(JournalQuery(**asked)))
        return Page(200, orjson.dumps({"runs": runs}, default=str), "application/json")


def _guarded(page: Handler, guard: Guard) -> Handler:
    async def answer(ask: Ask) -> Page:
        return await guard.refusal(ask) or await page(ask)

    return answer


def _local(page: Handler) -> Handler:
    """Serve a page over loopback alone, under a name of loopback, and not through a proxy.

    A browser on this machine that a page of another site has sent here names that site.
    """

    async def answer(ask: Ask) -> Page:
        host = ask.headers.get("host", "")
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        proxied = "forwarded" in ask.headers or "x-forwarded-for" in ask.headers
        return await page(ask) if ask.is_local and is_loopback(name) and not proxied else _NOT_LOCAL

    return answer


def _own_context() -> ssl.SSLContext:
    """TLS by a certificate that was made just now: it keeps secrets, but proves nothing about who we are."""
    import socket

    from windlass.pki import authority, server_context, serving_certificate

    hosts = dict.fromkeys([socket.gethostname(), "localhost", "127.0.0.1"])
    return server_context(serving_certificate(authority("windlass"), list(hosts)))


def _say(what: str, address: Address, **more: Any) -> None:
    _log.info(what, extra={"windlass": {"bindAddress": str(address), **more}})
