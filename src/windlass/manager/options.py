from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass._declaration import check_counts, check_durations
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.api import Key
    from windlass.manager.address import Address

_LONGEST_NAME = 128  # of a field manager
_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


@dataclass(frozen=True, kw_only=True)
class MetricsOptions:
    """Where metrics are served, and to whom.

    `secure` serves them over TLS, to those whom the API server knows by their bearer token and lets `get` the
    path `/metrics`, and the journal beside them, likewise by its path `/journal`. `certificate` is the folder
    of `tls.crt` and `tls.key`, read again when they change; without it the server signs a certificate for
    itself.

    Raises:
        ConfigError: there is a certificate, but nothing is secured by it.
    """

    address: Address | None = None
    secure: bool = False
    certificate: Path | None = None

    def __post_init__(self) -> None:
        if self.certificate and not self.secure:
            raise ConfigError("metrics have a certificate, but are not to be secure; ask for that too")


@dataclass(frozen=True, kw_only=True)
class WebhookSettings:
    """What whoever starts an operator says about its webhook server; the rest the operator says itself.

    `address`: where it listens.
    `certificate`: the folder of `tls.crt` and `tls.key`, read again when they change.
    `url`: where the API server finds it, in place of a service.
    `service`: the Service that leads to it, in place of the one that the operator states.
    `namespace`: that of the pod that the process runs in; empty outside a pod. There the server is behind
    the generated Service unless another one is stated.
    `install`: whether it brings the configurations of its webhooks up to date.
    """

    address: Address | None = None
    certificate: Path | None = None
    url: str = ""
    service: Key | None = None
    namespace: str = ""
    install: bool | None = None


@dataclass(frozen=True, kw_only=True)
class ManagerOptions:
    """How a manager runs; without any, it takes no port and leads at once.

    `name`: what the operator is called: its field manager, its reports in events, its lease.
    `namespaces`: the only ones that it looks at; none means all.
    `leader_elect`: do nothing until the lease is held. `lease_name` is `name` unless it is said, and
    `lease_namespace` the namespace that the process itself runs in. `identity` is who holds it, unique among
    all processes; empty for the host's name and something that no other process has. `lease_duration`,
    `renew_deadline` and `retry_period` are as in `ElectionOptions`.
    `metrics`, `health`: where they are served; `None` for nowhere. Both may be the same address, where
    secured metrics put health behind TLS too, though not behind a token, which probes do not have.
    `webhooks`: where and how a webhook server is run, if the operator has one.
    `max_concurrent_reconciles`: of one controller, each for another object. They wait more than they compute,
    and share one thread.
    `default_service_account`: the ServiceAccount of a custom resource's namespace as which a controller that
    deploys for tenants acts, where the resource names none; empty for the operator itself, None for what
    the operator's own configuration says.
    `drain`: how long running reconciles may take to end once the manager is stopped; after that they are
    cancelled. With the default, a stop takes less than the 30 seconds that Kubernetes gives to a pod.
    `cache_budget`: the bytes that cached objects may take before the largest kinds are kept without content.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    name: str = "windlass"
    namespaces: tuple[str, ...] = ()
    leader_elect: bool = False
    lease_name: str = ""
    lease_namespace: str = ""
    identity: str = ""
    lease_duration: timedelta = timedelta(seconds=15)
    renew_deadline: timedelta = timedelta(seconds=10)
    retry_period: timedelta = timedelta(seconds=2)
    metrics: MetricsOptions = field(default_factory=MetricsOptions)
    health: Address | None = None
    webhooks: WebhookSettings = field(default_factory=WebhookSettings)
    max_concurrent_reconciles: int = 10
    default_service_account: str | None = None
    drain: timedelta = timedelta(seconds=25)
    cache_budget: int | None = None

    def __post_init__(self) -> None:
        for what, name in (("name", self.name), ("lease_name", self.lease_name or self.name)):
            if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
                raise ConfigError(
                    f"{what} {name!r} cannot name a lease: use at most {_LONGEST_NAME} small letters, "
                    "digits, dots and dashes, with a letter or digit at both ends"
                )
        listed: object = self.namespaces
        if not isinstance(listed, tuple | list) or not all(map(_NAMESPACE.fullmatch, listed)):
            raise ConfigError(f"namespaces {listed!r} are not names of namespaces: say ('default', 'shop')")
        check_durations("ManagerOptions", self, "lease_duration", "renew_deadline", "retry_period", "drain")
        check_counts("ManagerOptions", self, "max_concurrent_reconciles")
        for name, kind in (("metrics", MetricsOptions), ("webhooks", WebhookSettings)):
            if not isinstance(getattr(self, name), kind):
                raise ConfigError(f"{name} is {getattr(self, name)!r}: say {name}={kind.__name__}(address=…)")
        if self.max_concurrent_reconciles < 1:
            raise ConfigError(
                f"max_concurrent_reconciles is {self.max_concurrent_reconciles}, nothing would ever run"
            )
        if self.drain < timedelta():
            raise ConfigError(f"drain is {self.drain.total_seconds():g} s, less than nothing")
        if self.cache_budget is not None and self.cache_budget < 1:
            raise ConfigError(f"cache_budget is {self.cache_budget} bytes; say None for no limit")
