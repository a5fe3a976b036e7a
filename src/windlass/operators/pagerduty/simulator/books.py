from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from windlass.operators.pagerduty.simulator.collection import Collection, Record
from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.faults import Faults
    from windlass.operators.pagerduty.simulator.ids import Ids

KNOWN_ABILITIES = frozenset(
    {"teams", "urgencies", "service_support_hours", "read_only_users", "preview_intelligent_alert_grouping"}
)
"""What an account may have paid for, as far as it matters here."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much of everything an account may have, as PagerDuty's documentation puts it."""

    services: int = 25_000
    business_services: int = 5_000
    dependencies: int = 2_000
    depth: int = 100


class Dependency(NamedTuple):
    """A service supports another one, since a moment and until another."""

    id: str
    supporting: str
    dependent: str
    since: float
    until: float | None = None


class Books:
    """Everything that an account holds. It has no rules of its own: the routes have."""

    def __init__(self, clock: Clock, ids: Ids, faults: Faults, limits: Limits) -> None:
        self.clock, self.ids, self.faults, self.limits = clock, ids, faults, limits
        self.api_url = "https://api.pagerduty.com"
        self.web_url = "https://windlass.pagerduty.com"
        self.abilities = set(KNOWN_ABILITIES)
        self.users = Collection("user", "/users", unique=False)
        self.schedules = Collection("schedule", "/schedules", unique=False)
        self.teams = Collection("team", "/teams")
        self.vendors = Collection("vendor", "/vendors")
        self.priorities = Collection("priority", "/priorities")
        self.policies = Collection("escalation_policy", "/escalation_policies")
        self.services = Collection("service", "/services")
        self.integrations = Collection("integration", "/integrations", unique=False)
        self.incidents = Collection("incident", "/incidents", unique=False)
        self.business_services = Collection("business_service", "/business_services")
        self.dependencies: list[Dependency] = []
        """Those that exist, and for a while those that did: a list of them may show what was before."""

    def record(self, fields: Json) -> Record:
        """A new object, which is in no collection yet."""
        created = self.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        return Record(self.ids.next(), fields, self.clock.monotonic(), created)

    def read(self, collection: Collection, id_: str) -> Record:
        """An object as somebody reads it by its id, who may come too early.

        Raises:
            Refusal: there is none, or it cannot be seen yet.
        """
        record = collection.get(id_)
        if not self._settled(record, self.faults.weather.read_lag):
            raise Refusal.not_found()
        return record

    def listed(self, collection: Collection, name: str | None = None) -> Iterable[Record]:
        """The objects as a list shows them, or the one of a name; it may lack the latest."""
        found: Iterable[Record] = collection
        if name is not None:
            one = collection.find(name)
            found = [] if one is None else [one]
        lag = self.faults.weather.list_lag
        return [each for each in found if self._settled(each, lag)] if lag else found

    def services_of(self, policy_id: str) -> list[Record]:
        """The services that use a policy."""
        return [each for each in self.services if each.fields["escalation_policy"] == policy_id]

    def integrations_of(self, service_id: str) -> list[Record]:
        """The integrations of a service, the oldest first."""
        return [each for each in self.integrations if each.fields["service"] == service_id]

    def incidents_of(self, service_id: str) -> list[Record]:
        """All incidents of a service, the oldest first."""
        return [each for each in self.incidents if each.fields["service"] == service_id]

    def teams_of(self, policy: Record) -> list[str]:
        """The teams of a policy, which are those of its services."""
        return [each for each in policy.fields["teams"] if each in self.teams]

    def need(self, ability: str) -> None:
        """Make sure that the account has this ability.

        Raises:
            Refusal: it has not.
        """
        if ability not in self.abilities:
            raise Refusal.lacking(ability)

    def _settled(self, record: Record, lag: timedelta) -> bool:
        return self.clock.monotonic() >= record.since + lag.total_seconds()
