from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.api import Key, parse_duration
from windlass.errors import ConfigError
from windlass.operators.pagerduty.api import BudgetOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

REGIONS: Final = {"us": "https://api.pagerduty.com", "eu": "https://api.eu.pagerduty.com"}
_SECRET = re.compile(r"(?P<namespace>[^/:]+)/(?P<name>[^/:]+)(:(?P<key>[^/:]+))?")


@dataclass(frozen=True)
class TokenSecret:
    """Where the operator's own token lies."""

    namespace: str
    name: str
    key: str = "PAGERDUTY_API_KEY"

    @classmethod
    def parse(cls, text: str) -> TokenSecret:
        """Read `namespace/name`, or `namespace/name:key`.

        Raises:
            ConfigError: the text is neither.
        """
        found = _SECRET.fullmatch(text)
        if found is None:
            raise ConfigError(f"{text!r} names no Secret: write namespace/name or namespace/name:key")
        return cls(**{name: value for name, value in found.groupdict().items() if value})


@dataclass(frozen=True, kw_only=True)
class PagerDutyOptions:
    """How the operator reaches PagerDuty, and how often.

    `token`: the API token; `token_secret`: the Secret that has it instead, read again when it changes.
    `base_url`: where PagerDuty's API is; `REGIONS` has both of its own.
    `default_policy`: for services that name none: the id of a policy in PagerDuty, or `namespace/name` of an
    EscalationPolicy.
    `resync`: how often an object is compared with PagerDuty although nothing changed, and how soon something
    is tried again that only people can mend there.
    `resolve_incidents_on_delete`: whether open incidents of a service are resolved before it is deleted, for
    services that do not say so themselves.
    `requester`: the e-mail address of the user in whose name they are resolved; a token that belongs to a
    user needs none.
    `budget`: how many requests one token may make.
    `workers`: how many objects of a kind are worked on at once.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    token: str = field(default="", repr=False)
    token_secret: TokenSecret | None = None
    base_url: str = REGIONS["us"]
    default_policy: str = ""
    resync: timedelta = timedelta(minutes=10)
    resolve_incidents_on_delete: bool = False
    requester: str = ""
    budget: BudgetOptions = field(default_factory=BudgetOptions)
    workers: int = 20

    def __post_init__(self) -> None:
        if self.token and self.token_secret:
            raise ConfigError("there is a token and a Secret with a token; say one of them")
        if not re.match(r"https?://", self.base_url):
            raise ConfigError(f"base_url is {self.base_url!r}, which is no address: begin with https://")
        if self.resync <= timedelta():
            raise ConfigError(f"resync is {self.resync}: objects would never rest")
        if self.requester and "@" not in self.requester:
            raise ConfigError(f"requester is {self.requester!r}, which is no e-mail address")
        if self.workers < 1:
            raise ConfigError(f"workers is {self.workers}, nothing would ever run")

    @property
    def default_policy_key(self) -> Key | None:
        """The EscalationPolicy that is the default, if one of ours is."""
        namespace, slash, name = self.default_policy.partition("/")
        return Key(namespace, name) if slash else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> PagerDutyOptions:
        """Read `PAGERDUTY_TOKEN` or `PAGERDUTY_TOKEN_SECRET`, and what else is set.

        That may be `PAGERDUTY_REGION` (`us` or `eu`) or `PAGERDUTY_API_URL`, `PAGERDUTY_DEFAULT_POLICY`,
        `PAGERDUTY_RESYNC` (`10m`), `PAGERDUTY_RESOLVE_INCIDENTS_ON_DELETE` (`true`) and
        `PAGERDUTY_REQUESTER`.

        Raises:
            ConfigError: a value cannot be used.
        """
        secret = environment.get("PAGERDUTY_TOKEN_SECRET", "")
        region = environment.get("PAGERDUTY_REGION", "us").lower()
        if region not in REGIONS:
            raise ConfigError(f"PAGERDUTY_REGION is {region!r}; there are {' and '.join(REGIONS)}")
        try:
            resync = parse_duration(environment.get("PAGERDUTY_RESYNC", "10m"))
        except ValueError as error:
            raise ConfigError(f"PAGERDUTY_RESYNC: {error}") from error
        return cls(
            token=environment.get("PAGERDUTY_TOKEN", "").strip(),
            token_secret=TokenSecret.parse(secret) if secret else None,
            base_url=environment.get("PAGERDUTY_API_URL") or REGIONS[region],
            default_policy=environment.get("PAGERDUTY_DEFAULT_POLICY", ""),
            resync=resync,
            resolve_incidents_on_delete=_flag(environment, "PAGERDUTY_RESOLVE_INCIDENTS_ON_DELETE"),
            requester=environment.get("PAGERDUTY_REQUESTER", "").strip(),
        )


def _flag(environment: Mapping[str, str], name: str) -> bool:
    value = environment.get(name, "").strip().lower() or "false"
    if value not in ("true", "false"):
        raise ConfigError(f"{name} is {value!r}; say true or false")
    return value == "true"
