"""What is wanted of a source of charts, as data and a protocol."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from windlass.errors import ChartError
from windlass.helm.source.policy import SourcePolicy, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.helm.chart import Chart
    from windlass.helm.source.shelf import CacheLimits

_SHA256: Final = re.compile(r"[0-9a-f]{64}")


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
        return self.basic() if self.username else {}

    def basic(self) -> Mapping[str, str]:
        """The header of a request to a registry, which takes a token for a password."""
        pair = f"{self.username or 'oauth2'}:{self.password or self.token}"
        return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A chart, and where it is to come from.

    `origin` is `https://…` for a repository with an index, `bucket+https://…` for one without, `oci://…`,
    `https://….tgz` for an archive, whose `name` may be left empty, or the path of a folder or an archive.
    `version` is a version or a constraint; empty or `latest` means the highest stable one. `digest` is the
    SHA-256 that the archive must have, with or without `sha256:`; it wins over what an index lists, and of an
    OCI chart it may be that of the manifest. `policy` is what the address has to satisfy; the path of a
    folder or an archive is always allowed.

    `tenant` is whose share of the cache an archive counts towards. `label` is what messages call a chart on
    disk; the default is its path.
    """

    name: str
    origin: str
    version: str = ""
    digest: str = ""
    credentials: Credentials | None = None
    policy: SourcePolicy = field(default_factory=SourcePolicy)
    tenant: str = field(default="", compare=False)
    label: str = field(default="", compare=False)

    def described(self, version: str) -> str:
        """Return the chart of a version for a message, with its repository."""
        return f"{' '.join(filter(None, (self.name, version))) or 'archive'} of {shown(self.origin)}"

    @property
    def scope(self) -> str:
        """What archives are kept apart by: an archive is reused for the same origin and credentials only."""
        login = self.credentials.basic()["Authorization"] if self.credentials else ""
        return sha256(f"{self.origin}\0{login}".encode()).hexdigest()[:32]


class Located(NamedTuple):
    """An archive that a source has found: its address, the digest that it must have, and its version."""

    url: str
    digest: str = ""
    version: str = ""


class Charts(Protocol):
    """Finds charts."""

    def known(self, wanted: Wanted) -> Chart | None:  # noqa: ARG002 - for those who remember
        """Return the chart if `fetch` would need no request; None if that is not known.

        Its archive stays on disk until the task that asked asks for another one, or is gone.
        """
        return None

    def limit(self, limits: CacheLimits) -> None:
        """Keep no more than this on disk."""
        del limits  # for those who keep anything

    async def fetch(self, wanted: Wanted) -> Chart:
        """Return the chart that is wanted, on disk; an exact version that was fetched is not fetched again.

        Raises:
            ChartRefusedError: the policy refuses the address, or an archive without a digest.
            ChartError: there is none, it cannot be fetched, or it is damaged.
        """


def plain_digest(digest: str, where: str) -> str:
    """Return a SHA-256 digest in hexadecimal, without its prefix; empty stays empty.

    Raises:
        ChartError: it is no SHA-256 digest; it becomes the name of a file.
    """
    plain = digest.removeprefix("sha256:").lower()
    if plain and not _SHA256.fullmatch(plain):
        raise ChartError(f"{where}: the digest is not a SHA-256 digest of 64 hexadecimal digits")
    return plain
