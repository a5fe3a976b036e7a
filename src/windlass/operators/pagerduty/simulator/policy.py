"""Routes of escalation policies: who is told, in which order, and how often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.fields import accepted, choice, items, shaped, text, whole
from windlass.operators.pagerduty.simulator.paging import matching, page
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import policy

if TYPE_CHECKING:
    from collections.abc import Collection

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Request

_WRAPPER = "escalation_policy"
_STRATEGY = "escalation_rule_assignment_strategy"
_MOST_TARGETS = 10

_TARGET = shaped(
    {
        "id": text(blank=False),
        "type": choice("user", "schedule", "user_reference", "schedule_reference", "schedule_v3_reference"),
    },
    "id",
)
_RULE = shaped(
    {
        "escalation_delay_in_minutes": whole(1),
        "targets": items(_TARGET),
        _STRATEGY: shaped({"type": choice("round_robin", "assign_to_everyone")}, "type"),
    },
    "escalation_delay_in_minutes",
    "targets",
)
_CHECKS = {
    "type": choice("escalation_policy"),
    "name": text(longest=255, blank=False),
    "description": text(),
    "num_loops": whole(0, 9),
    "on_call_handoff_notifications": choice("if_has_services", "always"),
    "escalation_rules": items(_RULE),
    "teams": items(shaped({"id": text(blank=False)}, "id")),
}
_REQUIRED = ("type", "name", "escalation_rules")


def list_policies(books: Books, request: Request) -> Answer:
    """Policies, found by a part of their name, by whom they tell, or by their team."""
    include = request.every("include[]")
    users, teams = set(request.every("user_ids[]")), set(request.every("team_ids[]"))
    found = [
        each
        for each in matching(request, books.listed(books.policies))
        if (not users or users & each.targets) and (not teams or teams & set(each.fields["teams"]))
    ]
    return Answer(200, page(request, "escalation_policies", found, lambda each: policy(books, each, include)))


def create_policy(books: Books, request: Request) -> Answer:
    """A new one."""
    given = accepted(_CHECKS, request.entity(_WRAPPER), _REQUIRED)
    defaults = {
        "description": "",
        "num_loops": 0,
        "on_call_handoff_notifications": "if_has_services",
        "teams": [],
    }
    record = books.record(defaults | _resolved(books, given, ()))
    books.policies.add(record)
    return Answer(201, {_WRAPPER: policy(books, record, request.every("include[]"))})


def get_policy(books: Books, request: Request) -> Answer:
    """One of them."""
    record = books.read(books.policies, request.id)
    return Answer(200, {_WRAPPER: policy(books, record, request.every("include[]"))})


def update_policy(books: Books, request: Request) -> Answer:
    """Set what was given; the rest stays."""
    record = books.policies.get(request.id)
    given = accepted(_CHECKS, request.entity(_WRAPPER), _REQUIRED)
    known = [rule["id"] for rule in record.fields["escalation_rules"]]
    books.policies.update(record, _resolved(books, given, known))
    return Answer(200, {_WRAPPER: policy(books, record, request.every("include[]"))})


def delete_policy(books: Books, request: Request) -> Answer:
    """Let it go, unless a service uses it."""
    books.policies.get(request.id)
    if books.services_of(request.id):
        raise Refusal.invalid("Escalation policy can't be deleted if it's being used by services")
    books.policies.remove(request.id)
    return Answer(204)


def _resolved(books: Books, given: Json, known: Collection[str]) -> Json:
    """What is kept of what was given: ids in place of references, each of something that exists."""
    fields = {name: value for name, value in given.items() if name != "type"}
    rules = fields["escalation_rules"]
    if not rules:
        raise Refusal.invalid("Escalation rules can't be blank")
    fields["escalation_rules"] = [_resolved_rule(books, rule, known) for rule in rules]
    if "teams" in fields:
        fields["teams"] = _resolved_teams(books, fields["teams"])
    return fields


def _resolved_rule(books: Books, rule: Json, known: Collection[str]) -> Json:
    if not 1 <= len(rule["targets"]) <= _MOST_TARGETS:
        raise Refusal.invalid(f"Escalation rules must have from 1 to {_MOST_TARGETS} targets")
    kept = {
        "id": rule["id"] if rule.get("id") in known else books.ids.next(),
        "escalation_delay_in_minutes": rule["escalation_delay_in_minutes"],
        "targets": [_resolved_target(books, target) for target in rule["targets"]],
    }
    if _STRATEGY in rule:
        kept[_STRATEGY] = {"type": rule[_STRATEGY]["type"]}
    return kept


def _resolved_target(books: Books, target: Json) -> Json:
    kind = "schedule" if str(target.get("type", "user")).startswith("schedule") else "user"
    (books.schedules if kind == "schedule" else books.users).get(target["id"])
    return {"id": target["id"], "type": kind}


def _resolved_teams(books: Books, teams: list[Json]) -> list[str]:
    if not teams:
        return []
    books.need("teams")
    if len(teams) > 1:
        raise Refusal.invalid("Teams can have one team at most")
    return [books.teams.get(team["id"]).id for team in teams]
