from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.api import parse_duration
from windlass.errors import ConfigError
from windlass.operators.peerpod.cloud.plugin import installed_clouds
from windlass.operators.peerpod.cloud.program import ProgramCloud

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.operators.peerpod.cloud.interface import CloudFactory


@dataclass(frozen=True)
class CredentialsPlace:
    """The ConfigMap and the Secret that have a provider's settings and credentials; either may be missing."""

    config_map: str = "peer-pods-cm"
    secret: str = "peer-pods-secret"  # noqa: S105 - the name of an object


@dataclass(frozen=True, kw_only=True)
class CleaningOptions:
    """How instances are deleted that the cloud-api-adaptor has left behind.

    `namespace`: where the ConfigMap and the Secret lie; empty for the namespace of each PeerPod.
    `clouds`: how the cloud of a provider is made; those of installed plug-ins unless said otherwise.
    `credentials`: their names for providers that have others than the usual ones.
    `grace`: how long the cloud-api-adaptor is given to delete an instance by itself.
    `retry_denied`: how soon to try again where a cloud does not accept credentials and they stay the same.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    namespace: str = ""
    clouds: Mapping[str, CloudFactory] = field(default_factory=installed_clouds)
    credentials: Mapping[str, CredentialsPlace] = field(default_factory=dict)
    grace: timedelta = timedelta(minutes=2)
    retry_denied: timedelta = timedelta(minutes=10)

    def __post_init__(self) -> None:
        if self.grace < timedelta():
            raise ConfigError(f"grace is {self.grace}: nobody can be given less than no time")
        if self.retry_denied <= timedelta():
            raise ConfigError(f"retry_denied is {self.retry_denied}: it would be tried without a pause")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> CleaningOptions:
        """Read what is set of these: `PEERPODS_NAMESPACE`, `PEERPODS_GRACE` and `PEERPODS_CLOUD_PROGRAMS`.

        The grace is a duration such as `2m`. The programs are `provider=command line`, one in a line, and go
        before plug-ins of the same name.

        Raises:
            ConfigError: a value cannot be used.
        """
        said = environment.get("PEERPODS_GRACE", "").strip()
        try:
            grace = parse_duration(said) if said else cls.grace
        except ValueError as error:
            raise ConfigError(f"PEERPODS_GRACE: {error}") from error
        programs = dict(_programs(environment.get("PEERPODS_CLOUD_PROGRAMS", "")))
        return cls(
            namespace=environment.get("PEERPODS_NAMESPACE", "").strip(),
            clouds={**installed_clouds(), **programs},
            grace=grace,
        )

    def place(self, provider: str) -> CredentialsPlace:
        """Where the credentials of a provider are."""
        return self.credentials.get(provider, CredentialsPlace())


def _programs(text: str) -> Iterator[tuple[str, CloudFactory]]:
    for line in filter(None, map(str.strip, text.splitlines())):
        provider, _, command = line.partition("=")
        words = shlex.split(command)
        if not provider.strip() or not words:
            raise ConfigError(f"PEERPODS_CLOUD_PROGRAMS: {line!r} is not like aws=/opt/delete-instance")
        yield provider.strip(), ProgramCloud.of(*words)
