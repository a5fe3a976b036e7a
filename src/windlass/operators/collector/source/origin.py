"""What is wanted of a source of charts, as data and a protocol."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.helm import Chart


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """Who asks: a name with a password, or a token."""

    username: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    def headers(self) -> Mapping[str, str]:
        """The header of a request in which they stand."""
        if self.token:
            return {"Authorization": f"Bearer {self.token}"}
        pair = b64encode(f"{self.username}:{self.password}".encode()).decode()
        return {"Authorization": f"Basic {pair}"} if self.username else {}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A chart, and where it is to come from.

    `origin` is `https://…` for a repository with an index, `bucket+https://…` for one without, `oci://…`, or
    the path of a folder or an archive. `version` is a version or a constraint; empty or `latest` means the
    highest stable one.
    """

    name: str
    origin: str
    version: str = ""
    credentials: Credentials | None = None


class Charts(Protocol):
    """Finds charts."""

    async def fetch(self, wanted: Wanted) -> Chart:
        """The chart that is wanted, on disk; a whole version that was fetched is not asked for again.

        Raises:
            ChartError: there is none, it cannot be fetched, or it is damaged.
        """
