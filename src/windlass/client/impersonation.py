from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import orjson
from typing_extensions import override

from windlass.client.transport import Response, Transport

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from windlass.client.config import Impersonation
    from windlass.client.transport import Request, Stream

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_IN_NAMESPACE: Final = re.compile(r"/(?:api|apis/[^/]+)/[^/]+/namespaces/([^/%]+)/([^/%]+)(?:/[^/%]+)*")
_OF_NAMESPACE: Final = frozenset({"finalize", "status"})
"""Subresources of a namespace itself, whose paths look like those of kinds in it."""


class ImpersonatingTransport(Transport):
    """Sends every request as another user; what lies below (fence, metrics, connections) stays in effect.

    A write outside of the user's `writes_in` is answered with 403, and not sent.
    """

    def __init__(self, transport: Transport, user: Impersonation) -> None:
        self._transport = transport
        self._user = user

    @property
    def user(self) -> Impersonation:
        """The user as whom requests are sent that name no other one."""
        return self._user

    @override
    async def send(self, request: Request) -> Response:
        acting = self._acting(request)
        refusal = _refusal(acting)
        return await self._transport.send(acting) if refusal is None else refusal

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        if request.method not in _READS:
            raise ValueError(f"{request}: only reads are streamed")
        return self._transport.stream(self._acting(request))

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _acting(self, request: Request) -> Request:
        # One that a wrapper above this has set was chosen later, and holds.
        return request if request.impersonate is not None else replace(request, impersonate=self._user)


def _refusal(request: Request) -> Response | None:
    """Return the answer to a write outside of the namespace in which the user may write."""
    user = request.impersonate
    if user is None or not user.writes_in or request.method in _READS:
        return None
    place = _IN_NAMESPACE.fullmatch(request.path)
    if place and place[1] == user.writes_in and place[2] not in _OF_NAMESPACE and ".." not in request.path:
        return None
    message = f"{user.user} may write in namespace {user.writes_in} only, not {request.method} {request.path}"
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": "Forbidden",
        "code": 403,
    }
    return Response(status=403, headers={"content-type": "application/json"}, body=orjson.dumps(status))
