from __future__ import annotations

import re
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.api import masked_logger
from windlass.client.impersonation import ImpersonatingTransport
from windlass.client.options import WriteOptions
from windlass.client.parse import parsed, parsed_object
from windlass.client.refusal import refusal
from windlass.client.retry import Retry
from windlass.client.transport import Response
from windlass.errors import ConfigError, ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.api import Json
    from windlass.client.transport import Request, Stream, Transport

_REDIRECTED = range(300, 400)
_REFUSED = 400
_WARNING = r'299 \S+ "((?:[^"\\]|\\.)*)"'
_MOST_WARNINGS = 1000
_log = masked_logger("windlass.client")


class WarningLog:
    """Writes a server's warnings to the log `windlass.client`, each text once: a poll would repeat it."""

    def __init__(self) -> None:
        self._said: dict[str, None] = {}

    def __call__(self, request: Request, warning: str) -> None:
        """Take a warning that came with the answer to a request."""
        if warning in self._said:
            return
        if len(self._said) == _MOST_WARNINGS:
            del self._said[next(iter(self._said))]  # the oldest
        self._said[warning] = None
        _log.warning("%s: the server warns: %s", request, warning)


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """What a client does beside its requests: time limits, retries, warnings, and what its writes carry.

    `timeout` bounds each attempt of a request that has no timeout of its own. A watch has none: its silence
    is natural, and a server that is gone is noticed by the connection.

    Raises:
        ConfigError: `timeout` leaves no time.
    """

    timeout: timedelta = timedelta(minutes=1)
    retry: Retry = field(default_factory=Retry)
    on_warning: Callable[[Request, str], None] = field(default_factory=WarningLog)
    write: WriteOptions = field(default_factory=WriteOptions)
    namespace: str = ""

    def __post_init__(self) -> None:
        if self.timeout <= timedelta():
            raise ConfigError(f"timeout must be longer than nothing, not {self.timeout.total_seconds():g} s")


class Session:
    """Sends requests until they are answered or refused for good: retries, warnings, errors.

    It knows no kinds. `send` returns answers below 400 and raises for the rest, and for those that lead
    elsewhere.
    """

    def __init__(self, transport: Transport, options: ClientOptions) -> None:
        self.transport = transport
        self.options = options

    def using(self, **write: Any) -> Session:
        """The same session with other write options."""
        return Session(self.transport, replace(self.options, write=replace(self.options.write, **write)))

    async def send(self, request: Request) -> Response:
        """Send, again if that is safe, and return what the server answered.

        Raises:
            ApiError: the server refused.
            ConnectionFailedError: no answer came, or one that leads elsewhere; a write may have happened if
                its `sent` is true.
        """
        if request.timeout is None:
            request = replace(request, timeout=self.options.timeout)
        retry, attempt = self.options.retry, 0
        while True:
            attempt += 1
            try:
                response = await self.transport.send(request)
            except ConnectionFailedError as error:
                pause = retry.after_failure(request, error, attempt)
                if pause is None:
                    raise
            else:
                pause = (
                    retry.after_answer(request, response, attempt) if response.status >= _REFUSED else None
                )
                if pause is None:
                    return self._accept(request, response)
            await retry.clock.sleep(pause)

    async def json(self, request: Request) -> Any:
        """Send, and read the answer as JSON."""
        return parsed(request, (await self.send(request)).body)

    async def object(self, request: Request) -> Json:
        """Send, and read the answer as an object."""
        return parsed_object(request, (await self.send(request)).body)

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        """Open a stream of lines; opening is repeated as `send` repeats, what follows is not.

        Raises:
            ApiError: the server refused.
            ConnectionFailedError: no answer came, or it was cut off.
        """
        retry, attempt = self.options.retry, 0
        while True:
            attempt += 1
            async with AsyncExitStack() as opened:
                try:
                    stream = await opened.enter_async_context(self.transport.stream(request))
                except ConnectionFailedError as error:
                    pause = retry.after_failure(request, error, attempt)
                    if pause is None:
                        raise
                else:
                    if stream.status < _REFUSED:
                        _check_redirect(request, stream)
                        self._warn(request, stream.warnings)
                        yield stream
                        return
                    response = await _whole(stream)
                    pause = retry.after_answer(request, response, attempt)
                    if pause is None:
                        self._accept(request, response)
            await retry.clock.sleep(pause or timedelta())

    def _accept(self, request: Request, response: Response) -> Response:
        self._warn(request, response.warnings)
        if response.status >= _REFUSED:
            wanted = self.options.retry.wanted(response)
            raise refusal(self._acting(request), response.status, response.body, wanted)
        _check_redirect(request, response)
        return response

    def _acting(self, request: Request) -> Request:
        """Return the request with the user as whom it was sent, who may be the one that lacks a rule."""
        if request.impersonate is None and isinstance(self.transport, ImpersonatingTransport):
            return replace(request, impersonate=self.transport.user)
        return request

    def _warn(self, request: Request, warnings: tuple[str, ...]) -> None:
        for header in warnings:
            for text in re.findall(_WARNING, header):
                self.options.on_warning(request, re.sub(r"\\(.)", r"\1", text))


def _check_redirect(request: Request, answer: Response | Stream) -> None:
    """An API server does not lead elsewhere: a login page does, or who wants https. None gets our token."""
    target = answer.headers.get("location")
    if answer.status in _REDIRECTED and target:
        raise ConnectionFailedError(
            f"{request}: the answer leads to {target} ({answer.status}); "
            "is this an API server? Name its own address, and log in if it wants that",
            sent=True,
            lasting=True,
        )


async def _whole(stream: Stream) -> Response:
    """A refusal that came as a stream, as one answer."""
    body = b"\n".join([line async for line in stream.lines()])
    return Response(status=stream.status, headers=stream.headers, body=body, warnings=stream.warnings)
