"""Charts of `watches.yaml` that are fetched: from a registry, a repository, or as an archive by HTTPS."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import orjson

from windlass.errors import ChartError, ChartRefusedError, ConfigError
from windlass.helm.source import Credentials, SourcePolicy, Sources, Wanted, is_exact

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.helm.source import Web

_OCI: Final = "oci://"
_WEB: Final = ("https://", "http://")
_ARCHIVES: Final = (".tgz", ".tar.gz")
_NAME: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_EVERYWHERE: Final = ("0.0.0.0/0", "::/0")
"""The author of the file chooses addresses, not a user of the cluster: private ones are allowed."""


@dataclass(frozen=True, kw_only=True)
class RemoteChart:
    """A chart, and where it is fetched from; without a `name`, `origin` is the address of an archive."""

    origin: str
    name: str = ""
    version: str = ""
    digest: str = ""

    @classmethod
    def parse(cls, chart: str, *, repo: str = "", version: str = "", digest: str = "") -> RemoteChart | None:
        """Return the chart that the keys of an entry name; None for a folder or an archive on disk.

        Raises:
            ConfigError: the keys contradict each other, or an address cannot be one of a chart.
        """
        if repo:
            return cls(origin=_repository(repo), name=_name(chart), version=version, digest=digest)
        if chart.startswith(_OCI):
            address, at, named = chart.partition("@")
            if at and digest:
                raise ConfigError(f"chart {chart} has a digest already; leave chartDigest out")
            origin, _, name = address.rpartition("/")
            return cls(origin=_repository(origin), name=_name(name), version=version, digest=digest or named)
        if chart.startswith(_WEB):
            if not urlsplit(chart).path.endswith(_ARCHIVES):
                above, _, name = chart.rstrip("/").rpartition("/")
                raise ConfigError(
                    f"chart {chart} is no archive; for a chart of a repository, write chartRepo: {above} and "
                    f"chart: {name}"
                )
            return cls(origin=chart, version=version, digest=digest)
        if "://" in chart:
            raise ConfigError(f"chart {chart}: write a path, oci://… or https://…")
        if version or digest:
            raise ConfigError("chartVersion and chartDigest are for charts that are fetched; leave them out")
        return None

    def __str__(self) -> str:
        return f"{self.origin}/{self.name}" if self.name else self.origin


@dataclass(frozen=True, kw_only=True)
class FetchOptions:
    """How charts are fetched.

    `cache` is the folder that keeps archives. `allow_without_digest` permits versions that float and archives
    that nothing is verified against, `plain_http` connections without TLS. `registry_config` is a file with
    credentials by host, as `helm registry login` and `docker login` write it.
    """

    cache: Path
    allow_without_digest: bool = False
    plain_http: bool = False
    registry_config: Path | None = None


async def fetch_chart(chart: RemoteChart, options: FetchOptions, web: Web | None = None) -> Path:
    """Return the archive of a chart, fetched unless its digest is named and in the cache.

    Raises:
        ChartRefusedError: neither its version nor its digest is fixed, or it would be fetched without TLS.
        ChartError: it cannot be fetched, or is not what the entry names.
        ConfigError: the file with credentials cannot be read.
    """
    if chart.name and not chart.digest and not is_exact(chart.version) and not options.allow_without_digest:
        floats = f"the version {chart.version} floats" if chart.version else "there is no version"
        raise ChartRefusedError(
            f"chart {chart} is refused: {floats}, and there is no digest; write chartVersion: 1.2.3 or a "
            "chartDigest, or allow it with --allow-charts-without-digest"
        )
    policy = SourcePolicy(
        allow_http=options.plain_http,
        allow_without_digest=options.allow_without_digest,
        allowed_addresses=_EVERYWHERE,
        token_hosts=("*",),
    )
    wanted = Wanted(
        name=chart.name,
        origin=chart.origin,
        version=chart.version,
        digest=chart.digest,
        credentials=await asyncio.to_thread(_credentials, chart.origin, options.registry_config),
        policy=policy,
    )
    sources = Sources(web=web, folder=options.cache, plain_http=options.plain_http, digests_offline=True)
    try:
        return (await sources.fetch(wanted)).path
    except OSError as error:
        raise ChartError(
            f"chart {chart} cannot be kept in {options.cache}: {error.strerror}; name another folder by "
            "--chart-cache"
        ) from error


def _repository(text: str) -> str:
    parts = urlsplit(text.removeprefix("bucket+"))
    if parts.scheme not in ("oci", "https", "http") or not parts.hostname:
        raise ConfigError(f"{text!r} is no repository; write https://charts.example.com or oci://host/path")
    if parts.username is not None:
        raise ConfigError(f"the address of {parts.hostname} has credentials; use --registry-config for them")
    return text.rstrip("/")


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        hint = "; write the version as chartVersion" if ":" in text else ""
        raise ConfigError(f"{text!r} is no name of a chart{hint}")
    return text


def _credentials(origin: str, file: Path | None) -> Credentials | None:
    """Return the credentials for the host of an address, if the file has any."""
    if file is None:
        return None
    try:
        config: Any = orjson.loads(file.read_bytes())
        found = config.get("auths", {}).get(urlsplit(origin.removeprefix("bucket+")).netloc)
        if not found:
            return None
        username, _, password = b64decode(found["auth"], validate=True).decode().partition(":")
    except OSError as error:
        raise ConfigError(f"cannot read the credentials in {file}: {error.strerror}") from error
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise ConfigError(f"{file} has no credentials as `helm registry login` writes them") from error
    return Credentials(username=username, password=password)
