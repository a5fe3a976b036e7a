"""Requests and answers of the servers, without HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

_TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A request to one of the manager's own servers; the names of headers are lower case.

    `is_local` tells whether both ends of the connection are on the loopback interface of this machine, or of
    this pod.
    """

    path: str
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_local: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """An answer."""

    status: int
    body: bytes
    content_type: str = _TEXT

    @classmethod
    def not_found(cls) -> Page:
        """There is nothing here."""
        return cls(404, b"404 page not found\n")


Handler = Callable[[Ask], Awaitable[Page]]
"""Answers the requests for one path."""
