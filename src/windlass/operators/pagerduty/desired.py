"""What PagerDuty should have, as pure functions of a resource: only fields that were set are named.

References are given, resolved: what they are is looked up elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.operators.pagerduty.types import (
        BusinessService,
        EscalationPolicy,
        EscalationRule,
        IncidentUrgencyRule,
        Integration,
        PagerdutyService,
        PagerDutySpec,
        ScheduledAction,
        SupportHours,
    )

EVENTS = "events_api_v2_inbound_integration"
_SET_BY_PAGERDUTY = ("warning", "critical")


def name_of(resource: EscalationPolicy | PagerdutyService | BusinessService) -> str:
    """What an object is called in PagerDuty."""
    return resource.spec.name or resource.metadata.name


def policy_fields(policy: EscalationPolicy, targets: Sequence[Sequence[Json]]) -> Json:
    """An escalation policy; `targets` are the references of each rule, in the order of the rules."""
    spec = policy.spec
    fields = _copied(spec, "description", "on_call_handoff_notifications", "num_loops")
    fields["name"] = name_of(policy)
    if spec.escalation_rules:
        fields["escalation_rules"] = [
            _rule(rule, found) for rule, found in zip(spec.escalation_rules, targets, strict=True)
        ]
    if spec.teams is not None:
        fields["teams"] = [reference(spec.teams, "team")] if spec.teams else []
    return fields


def service_fields(service: PagerdutyService, policy_id: str) -> Json:
    """A service with its policy."""
    spec = service.spec
    fields = _copied(spec, "description", "alert_creation")
    fields["name"] = name_of(service)
    fields["escalation_policy"] = reference(policy_id, "escalation_policy")
    for timeout in ("auto_resolve_timeout", "acknowledgement_timeout"):
        if timeout in spec.model_fields_set:
            fields[timeout] = (
                getattr(spec, timeout) or None
            )  # nobody waits for no time at all: it means never
    if spec.status is not None:
        fields["status"] = "active" if spec.status in _SET_BY_PAGERDUTY else spec.status
    if spec.incident_urgency_rule is not None:
        fields["incident_urgency_rule"] = _urgency(spec.incident_urgency_rule)
    if spec.support_hours is not None:
        fields["support_hours"] = _hours(spec.support_hours)
    if spec.scheduled_actions is not None:
        fields["scheduled_actions"] = [_action(each) for each in spec.scheduled_actions]
    if spec.auto_pause_notifications_parameters is not None:
        fields["auto_pause_notifications_parameters"] = spec.auto_pause_notifications_parameters.to_wire()
    return fields


def business_service_fields(business: BusinessService) -> Json:
    """A business service, without what it rests on."""
    spec = business.spec
    fields = _copied(spec, "description", "point_of_contact")
    fields["name"] = name_of(business)
    if spec.team is not None:
        fields["team"] = {"id": spec.team} if spec.team else None
    return fields


def integration_fields(integration: Integration, service_id: str) -> Json:
    """A way in for alerts to a service."""
    fields: Json = {"name": integration.name, "service": reference(service_id, "service")}
    if integration.vendor:
        return fields | {
            "type": "generic_events_api_inbound_integration",
            "vendor": reference(integration.vendor, "vendor"),
        }
    return fields | {"type": integration.type or EVENTS}


def relationship(business_service_id: str, supporting_id: str, supporting_type: str) -> Json:
    """That a business service rests on another service."""
    return {
        "supporting_service": {"id": supporting_id, "type": supporting_type},
        "dependent_service": {"id": business_service_id, "type": "business_service"},
    }


def reference(id_: str, kind: str) -> Json:
    """An object that exists, as others refer to it."""
    return {"id": id_, "type": f"{kind}_reference"}


def _copied(spec: PagerDutySpec, *names: str) -> Json:
    """Fields that PagerDuty calls as we do, where they were set."""
    return {name: value for name in names if (value := getattr(spec, name)) is not None}


def _rule(rule: EscalationRule, targets: Sequence[Json]) -> Json:
    fields: Json = {"targets": list(targets)}
    if rule.escalation_delay_in_minutes is not None:
        fields["escalation_delay_in_minutes"] = rule.escalation_delay_in_minutes
    if rule.assignment_strategy is not None:
        fields["escalation_rule_assignment_strategy"] = {"type": rule.assignment_strategy}
    return fields


def _urgency(rule: IncidentUrgencyRule) -> Json:
    fields: Json = {"type": rule.type}
    if rule.urgency is not None:
        fields["urgency"] = rule.urgency
    for name in ("during_support_hours", "outside_support_hours"):
        part = getattr(rule, name)
        if part is not None:
            fields[name] = {"type": part.type, "urgency": part.urgency}
    return fields


def _action(action: ScheduledAction) -> Json:
    at = {"type": action.at.type, "name": action.at.name}
    return {"type": action.type, "at": at, "to_urgency": action.to_urgency}


def _hours(hours: SupportHours) -> Json:
    return {
        "type": hours.type,
        "time_zone": hours.time_zone,
        "start_time": _with_seconds(hours.start_time),
        "end_time": _with_seconds(hours.end_time),
        "days_of_week": sorted(hours.days_of_week),
    }


def _with_seconds(time: str) -> str:
    return time if time.count(":") > 1 else f"{time}:00"
