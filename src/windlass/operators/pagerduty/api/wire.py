from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request to PagerDuty's REST API. Headers and body hold secrets, and are not shown."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    body: Json | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        """As messages name it: `GET /services/P1NKFZC`."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What PagerDuty answered; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


class Wire(Protocol):
    """How a request gets to PagerDuty: over HTTPS, or to an account in this process."""

    async def send(self, call: Call) -> Reply:
        """One request, one answer, whatever its status.

        Raises:
            ConnectionFailedError: no answer came; `sent` tells whether it may have happened all the same.
        """
