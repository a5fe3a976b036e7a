"""What keeps the simulator honest: the facts cover all of it, the checks can fail, and nothing breaks it."""

from __future__ import annotations

from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerduty_asking import KEY, Asking, calling, policy, relationship, service
from pagerduty_checked import checked, document, faults, left_out
from pagerduty_facts import REFUSALS, ROUTES
from windlass.aio import ManualClock
from windlass.operators.pagerduty.api import Call, Reply
from windlass.operators.pagerduty.simulator import Account, Exchange
from windlass.operators.pagerduty.simulator.routes import ROUTES as SIMULATED

LIMITS = {"ratelimit-limit": "960", "ratelimit-remaining": "959", "ratelimit-reset": "60"}
TEAM = {
    "id": "P1",
    "type": "team",
    "summary": "A",
    "self": "u",
    "html_url": "u",
    "name": "A",
    "description": None,
    "default_role": "manager",
}


def test_the_facts_know_every_route_of_the_simulator_and_no_other() -> None:
    assert set(SIMULATED) == set(ROUTES)


def exchanged(call: Call, status: int, body: Any, headers: dict[str, str] | None = None) -> list[str]:
    text = b"" if body is None else orjson.dumps(body)
    reply = Reply(status=status, headers=LIMITS if headers is None else headers, body=text)
    return list(faults(Exchange(at=ManualClock().now(), call=call, reply=reply, done=True)))


def test_a_good_exchange_has_no_faults() -> None:
    assert exchanged(calling("GET", "/teams/P1"), 200, {"team": TEAM}) == []
    assert exchanged(calling("DELETE", "/teams/P1"), 204, None) == []


@pytest.mark.parametrize(
    ("call", "status", "body"),
    [
        (calling("GET", "/teams/P1"), 201, {"team": TEAM}),
        (calling("GET", "/teams/P1"), 200, {"team": TEAM | {"type": "user"}}),
        (calling("GET", "/teams/P1"), 200, {"team": {name: TEAM[name] for name in TEAM if name != "self"}}),
        (calling("GET", "/teams/P1"), 200, {"team": TEAM | {"name": None}}),
        (calling("GET", "/teams/P1"), 200, {"team": TEAM, "more": False}),
        (calling("GET", "/teams"), 200, {"teams": [TEAM], "limit": 25, "offset": 0, "more": False}),
        (calling("GET", "/teams/P1"), 404, {"error": {"code": "2100", "message": "Not Found"}}),
        (calling("GET", "/teams/P1"), 418, {"error": {"code": 2100, "message": "Not Found"}}),
        (calling("DELETE", "/teams/P1"), 204, {}),
        (calling("POST", "/teams", {"team": {"name": "A"}}), 201, {"team": TEAM}),
    ],
)
def test_a_fault_is_found(call: Call, status: int, body: Any) -> None:
    assert exchanged(call, status, body)


def test_a_missing_header_of_the_rate_limit_is_found() -> None:
    assert exchanged(calling("GET", "/teams/P1"), 200, {"team": TEAM}, {"ratelimit-limit": "960"})


@pytest.mark.skipif(document() is None, reason="needs PagerDuty's document")
def test_the_document_finds_what_the_facts_leave_open() -> None:
    body = {"team": TEAM | {"name": "x" * 101}}

    assert exchanged(calling("GET", "/teams/P1"), 200, body) == [
        f"GET /teams/{{id}} 200: document: $.team.name: {'x' * 101!r} is above maxLength 100"
    ]


@pytest.mark.skipif(document() is None, reason="needs PagerDuty's document")
def test_each_route_is_documented_but_for_two_that_pagerduty_has_all_the_same() -> None:
    known = document()
    assert known is not None
    documented = {(method.upper(), path) for path, each in known["paths"].items() for method in each}

    assert set(SIMULATED) - documented - left_out(known) == {
        ("DELETE", "/services/{id}/integrations/{integration_id}"),
        ("PATCH", "/business_services/{id}"),
    }


