"""Objects as they stand in answers: whole, or as a reference. `include` names what is shown as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection as Names

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.collection import Collection, Record

_DIRECTORY = "/service-directory"
_STRATEGY = "escalation_rule_assignment_strategy"
_STRATEGIES = "escalation_rule_assignment_strategies"
_HIDDEN = ("set_status", "trouble")
_STATES = {"triggered": "critical", "acknowledged": "warning"}


def plain(books: Books, collection: Collection, record: Record) -> Json:
    """An object whose answer is what was set."""
    return _identity(books, collection, record) | record.fields


def user(books: Books, record: Record) -> Json:
    """A person."""
    teams = [_reference(books, books.teams, each) for each in record.fields["teams"]]
    return plain(books, books.users, record) | {"teams": teams}


def schedule(books: Books, record: Record) -> Json:
    """A schedule, which says who uses it."""
    using = [each.id for each in books.policies if record.id in each.targets]
    return plain(books, books.schedules, record) | {
        "users": [_reference(books, books.users, each) for each in record.fields["users"]],
        "escalation_policies": [_reference(books, books.policies, each) for each in using],
        "teams": [],
    }


def policy(books: Books, record: Record, include: Names[str] = ()) -> Json:
    """An escalation policy, which says which services use it."""
    services, teams = books.services_of(record.id), books.teams_of(record)
    return plain(books, books.policies, record) | {
        "escalation_rules": [_rule(books, rule, include) for rule in record.fields["escalation_rules"]],
        "services": [
            service(books, each) if "services" in include else _reference(books, books.services, each.id)
            for each in services
        ],
        "teams": [_team(books, each, include) for each in teams],
    }


def service(books: Books, record: Record, include: Names[str] = ()) -> Json:
    """A service, which belongs to the teams of its policy."""
    shown = {name: value for name, value in record.fields.items() if name not in _HIDDEN}
    policy_id: str = shown["escalation_policy"]
    whole, incidents = "escalation_policies" in include, books.incidents_of(record.id)
    used = (
        policy(books, books.policies.get(policy_id))
        if whole
        else _reference(books, books.policies, policy_id)
    )
    return _identity(books, books.services, record) | shown | {
        "created_at": record.created_at,
        "status": _status(books, record),
        "last_incident_timestamp": max((each.created_at for each in incidents), default=None),
        "escalation_policy": used,
        "teams": [_team(books, each, include) for each in books.teams_of(books.policies.get(policy_id))],
        "integrations": [
            integration(books, each, whole="integrations" in include)
            for each in books.integrations_of(record.id)
        ],
        "addons": [],
        "response_play": None,
    }  # fmt: skip


def integration(books: Books, record: Record, *, whole: bool = True) -> Json:
    """An integration, or a reference to one, which has a type of its own."""
    fields = record.fields
    path = f"{books.services.path}/{fields['service']}/integrations/{record.id}"
    named = {
        "id": record.id,
        "type": fields["type"] if whole else f"{fields['type']}_reference",
        "summary": record.name,
        "self": f"{books.api_url}{path}",
        "html_url": f"{books.web_url}{path}",
    }
    if not whole:
        return named
    vendor = fields["vendor"]
    return named | fields | {
        "created_at": record.created_at,
        "service": _reference(books, books.services, fields["service"]),
        "vendor": None if vendor is None else _reference(books, books.vendors, vendor),
    }  # fmt: skip


def incident(books: Books, record: Record, status: str) -> Json:
    """An incident in a state, which in a list may be that of before."""
    fields = record.fields
    policy_id: str = fields["policy"]
    return _identity(books, books.incidents, record) | {
        "summary": f"[#{fields['number']}] {record.name}",
        "title": record.name,
        "incident_number": fields["number"],
        "incident_key": record.id.lower(),
        "created_at": record.created_at,
        "status": status,
        "urgency": "high",
        "service": _reference(books, books.services, fields["service"]),
        "escalation_policy": _reference(books, books.policies, policy_id),
        "teams": [],
        "assignments": [],
        "acknowledgements": [],
        "pending_actions": [],
        "priority": None,
    }


def business_service(books: Books, record: Record) -> Json:
    """A business service."""
    team = record.fields["team"]
    named = None
    if team is not None:
        whole = _reference(books, books.teams, team)
        named = {name: whole[name] for name in ("id", "type", "self")}
    return plain(books, books.business_services, record) | {"team": named}


def _identity(books: Books, collection: Collection, record: Record) -> Json:
    links = _links(books, collection, record.id)
    return {"id": record.id, "type": collection.kind, "summary": record.name, **links}


def _links(books: Books, collection: Collection, id_: str) -> Json:
    """Where the API and a browser find an object."""
    shown = _DIRECTORY if collection is books.services else collection.path
    browsed = collection not in (books.business_services, books.vendors, books.priorities)
    return {
        "self": f"{books.api_url}{collection.path}/{id_}",
        "html_url": f"{books.web_url}{shown}/{id_}" if browsed else None,
    }


def _reference(books: Books, collection: Collection, id_: str) -> Json:
    """An object as another one names it. It may be gone: then nobody knows its name."""
    name = collection.get(id_).name if id_ in collection else None
    links = _links(books, collection, id_)
    return {"id": id_, "type": f"{collection.kind}_reference", "summary": name, **links}


def _team(books: Books, id_: str, include: Names[str]) -> Json:
    if "teams" in include:
        return plain(books, books.teams, books.teams.get(id_))
    return _reference(books, books.teams, id_)


def _rule(books: Books, rule: Json, include: Names[str]) -> Json:
    """A rule; how it assigns is told to those only who ask."""
    shown = {
        "id": rule["id"],
        "escalation_delay_in_minutes": rule["escalation_delay_in_minutes"],
        "targets": [_target(books, target, whole="targets" in include) for target in rule["targets"]],
    }
    if _STRATEGIES in include:
        shown[_STRATEGY] = rule.get(_STRATEGY, {"type": "assign_to_everyone"})
    return shown


def _target(books: Books, target: Json, *, whole: bool) -> Json:
    person, id_ = target["type"] == "user", target["id"]
    collection = books.users if person else books.schedules
    if whole and id_ in collection:
        return (user if person else schedule)(books, collection.get(id_))
    return _reference(books, collection, id_)


def _status(books: Books, record: Record) -> str:
    """What was chosen; a service that is to be active shows whether it has incidents."""
    chosen: str = record.fields["set_status"]
    if chosen != "active":
        return chosen
    statuses = {each.fields["status"] for each in books.incidents_of(record.id)}
    found = next((state for status, state in _STATES.items() if status in statuses), None)
    return found or record.fields["trouble"] or "active"
