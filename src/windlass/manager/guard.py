from __future__ import annotations

import asyncio
import hashlib
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.errors import ApiError, ConnectionFailedError
from windlass.manager.page import Page

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.client import Client
    from windlass.kinds.authentication.v1 import UserInfo
    from windlass.manager.page import Ask

_ALLOWED_FOR: Final = timedelta(minutes=1)
_REFUSED_FOR: Final = timedelta(seconds=10)  # a role that was just granted should soon be enough
_MOST_ANSWERS: Final = 256
_AT_ONCE: Final = 4
_log = logging.getLogger("windlass.manager.metrics")


class _Known(NamedTuple):
    refusal: Page | None
    until: float


class Guard:
    """Lets through whom the API server knows by their token and allows to `get` the path.

    It asks by TokenReview and SubjectAccessReview, which we must be allowed to create. Who scrapes must be
    allowed to `get` the nonResourceURL `/metrics`, who reads the journal `/journal`.

    An answer is kept for a minute when it was yes, for ten seconds when it was no, by a digest of the token.
    """

    def __init__(self, client: Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[bytes, str], _Known] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)  # made-up tokens must not become a flood for the API server

    async def refusal(self, ask: Ask) -> Page | None:
        """What to answer to somebody who may not see the page; None for everybody else."""
        scheme, _, token = ask.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            return _UNKNOWN
        key = (hashlib.sha256(token.encode()).digest(), ask.path)
        known = self._known.get(key)
        if known and self._clock.monotonic() < known.until:
            return known.refusal
        try:
            async with self._turns:
                refusal = await self._review(token.strip(), ask.path)
        except (ApiError, ConnectionFailedError) as error:
            _log.error("Who asks for a page could not be reviewed", extra={"windlass": {"error": str(error)}})
            return Page(500, b"Authentication failed\n")
        self._remember(key, refusal)
        return refusal

    async def _review(self, token: str, path: str) -> Page | None:
        from windlass.kinds.authentication.v1 import TokenReview, TokenReviewSpec

        review = await self._client.create(TokenReview(spec=TokenReviewSpec(token=token)))
        user = review.status.user if review.status.authenticated else None
        if user is None:
            return _UNKNOWN
        if await self._may_get(user, path):
            return None
        return Page(403, f"Authorization denied for user {user.username}\n".encode())

    async def _may_get(self, user: UserInfo, path: str) -> bool:
        from windlass.kinds.authorization.v1 import (
            NonResourceAttributes,
            SubjectAccessReview,
            SubjectAccessReviewSpec,
        )

        asked = SubjectAccessReviewSpec(
            user=user.username,
            uid=user.uid,
            groups=user.groups,
            extra=user.extra,
            non_resource_attributes=NonResourceAttributes(path=path, verb="get"),
        )
        answer = await self._client.create(SubjectAccessReview(spec=asked))
        return answer.status.allowed

    def _remember(self, key: tuple[bytes, str], refusal: Page | None) -> None:
        now = self._clock.monotonic()
        while len(self._known) >= _MOST_ANSWERS:
            del self._known[next(iter(self._known))]  # the oldest
        self._known.pop(key, None)
        self._known[key] = _Known(refusal, now + (_REFUSED_FOR if refusal else _ALLOWED_FOR).total_seconds())


_UNKNOWN: Final = Page(401, b"Unauthorized\n")
