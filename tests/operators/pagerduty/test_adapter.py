"""The translation between resources and PagerDuty's objects, both ways, and what counts as a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from on_call import business_service, policy, service
from windlass.operators.pagerduty.adapter import BUSINESS_SERVICE, POLICY, SERVICE
from windlass.operators.pagerduty.desired import (
    business_service_fields,
    integration_fields,
    policy_fields,
    relationship,
    service_fields,
)
from windlass.operators.pagerduty.seen import (
    business_service_seen,
    covers,
    policy_seen,
    service_seen,
    supporting,
)
from windlass.operators.pagerduty.types import Integration

if TYPE_CHECKING:
    from windlass.api import Json

USER = {"id": "PUSER", "type": "user_reference"}
RULE = {"escalation_delay_in_minutes": 10, "targets": [USER]}
USED = {"id": "PPOLICY", "type": "escalation_policy_reference"}
HOURS = {"time_zone": "Europe/Berlin", "start_time": "09:00", "end_time": "17:30:15", "days_of_week": [5, 1]}
SENT_HOURS = {
    "type": "fixed_time_per_day",
    "time_zone": "Europe/Berlin",
    "start_time": "09:00:00",
    "end_time": "17:30:15",
    "days_of_week": [1, 5],
}

POLICIES: list[tuple[str, Json, Json]] = [
    ("what is not set is not named", {}, {}),
    ("P13: no repetition at all", {"num_loops": 0}, {"num_loops": 0}),
    ("an empty description is one", {"description": ""}, {"description": ""}),
    ("a team", {"teams": "PTEAM"}, {"teams": [{"id": "PTEAM", "type": "team_reference"}]}),
    ("P13: no team, said aloud", {"teams": ""}, {"teams": []}),
    (
        "handoff",
        {"on_call_handoff_notifications": "always"},
        {"on_call_handoff_notifications": "always"},
    ),
]
SERVICES: list[tuple[str, Json, Json]] = [
    ("what is not set is not named", {}, {}),
    ("timeouts", {"auto_resolve_timeout": 60}, {"auto_resolve_timeout": 60}),
    ("P8: null is off", {"auto_resolve_timeout": None}, {"auto_resolve_timeout": None}),
    ("P8: 0 is off", {"acknowledgement_timeout": 0}, {"acknowledgement_timeout": None}),
    ("disabled", {"status": "disabled"}, {"status": "disabled"}),
    ("P9: what PagerDuty sets is active", {"status": "critical"}, {"status": "active"}),
    ("alerts", {"alert_creation": "create_incidents"}, {"alert_creation": "create_incidents"}),
    ("support hours", {"support_hours": HOURS}, {"support_hours": SENT_HOURS}),
    (
        "urgency",
        {"incident_urgency_rule": {"urgency": "low"}},
        {"incident_urgency_rule": {"type": "constant", "urgency": "low"}},
    ),
    (
        "urgency by support hours",
        {
            "incident_urgency_rule": {
                "type": "use_support_hours",
                "during_support_hours": {"urgency": "high"},
                "outside_support_hours": {"urgency": "low"},
            }
        },
        {
            "incident_urgency_rule": {
                "type": "use_support_hours",
                "during_support_hours": {"type": "constant", "urgency": "high"},
                "outside_support_hours": {"type": "constant", "urgency": "low"},
            }
        },
    ),
    (
        "actions",
        {"scheduled_actions": [{"at": {"name": "support_hours_start"}, "to_urgency": "high"}]},
        {
            "scheduled_actions": [
                {
                    "type": "urgency_change",
                    "at": {"type": "named_time", "name": "support_hours_start"},
                    "to_urgency": "high",
                }
            ]
        },
    ),
    (
        "auto-pause",
        {"auto_pause_notifications_parameters": {"enabled": True, "timeout": 300}},
        {"auto_pause_notifications_parameters": {"enabled": True, "timeout": 300}},
    ),
]
BUSINESS: list[tuple[str, Json, Json]] = [
    ("what is not set is not named", {}, {}),
    ("contact", {"point_of_contact": "ada"}, {"point_of_contact": "ada"}),
    ("P11: a team is a team", {"team": "PTEAM"}, {"team": {"id": "PTEAM"}}),
    ("no team", {"team": ""}, {"team": None}),
]


def ids(table: list[tuple[str, Json, Json]]) -> list[str]:
    return [row[0] for row in table]


@pytest.mark.parametrize(("_", "spec", "sent"), POLICIES, ids=ids(POLICIES))
def test_P13_a_policy_is_sent_as_it_was_set(_: str, spec: Json, sent: Json) -> None:
    fields = policy_fields(policy("p", "PUSER", **spec), [[USER]])

    assert fields == {"name": "the p", "escalation_rules": [RULE], **sent}


@pytest.mark.parametrize(("_", "spec", "sent"), SERVICES, ids=ids(SERVICES))
def test_P08_a_service_is_sent_as_it_was_set(_: str, spec: Json, sent: Json) -> None:
    fields = service_fields(service("s", **spec), "PPOLICY")

    assert fields == {"name": "the s", "escalation_policy": USED, **sent}


@pytest.mark.parametrize(("_", "spec", "sent"), BUSINESS, ids=ids(BUSINESS))
def test_P11_a_business_service_is_sent_as_it_was_set(_: str, spec: Json, sent: Json) -> None:
    assert business_service_fields(business_service("b", **spec)) == {"name": "the b", **sent}


@pytest.mark.parametrize(("_", "spec", "sent"), SERVICES, ids=ids(SERVICES))
def test_what_was_sent_is_found_again(_: str, spec: Json, sent: Json) -> None:
    fields = service_fields(service("s", **spec), "PPOLICY")
    live = {"id": "PSERVICE", "html_url": "https://…", "created_at": "…", **fields}

    assert service_seen(live) == fields
    assert SERVICE.difference(live, fields) == {}


def test_a_policy_is_seen_whatever_PagerDuty_adds() -> None:
    live = {
        "id": "P1",
        "name": "n",
        "num_loops": 0,
        "escalation_rules": [
            {
                "id": "PRULE",
                "escalation_delay_in_minutes": 10,
                "targets": [
                    {"id": "PUSER", "type": "user", "name": "Ada"},
                    {"id": "PS", "type": "schedule_v3_reference", "summary": "Primary"},
                ],
                "escalation_rule_assignment_strategy": "round_robin",
            }
        ],
        "teams": [{"id": "PTEAM", "type": "team", "name": "Shop"}],
        "services": [],
    }

    assert policy_seen(live) == {
        "name": "n",
        "num_loops": 0,
        "escalation_rules": [
            {
                "id": "PRULE",
                "escalation_delay_in_minutes": 10,
                "targets": [USER, {"id": "PS", "type": "schedule_reference"}],
                "escalation_rule_assignment_strategy": {"type": "round_robin"},
            }
        ],
        "teams": [{"id": "PTEAM", "type": "team_reference"}],
    }


@pytest.mark.parametrize("state", ["active", "warning", "critical"])
def test_P09_a_state_that_pagerduty_sets_is_no_difference(state: str) -> None:
    wanted = service_fields(service("s", status="active"), "PPOLICY")

    assert SERVICE.difference({**wanted, "status": state}, wanted) == {}


@pytest.mark.parametrize("state", ["warning", "critical", "active"])
def test_P09_a_change_of_something_else_does_not_touch_the_state(state: str) -> None:
    wanted = service_fields(service("s", status="active", description="new"), "PPOLICY")
    live = {**wanted, "status": state, "description": "old"}
    difference = SERVICE.difference(live, wanted)

    assert difference == {"description": "new"}
    assert "status" not in SERVICE.update(live, difference)


def test_P08_a_feature_that_is_off_in_pagerduty_is_compared() -> None:
    live = {"name": "the s", "escalation_policy": USED, "auto_resolve_timeout": None}
    off = service_fields(service("s", auto_resolve_timeout=0), "PPOLICY")
    on = service_fields(service("s", auto_resolve_timeout=60), "PPOLICY")

    assert SERVICE.difference(live, off) == {}
    assert SERVICE.difference(live, on) == {"auto_resolve_timeout": 60}


def test_P11_a_policy_is_sent_as_a_policy_and_named_as_a_reference() -> None:
    wanted = policy_fields(policy("p", "PUSER"), [[USER]])
    live = {**wanted, "num_loops": 3, "name": "old"}

    assert POLICY.creation(wanted)["type"] == "escalation_policy"
    assert POLICY.update(live, POLICY.difference(live, wanted))["type"] == "escalation_policy"
    assert SERVICE.creation(service_fields(service("s"), "PPOLICY"))["escalation_policy"] == USED
    assert "type" not in BUSINESS_SERVICE.creation({"name": "b"})


def test_P13_a_team_that_is_set_no_longer_is_removed() -> None:
    live = {"name": "the p", "escalation_rules": [RULE], "teams": [{"id": "PTEAM", "type": "team_reference"}]}
    wanted = policy_fields(policy("p", "PUSER"), [[USER]])
    business: Json = {"name": "the b", "team": {"id": "PTEAM", "type": "team_reference"}}

    assert POLICY.difference(live, wanted, ["name", "teams"]) == {"teams": []}
    assert POLICY.difference(live, wanted, ["name"]) == {}
    assert BUSINESS_SERVICE.difference(business, {"name": "the b"}, ["team"]) == {"team": None}
    assert business_service_seen(business) == {"name": "the b", "team": {"id": "PTEAM"}}


def test_what_a_person_configured_survives_an_update() -> None:
    grouping = {"type": "intelligent", "config": {"time_window": 300}}
    live = {
        "id": "PSERVICE",
        "name": "old",
        "description": "by hand",
        "alert_grouping_parameters": grouping,
        "escalation_policy": {"id": "PPOLICY", "type": "escalation_policy", "name": "whole"},
        "created_at": "2026-01-01T00:00:00Z",
    }
    wanted = service_fields(service("s"), "PPOLICY")

    assert SERVICE.update(live, SERVICE.difference(live, wanted)) == {
        "type": "service",
        "name": "the s",
        "description": "by hand",
        "alert_grouping_parameters": grouping,
        "escalation_policy": USED,
    }


def test_a_rule_that_changes_keeps_its_id_and_how_it_assigns() -> None:
    strategy = {"type": "round_robin"}
    live = {
        "name": "the p",
        "escalation_rules": [{"id": "PRULE", **RULE, "escalation_rule_assignment_strategy": strategy}],
    }
    wanted = {"escalation_rules": [{**RULE, "escalation_delay_in_minutes": 5}, RULE]}
    sent = POLICY.update(live, POLICY.difference(live, wanted))

    assert sent["escalation_rules"] == [
        {
            "id": "PRULE",
            "escalation_delay_in_minutes": 5,
            "targets": [USER],
            "escalation_rule_assignment_strategy": strategy,
        },
        RULE,
    ]


def test_a_service_is_created_active_with_what_it_always_had() -> None:
    wanted = service_fields(service("s", status="disabled", auto_resolve_timeout=0), "PPOLICY")

    assert SERVICE.creation(wanted) == {
        "type": "service",
        "name": "the s",
        "escalation_policy": USED,
        "auto_resolve_timeout": None,
        "acknowledgement_timeout": 1800,
        "alert_creation": "create_incidents",
        "status": "active",
    }


@pytest.mark.parametrize(
    ("seen", "wanted", "is_covered"),
    [
        (None, "", True),
        ([], None, True),
        (0, None, False),
        (None, 0, False),
        (1, True, False),
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1], False),
        ([{"id": "x", "v": 1}], [{"v": 1}], True),
    ],
)
def test_what_is_there_covers_what_is_wanted(seen: Any, wanted: Any, *, is_covered: bool) -> None:
    assert covers(seen, wanted) is is_covered


def test_dependencies_are_read_in_the_words_in_which_they_are_written() -> None:
    related = [
        {
            "supporting_service": {"id": "P1", "type": "technical_service_reference"},
            "dependent_service": {"id": "PB", "type": "business_service_reference"},
        },
        {
            "supporting_service": {"id": "P2", "type": "business_service_reference"},
            "dependent_service": {"id": "PB", "type": "business_service_reference"},
        },
        {
            "supporting_service": {"id": "PB", "type": "business_service_reference"},
            "dependent_service": {"id": "P3", "type": "technical_service_reference"},
        },
    ]

    assert supporting(related, "PB") == {("service", "P1"), ("business_service", "P2")}
    assert relationship("PB", "P1", "service") == {
        "supporting_service": {"id": "P1", "type": "service"},
        "dependent_service": {"id": "PB", "type": "business_service"},
    }


def test_an_integration_has_a_kind_or_a_vendor() -> None:
    plain = Integration(name="alerts", secret_name="keys")
    by_vendor = Integration(name="alerts", secret_name="keys", vendor="PVENDOR")

    assert integration_fields(plain, "PS")["type"] == "events_api_v2_inbound_integration"
    assert integration_fields(by_vendor, "PS") == {
        "name": "alerts",
        "service": {"id": "PS", "type": "service_reference"},
        "type": "generic_events_api_inbound_integration",
        "vendor": {"id": "PVENDOR", "type": "vendor_reference"},
    }


def test_what_an_account_must_have_follows_from_what_is_set() -> None:
    assert POLICY.needs({"name": "p", "teams": [{"id": "PTEAM"}]}) == {"teams"}
    assert POLICY.needs({"name": "p", "teams": []}) == set()
    assert SERVICE.needs({"support_hours": SENT_HOURS, "incident_urgency_rule": {"type": "constant"}}) == {
        "service_support_hours",
        "urgencies",
    }