def furnished() -> tuple[Asking, list[str], list[str]]:
    """An account with one of everything, the faults that it will have, and the ids that exist."""
    account = Account(clock=ManualClock(), random=Random(1))
    account.allow(KEY)
    found, ask, hand = checked(account), Asking(account), account.by_hand
    ada, team = hand.add_user("Ada", "ada@example.com"), hand.add_team("Shop")
    schedule, vendor = hand.add_schedule("Primary", ada), hand.add_vendor("Prometheus")
    on_call = ask.policy(ada)
    shop, checkout = ask.service(on_call), ask.business("Checkout")
    ask("POST", "/service_dependencies/associate", relationship(shop, checkout))
    body = {"integration": {"type": "events_api_v2_inbound_integration", "name": "Events"}}
    integration = ask("POST", f"/services/{shop}/integrations", body).body["integration"]["id"]
    broken = hand.open_incident(shop)
    ids = [ada, team, schedule, vendor, on_call, shop, checkout, integration, broken]
    return ask, found, [*ids, "PNONE", "me", ""]


IDS = furnished()[2]
WORDS = [
    "id", "type", "name", "description", "status", "team", "teams", "vendor", "targets", "escalation_rules",
    "escalation_delay_in_minutes", "escalation_rule_assignment_strategy", "num_loops", "escalation_policy",
    "auto_resolve_timeout", "incident_urgency_rule", "support_hours", "supporting_service", "dependent_service",
]  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 12)
    | st.sampled_from([*IDS, "active", "service", "user_reference"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
ADA, TEAM_ID, NIGHTS, VENDOR, ON_CALL, SHOP, CHECKOUT, EVENTS, BROKEN_SHOP, *_REST = IDS
GOOD: dict[str, dict[str, Any]] = {
    "escalation_policies": policy(ADA, name="Nights", teams=[{"id": TEAM_ID, "type": "team_reference"}]),
    "services": service(ON_CALL, name="Bakery", auto_resolve_timeout=0, support_hours=None),
    "business_services": {"business_service": {"name": "Returns", "team": {"id": TEAM_ID}}},
    "teams": {"team": {"type": "team", "name": "Platform"}},
    "integrations": {
        "integration": {"type": "events_api_v2_inbound_integration", "name": "N", "vendor": {"id": VENDOR}}
    },
    "service_dependencies": relationship(SHOP, CHECKOUT),
    "incidents": {"incidents": [{"id": BROKEN_SHOP, "type": "incident", "status": "resolved"}]},
}
RIGHT = {
    "escalation_policies": ON_CALL, "services": SHOP, "business_services": CHECKOUT, "technical_services": SHOP,
    "teams": TEAM_ID, "users": ADA, "schedules": NIGHTS, "vendors": VENDOR, "abilities": "teams",
    "integrations": EVENTS,
}  # fmt: skip


def changed(body: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A good body, some fields of which may be anything."""
    return {name: value | changes if isinstance(value, dict) else value for name, value in body.items()}


BROKEN = st.none() | st.dictionaries(
    st.sampled_from([name for body in GOOD.values() for name in body]), VALUES, max_size=2
)
CHANGES = st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=2)
QUERIES = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "limit",
                "offset",
                "query",
                "name",
                "include[]",
                "team_ids[]",
                "user_ids[]",
                "total",
                "sort_by",
                "service_ids[]",
                "statuses[]",
                "date_range",
            ]
        ),
        st.sampled_from(
            ["0", "1", "-1", "teams", "services", "integrations", "targets", "true", "name:desc", "all", *IDS]
        ),
    ),
    max_size=3,
)


@st.composite
def requests(draw: st.DrawFn) -> Any:
    """A request to any route: mostly with an id that exists there and a body that may be, else with any."""
    method, template = draw(st.sampled_from(sorted(SIMULATED)))
    parts = template.split("/")
    for number, part in enumerate(parts):
        if part.startswith("{"):
            parts[number] = draw(st.just(RIGHT[parts[number - 1]]) | st.sampled_from(IDS))
    kind = next((part for part in reversed(template.split("/")) if part in GOOD), None)
    good = st.builds(changed, st.just(GOOD.get(str(kind), {})), CHANGES)
    body = None if method in ("GET", "DELETE") else draw(good | BROKEN)
    return method, "/".join(parts), body, draw(QUERIES)


@pytest.mark.property
@given(asked=st.lists(requests(), max_size=8))
def test_whatever_is_asked_is_answered_as_pagerduty_would(asked: list[Any]) -> None:
    ask, found, _ = furnished()

    for method, path, body, query in asked:
        told = ask(method, path, body, *query, From="ada@example.com")
        assert told.status in {200, 201, 204} | (REFUSALS - {500, 502, 503, 504})

    # A request may be odd and yet be taken; an answer may not.
    assert [each for each in found if "request: " not in each] == []
