"""A transport that answers from a script, for tests of what stands on transports."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from typing_extensions import override

from windlass.client import Request, Response, Stream, Transport
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

Line = bytes | ConnectionFailedError
Step = Response | ConnectionFailedError


def answer(status: int = 200, body: Any = None, **headers: str) -> Response:
    """An answer with a JSON body; header names are given with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=status, headers=named, body=orjson.dumps({} if body is None else body))


def status(code: int, reason: str, message: str = "", **details: Any) -> dict[str, Any]:
    """The Status object of a refusal."""
    said = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason}
    return said | {"message": message or reason} | ({"details": details} if details else {})


@dataclass(frozen=True)
class ScriptedStream(Stream):
    """An answer in lines; one of them may be the failure that ends it."""

    script: tuple[Line, ...]
    code: int = 200
    warned: tuple[str, ...] = ()
    location: str = ""

    @property
    @override
    def status(self) -> int:
        return self.code

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return {"location": self.location} if self.location else {}

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self.warned

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        for line in self.script:
            if isinstance(line, ConnectionFailedError):
                raise line
            yield line


@dataclass
class ScriptedTransport(Transport):
    """Answers each request with the next step, and remembers what was asked."""

    steps: list[Step | ScriptedStream]
    requests: list[Request] = field(default_factory=list)
    closed: int = 0
    left: int = 0
    """How many streams were left."""

    @override
    async def send(self, request: Request) -> Response:
        step = self._next(request)
        assert isinstance(step, Response)
        return step

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        step = self._next(request)
        assert not isinstance(step, Response)
        try:
            yield step
        finally:
            self.left += 1

    @override
    async def close(self) -> None:
        self.closed += 1

    def _next(self, request: Request) -> Response | ScriptedStream:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, ConnectionFailedError):
            raise step
        return step
