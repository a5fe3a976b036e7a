from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from windlass.apiserver.exchange import Query


class PodName(NamedTuple):
    """Which pod is meant."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """Which part of what a container wrote is wanted.

    `follow` goes on until the container ends; `previous` is of its instance before; `since` leaves out what
    is older, `tail` all but the last lines, and `limit` all but the first bytes. `timestamps` begins each
    line with its time.
    """

    follow: bool = False
    previous: bool = False
    timestamps: bool = False
    since: datetime | None = None
    tail: int | None = None
    limit: int | None = None

    @classmethod
    def of(cls, query: Query, now: datetime) -> LogQuery:
        """What the parameters of a request ask for, which are known to be valid."""
        seconds = query.number("sinceSeconds")
        return cls(
            follow=query.flag("follow"),
            previous=query.flag("previous"),
            timestamps=query.flag("timestamps"),
            since=now - timedelta(seconds=seconds) if seconds else _moment(query.text("sinceTime")),
            tail=query.number("tailLines"),
            limit=query.number("limitBytes"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is to be run in a container, and how it talks; no `argv` means what the container runs anyway."""

    argv: tuple[str, ...] = ()
    stdin: bool = False
    tty: bool = False


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


class Console(Protocol):
    """The person at the other end of a command."""

    async def read(self) -> bytes:
        """What they typed; empty once nothing more comes, at once where there is no stdin."""

    async def write(self, data: bytes, *, error: bool = False) -> None:
        """Show something on stdout, or on stderr."""

    async def resized(self) -> tuple[int, int]:
        """Wait until their terminal has another size: columns and rows."""


class Duplex(Protocol):
    """A connection, seen from the pod."""

    async def read(self) -> bytes:
        """What came; empty once nothing more comes."""

    async def write(self, data: bytes) -> None:
        """Send something back."""


class KubeletRefusal(WindlassError):
    """A kubelet cannot do what it is asked for; `status` is that of its answer over HTTP."""

    def __init__(self, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.status = status


class Kubelet(Protocol):
    """What a node answers about its pods.

    Raises:
        KubeletRefusal: it cannot; before anything was written, so that the answer can still be an error.
    """

    def logs(self, pod: PodName, container: str, query: LogQuery) -> AsyncGenerator[bytes, None]:
        """What a container wrote, in pieces; closing the generator ends following."""

    async def run(self, pod: PodName, container: str, command: Command, console: Console) -> int:
        """Run a command in a container; returns its exit code. Cancelling ends it."""

    async def forward(self, pod: PodName, port: int, connection: Duplex) -> None:
        """Carry a connection to a port of a pod, until either side has nothing more to say."""
