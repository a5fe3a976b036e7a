"""Mediates between a resource and its object in PagerDuty: what is sent, and what counts as a difference."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from windlass.operators.pagerduty.api import BUSINESS_SERVICES, POLICIES, SERVICES, Collection
from windlass.operators.pagerduty.seen import business_service_seen, covers, policy_seen, service_seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from windlass.api import Json


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """How objects of one kind are written and compared; pure.

    `initial` are fields that are sent when an object is created and nobody set them, as the operator always
    did. `cleared` is what a field goes back to when it was set once and is no longer. `abilities` names what
    an account must have for a field. Objects that are `typed` say in a request what they are.
    """

    collection: Collection
    typed: bool = True
    seen: Callable[[Json], Json]
    initial: Mapping[str, object] = field(default_factory=dict)
    cleared: Mapping[str, object] = field(default_factory=dict)
    abilities: Mapping[str, str] = field(default_factory=dict)

    def creation(self, wanted: Json) -> Json:
        """What is sent to create an object; it can only be created active."""
        made = {**self._type(), **self.initial, **wanted}
        return made | {"status": "active"} if "status" in made else made

    def difference(self, live: Json, wanted: Json, managed: Iterable[str] = ()) -> Json:
        """The fields that are not as wanted, with what they should be.

        A field that is in `managed`, and no longer wanted, should be what it was before anybody set it.
        """
        given_up = {
            name: self.cleared[name] for name in managed if name not in wanted and name in self.cleared
        }
        seen = self.seen(live)
        return {
            name: value for name, value in {**given_up, **wanted}.items() if not covers(seen.get(name), value)
        }

    def update(self, live: Json, difference: Json) -> Json:
        """What is sent to change an object: what it has, so that nothing is lost, and the difference.

        The state is left out unless it is to change: PagerDuty may have set it meanwhile.
        """
        kept = {name: value for name, value in self.seen(live).items() if name != "status"}
        merged = {**self._type(), **kept, **difference}
        if "escalation_rules" in difference:
            merged["escalation_rules"] = _merged_rules(
                kept["escalation_rules"], difference["escalation_rules"]
            )
        return merged

    def needs(self, wanted: Json) -> set[str]:
        """The abilities that an account must have for these fields."""
        return {self.abilities[name] for name, value in wanted.items() if value and name in self.abilities}

    def _type(self) -> Json:
        return {"type": self.collection.one} if self.typed else {}


POLICY = Adapter(
    collection=POLICIES,
    seen=policy_seen,
    initial={"num_loops": 1, "on_call_handoff_notifications": "if_has_services"},
    cleared={
        "description": "",
        "num_loops": 1,
        "on_call_handoff_notifications": "if_has_services",
        "teams": [],
    },
    abilities={"teams": "teams"},
)
SERVICE = Adapter(
    collection=SERVICES,
    seen=service_seen,
    initial={
        "auto_resolve_timeout": 14400,
        "acknowledgement_timeout": 1800,
        "alert_creation": "create_incidents",
        "status": "active",
    },
    cleared={
        "description": "",
        "auto_resolve_timeout": 14400,
        "acknowledgement_timeout": 1800,
        "status": "active",
        "alert_creation": "create_incidents",
        "incident_urgency_rule": {"type": "constant", "urgency": "high"},
        "support_hours": None,
        "scheduled_actions": [],
        "auto_pause_notifications_parameters": {"enabled": False},
    },
    abilities={
        "incident_urgency_rule": "urgencies",
        "support_hours": "service_support_hours",
        "scheduled_actions": "service_support_hours",
    },
)
BUSINESS_SERVICE = Adapter(
    collection=BUSINESS_SERVICES,
    typed=False,
    seen=business_service_seen,
    cleared={"description": "", "point_of_contact": "", "team": None},
    abilities={"team": "teams"},
)


def _merged_rules(seen: list[Json], wanted: list[Json]) -> list[Json]:
    """The rules that are wanted, each on top of the one in its place: that keeps its id, and its strategy."""
    padded = [*seen, *({} for _ in wanted)]
    return [old | new for old, new in zip(padded, wanted, strict=False)]
