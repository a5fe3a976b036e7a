"""What the Collectors of a namespace may choose: target namespaces and chart repositories."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from windlass.errors import ConfigError, Terminal
from windlass.helm.source import SourcePolicy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SYSTEM_NAMESPACES: Final = ("kube-system", "kube-public", "kube-node-lease")
OWN: Final = "{namespace}"

_PATTERN: Final = re.compile(r"[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?")
_PORTS: Final = {"https": 443, "http": 80, "oci": 443, "bucket+https": 443, "bucket+http": 80}
_SEGMENT: Final = re.compile(r"[A-Za-z0-9_~][A-Za-z0-9_.~+-]*")
_MOST_TOLD: Final = 10


@dataclass(frozen=True, kw_only=True)
class Tenancy:
    """What the Collectors of each namespace may choose. The default lets them choose nothing.

    A Collector may always deploy into its own namespace. `namespaces` allows more: by the namespace of the
    Collector, or a pattern of it, the target namespaces, or patterns of them; `*` stands for any text and
    `{namespace}` for the Collector's own. `protected` are namespaces of the system and of the operator: they
    are refused unless they are named in full, the Collector's own included.

    `repositories` are the chart repositories that `spec.chart.repository` may name: each allows what lies
    below it, and in each `{namespace}` stands for the Collector's own namespace. `sources` is what those
    addresses have to satisfy.

    `namespace_role` is a ClusterRole, such as `admin`: in a target namespace that the operator creates, it is
    bound to the ServiceAccount of the Collector. Without it an administrator grants the rights.

    Raises:
        ConfigError: a pattern or a repository cannot be used.
    """

    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    repositories: tuple[str, ...] = ()
    sources: SourcePolicy = field(default_factory=SourcePolicy)
    namespace_role: str = ""
    protected: tuple[str, ...] = SYSTEM_NAMESPACES

    def __post_init__(self) -> None:
        for source, targets in self.namespaces.items():
            for pattern in (source, *targets):
                if not _PATTERN.fullmatch(pattern.replace(OWN, "x")):
                    raise ConfigError(
                        f"tenancy.namespaces: {pattern!r} is no namespace and no pattern such as team-a-*"
                    )
            if OWN in source:
                raise ConfigError(f"tenancy.namespaces: {OWN} has no meaning in the key {source!r}")
        for each in self.repositories:
            if _Address.of(each.replace(OWN, "x")) is None:
                raise ConfigError(
                    f"tenancy.repositories: {each!r} is not the address of a repository such as "
                    "https://charts.example.com/stable or oci://registry.example.com/charts"
                )

    @property
    def reaches_others(self) -> bool:
        """Whether some Collector may deploy into another namespace than its own."""
        return any(self.namespaces.values())

    def check_namespace(self, namespace: str, target: str) -> None:
        """Return if a Collector of a namespace may deploy into a target namespace.

        Raises:
            Terminal: it may not; the reason is TenantNotAllowed.
        """
        allowed = (namespace, *self._targets(namespace))
        if target in self.protected and not self._names(namespace, target):
            why = f"{target} is a namespace of the system or the operator"
        elif any(_matches(pattern, target) for pattern in allowed):
            return
        else:
            why = f"Collectors in {namespace} may deploy into {_listed(allowed)}"
        raise Terminal(
            "TenantNotAllowed",
            f"spec.tenant.reference: the namespace {target} is not allowed: {why}; an administrator can "
            "allow it in the operator's configuration (tenancy.namespaces)",
        )

    def allows_namespace(self, namespace: str, target: str) -> bool:
        """Whether `check_namespace` returns."""
        try:
            self.check_namespace(namespace, target)
        except Terminal:
            return False
        return True

    def check_repository(self, namespace: str, repository: str, configured: tuple[str, ...] = ()) -> None:
        """Return if a Collector of a namespace may name a repository; `configured` are the operator's own.

        Raises:
            Terminal: it may not; the reason is ChartRepositoryNotAllowed.
        """
        allowed = [*(each.replace(OWN, namespace) for each in self.repositories), *configured]
        asked = _Address.of(repository)
        if asked and any(prefix.covers(asked) for prefix in map(_Address.of, allowed) if prefix):
            return
        raise Terminal(
            "ChartRepositoryNotAllowed",
            f"spec.chart.repository: {repository} is not allowed: Collectors in {namespace} may name "
            f"{_listed(allowed)}; an administrator can allow it in the operator's configuration "
            "(tenancy.repositories)",
        )

    def _targets(self, namespace: str) -> Iterator[str]:
        for source, targets in self.namespaces.items():
            if _matches(source, namespace):
                yield from (each.replace(OWN, namespace) for each in targets)

    def _names(self, namespace: str, target: str) -> bool:
        """Whether a protected namespace is named in full for this Collector's namespace, named in full."""
        return target in self.namespaces.get(namespace, ())


class _Address(NamedTuple):
    """Where a repository is, so that addresses can be compared: by host and path segments, not by text."""

    scheme: str
    host: str
    port: int
    path: tuple[str, ...]

    @classmethod
    def of(cls, url: str) -> _Address | None:
        """The address in a URL, None if it has anything that two programs could understand differently."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return None
        host = (parts.hostname or "").rstrip(".").lower()
        path = tuple(parts.path.strip("/").split("/")) if parts.path.strip("/") else ()
        is_plain = not (parts.query or parts.fragment or parts.username is not None or "\\" in url)
        if parts.scheme not in _PORTS or not host or not is_plain or not url.isascii() or "?" in url:
            return None
        if not all(map(_SEGMENT.fullmatch, path)) or not url.isprintable() or " " in url:
            return None
        return cls(parts.scheme, host, port or _PORTS[parts.scheme], path)

    def covers(self, other: _Address) -> bool:
        """Whether another address is this one, or below it."""
        return self[:3] == other[:3] and other.path[: len(self.path)] == self.path


def _matches(pattern: str, name: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None


def _listed(allowed: tuple[str, ...] | list[str]) -> str:
    told = list(dict.fromkeys(allowed))[:_MOST_TOLD]
    return ", ".join(told) if told else "none"
