"""Routes of services: what incidents are opened against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.dependency import forget
from windlass.operators.pagerduty.simulator.fields import (
    accepted,
    choice,
    flag,
    items,
    optional,
    shaped,
    text,
    whole,
)
from windlass.operators.pagerduty.simulator.paging import matching, page
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import service

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Request

_WRAPPER = "service"
_TIMEOUTS = ("auto_resolve_timeout", "acknowledgement_timeout")
_URGENCY = {"type": choice("constant"), "urgency": choice("high", "low", "severity_based")}
_CHECKS = {
    "type": choice("service"),
    "name": text(longest=255, blank=False),
    "description": optional(text()),
    "auto_resolve_timeout": optional(whole(0)),
    "acknowledgement_timeout": optional(whole(0)),
    "status": choice("active", "warning", "critical", "maintenance", "disabled"),
    "escalation_policy": shaped({"id": text(blank=False)}, "id"),
    "incident_urgency_rule": shaped(
        {
            "type": choice("constant", "use_support_hours"),
            "urgency": choice("high", "low", "severity_based"),
            "during_support_hours": shaped(_URGENCY, "type", "urgency"),
            "outside_support_hours": shaped(_URGENCY, "type", "urgency"),
        },
        "type",
    ),
    "support_hours": optional(
        shaped(
            {
                "type": choice("fixed_time_per_day"),
                "time_zone": text(blank=False),
                "start_time": text(blank=False),
                "end_time": text(blank=False),
                "days_of_week": items(whole(1, 7)),
            },
            "type", "time_zone", "start_time", "end_time", "days_of_week",
        )
    ),
    "scheduled_actions": items(
        shaped(
            {
                "type": choice("urgency_change"),
                "to_urgency": choice("high"),
                "at": shaped(
                    {
                        "type": choice("named_time"),
                        "name": choice("support_hours_start", "support_hours_end"),
                    },
                    "type", "name",
                ),
            },
            "type", "at", "to_urgency",
        )
    ),
    "alert_creation": choice("create_incidents", "create_alerts_and_incidents"),
    "alert_grouping_parameters": optional(
        shaped({"type": optional(choice("time", "intelligent", "content_based"))})
    ),
    "auto_pause_notifications_parameters": shaped(
        {"enabled": flag, "timeout": optional(choice(0, 120, 180, 300, 600, 900))}
    ),
}  # fmt: skip
_REQUIRED = ("type", "escalation_policy")


def list_services(books: Books, request: Request) -> Answer:
    """Services, found by a part of their name, by the whole name, or by their team."""
    include = request.every("include[]")
    name, teams = request.one("name"), set(request.every("team_ids[]"))
    found = [
        each
        for each in matching(request, books.listed(books.services, name))
        if not teams or teams & set(books.teams_of(books.policies.get(each.fields["escalation_policy"])))
    ]
    return Answer(200, page(request, "services", found, lambda each: service(books, each, include)))


def create_service(books: Books, request: Request) -> Answer:
    """A new one, which is active: another status needs a second request."""
    given = accepted(_CHECKS, request.entity(_WRAPPER), (*_REQUIRED, "name"))
    if given.pop("status", "active") != "active":
        raise Refusal.invalid("Status must be active when a service is created")
    if len(books.services) >= books.limits.services:
        raise Refusal.invalid("Product limit exceeded")
    record = books.record(_fresh() | _resolved(books, given))
    _consistent(record.fields)
    books.services.add(record)
    return Answer(201, {_WRAPPER: service(books, record, request.every("include[]"))})


def get_service(books: Books, request: Request) -> Answer:
    """One of them."""
    record = books.read(books.services, request.id)
    return Answer(200, {_WRAPPER: service(books, record, request.every("include[]"))})


def update_service(books: Books, request: Request) -> Answer:
    """Set what was given; the rest stays."""
    record = books.services.get(request.id)
    given = accepted(_CHECKS, request.entity(_WRAPPER), _REQUIRED)
    changes = _resolved(books, given)
    _consistent(record.fields | changes)
    books.services.update(record, changes)
    return Answer(200, {_WRAPPER: service(books, record, request.every("include[]"))})


def delete_service(books: Books, request: Request) -> Answer:
    """Let it go, its integrations and its dependencies with it."""
    books.services.remove(request.id)
    for each in books.integrations_of(request.id):
        books.integrations.remove(each.id)
    forget(books, request.id)
    return Answer(204)


def _fresh() -> Json:
    """What a service has of which nobody has said anything."""
    return {
        "description": None,
        "auto_resolve_timeout": 14400,
        "acknowledgement_timeout": 1800,
        "incident_urgency_rule": {"type": "constant", "urgency": "high"},
        "support_hours": None,
        "scheduled_actions": [],
        "alert_creation": "create_alerts_and_incidents",
        "alert_grouping_parameters": {"type": None},
        "auto_pause_notifications_parameters": {"enabled": False, "timeout": None},
        "set_status": "active",
        "trouble": None,
    }


def _resolved(books: Books, given: Json) -> Json:
    """What is kept of what was given. Incidents make a service warn: a request to do so changes nothing."""
    fields = {name: value for name, value in given.items() if name not in ("type", "status")}
    if (
        given.get("support_hours")
        or given.get("incident_urgency_rule", {}).get("type") == "use_support_hours"
    ):
        books.need("service_support_hours")
    if "incident_urgency_rule" in given:
        books.need("urgencies")
    fields["escalation_policy"] = books.policies.get(given["escalation_policy"]["id"]).id
    for name in _TIMEOUTS:
        if name in fields:
            fields[name] = fields[name] or None
    status = given.get("status")
    if status is not None:
        fields["set_status"] = "active" if status in ("warning", "critical") else status
    return fields


def _consistent(fields: Json) -> None:
    """Make sure that what depends on each other fits.

    Raises:
        Refusal: it does not.
    """
    rule = fields["incident_urgency_rule"]
    if rule["type"] == "constant":
        if "urgency" not in rule:
            raise Refusal.invalid("Incident urgency rule urgency can't be blank")
        return
    if fields["support_hours"] is None:
        raise Refusal.invalid("Support hours can't be blank if the urgency depends on them")
    if not {"during_support_hours", "outside_support_hours"} <= rule.keys():
        raise Refusal.invalid("Incident urgency rule must say what holds during and outside support hours")
