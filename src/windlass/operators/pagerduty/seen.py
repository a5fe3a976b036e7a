"""What PagerDuty has, in the form in which we write it: the way back of `desired`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json

_SET_BY_PAGERDUTY = ("warning", "critical")
_ALIKE = {"schedule_v3": "schedule"}


def policy_seen(live: Json) -> Json:
    """An escalation policy as PagerDuty shows it."""
    fields = _taken(live, "name", "description", "num_loops", "on_call_handoff_notifications")
    fields["escalation_rules"] = [_rule(each) for each in live.get("escalation_rules") or ()]
    fields["teams"] = _references(live.get("teams") or ())
    return fields


def service_seen(live: Json) -> Json:
    """A service as PagerDuty shows it. A state that PagerDuty sets by itself is that of an active service."""
    fields = _taken(
        live,
        "name",
        "description",
        "auto_resolve_timeout",
        "acknowledgement_timeout",
        "status",
        "alert_creation",
        "alert_grouping_parameters",
        "incident_urgency_rule",
        "scheduled_actions",
        "auto_pause_notifications_parameters",
        "support_hours",
    )
    if fields.get("status") in _SET_BY_PAGERDUTY:
        fields["status"] = "active"
    hours = fields.get("support_hours")
    if isinstance(hours, dict) and isinstance(hours.get("days_of_week"), list):
        fields["support_hours"] = hours | {"days_of_week": sorted(hours["days_of_week"])}
    if live.get("escalation_policy"):
        (fields["escalation_policy"],) = _references([live["escalation_policy"]])
    return fields


def business_service_seen(live: Json) -> Json:
    """A business service as PagerDuty shows it."""
    fields = _taken(live, "name", "description", "point_of_contact")
    team = live.get("team")
    fields["team"] = {"id": team["id"]} if team and team.get("id") else None
    return fields


def supporting(relationships: Iterable[Json], business_service_id: str) -> set[tuple[str, str]]:
    """What a business service rests on: type and id of each, the type as one writes it."""
    return {
        (_written(each["supporting_service"]["type"]), each["supporting_service"]["id"])
        for each in relationships
        if each["dependent_service"]["id"] == business_service_id
    }


def covers(seen: Any, wanted: Any) -> bool:
    """Whether what is there has all that is wanted; it may have more, and nothing is as good as empty."""
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return all(covers(seen.get(name), value) for name, value in wanted.items())
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(seen) == len(wanted) and all(map(covers, seen, wanted))
    if wanted in (None, "", [], {}) and seen in (None, "", [], {}):
        return True
    return type(seen) is type(wanted) and bool(seen == wanted)


def _taken(live: Json, *names: str) -> Json:
    return {name: live[name] for name in names if name in live}


def _rule(rule: Json) -> Json:
    fields = _taken(rule, "id", "escalation_delay_in_minutes")
    fields["targets"] = _references(rule.get("targets") or ())
    strategy = rule.get("escalation_rule_assignment_strategy")
    if strategy:
        kind = strategy["type"] if isinstance(strategy, dict) else strategy
        fields["escalation_rule_assignment_strategy"] = {"type": kind}
    return fields


def _references(found: Iterable[Json]) -> list[Json]:
    return [{"id": each["id"], "type": f"{_base(each['type'])}_reference"} for each in found]


def _base(kind: str) -> str:
    base = kind.removesuffix("_reference")
    return _ALIKE.get(base, base)


def _written(kind: str) -> str:
    """How a request calls what an answer calls `technical_service_reference`."""
    return _base(kind).removeprefix("technical_")
