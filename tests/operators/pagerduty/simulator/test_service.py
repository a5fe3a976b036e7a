"""Services and their integrations, as the account takes and refuses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pagerduty_asking import policy, service
from windlass.aio import ManualClock
from windlass.operators.pagerduty.simulator import Account, AccountOptions, Limits, Refusal

if TYPE_CHECKING:
    from pagerduty_asking import Asking

HOURS = {
    "type": "fixed_time_per_day", "time_zone": "Europe/Berlin", "start_time": "09:00:00", "end_time": "17:00:00",
    "days_of_week": [1, 2, 3, 4, 5],
}  # fmt: skip
BY_HOURS = {
    "type": "use_support_hours",
    "during_support_hours": {"type": "constant", "urgency": "high"},
    "outside_support_hours": {"type": "constant", "urgency": "low"},
}
EVENTS = "events_api_v2_inbound_integration"


@pytest.fixture
def on_call(ask: Asking, ada: str) -> str:
    """A policy to use."""
    return ask.policy(ada)


def test_what_is_not_said_has_a_default(ask: Asking, on_call: str) -> None:
    told = ask("POST", "/services", service(on_call))
    made = told.body["service"]

    assert told.status == 201
    assert (made["auto_resolve_timeout"], made["acknowledgement_timeout"]) == (14400, 1800)
    assert (made["status"], made["alert_creation"]) == ("active", "create_alerts_and_incidents")
    assert made["incident_urgency_rule"] == {"type": "constant", "urgency": "high"}
    assert (made["escalation_policy"]["id"], made["escalation_policy"]["summary"]) == (on_call, "On call")


@pytest.mark.parametrize("field", ["type", "name", "escalation_policy"])
def test_what_is_required_may_not_be_missing(ask: Asking, on_call: str, field: str) -> None:
    body = service(on_call)
    del body["service"][field]

    assert ask("POST", "/services", body).status == 400


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"type": "service_reference"},
        {"status": "asleep"},
        {"auto_resolve_timeout": -1},
        {"acknowledgement_timeout": "1800"},
        {"escalation_policy": {}},
        {"escalation_policy": "P1"},
        {"alert_creation": "create_nothing"},
        {"incident_urgency_rule": {"type": "constant"}},
        {"incident_urgency_rule": {"type": "constant", "urgency": "medium"}},
        {"incident_urgency_rule": BY_HOURS},
        {"incident_urgency_rule": {"type": "use_support_hours"}, "support_hours": HOURS},
        {"support_hours": {"type": "fixed_time_per_day"}},
        {"support_hours": HOURS | {"days_of_week": [0]}},
        {"scheduled_actions": [{"type": "urgency_change"}]},
        {"auto_pause_notifications_parameters": {"enabled": True, "timeout": 60}},
        {"auto_pause_notifications_parameters": {"enabled": "yes"}},
    ],
)
def test_what_cannot_be_is_refused(
    ask: Asking, account: Account, on_call: str, fields: dict[str, Any]
) -> None:
    told = ask("POST", "/services", service(on_call, **fields))

    assert (told.status, told.body["error"]["code"]) == (400, 2001)
    assert len(account.books.services) == 0


@pytest.mark.parametrize("status", ["warning", "critical", "maintenance", "disabled"])
def test_a_service_is_created_active_and_nothing_else(ask: Asking, on_call: str, status: str) -> None:
    assert ask("POST", "/services", service(on_call, status=status)).status == 400
    assert ask("POST", "/services", service(on_call, status="active")).status == 201


def test_a_policy_that_does_not_exist_is_not_found(ask: Asking) -> None:
    assert ask("POST", "/services", service("PNOBODY")).status == 404


@pytest.mark.parametrize("name", ["Shop", "shop"])
def test_a_name_is_taken_whatever_its_case(ask: Asking, on_call: str, name: str) -> None:
    ask.service(on_call)

    assert ask("POST", "/services", service(on_call, name=name)).errors == ["Name has already been taken"]


@pytest.mark.parametrize("off", [0, None])
def test_a_timeout_of_nothing_is_null(ask: Asking, on_call: str, off: int | None) -> None:
    made = ask.service(on_call, auto_resolve_timeout=off, acknowledgement_timeout=off)

    shown = ask("GET", f"/services/{made}").body["service"]

    assert (shown["auto_resolve_timeout"], shown["acknowledgement_timeout"]) == (None, None)


def test_an_update_keeps_what_it_does_not_say(ask: Asking, account: Account, on_call: str) -> None:
    made = ask.service(on_call, auto_resolve_timeout=600)
    account.by_hand.edit(made, alert_grouping_parameters={"type": "intelligent"})

    ask("PUT", f"/services/{made}", service(on_call, description="new"))
    shown = ask("GET", f"/services/{made}").body["service"]

    assert (shown["description"], shown["auto_resolve_timeout"]) == ("new", 600)
    assert shown["alert_grouping_parameters"] == {"type": "intelligent"}


@pytest.mark.parametrize("field", ["type", "escalation_policy"])
def test_an_update_says_what_is_required(ask: Asking, on_call: str, field: str) -> None:
    made = ask.service(on_call)
    body = service(on_call)
    del body["service"][field]

    assert ask("PUT", f"/services/{made}", body).status == 400


def test_everything_that_was_read_can_be_sent_back(ask: Asking, account: Account, on_call: str) -> None:
    made = ask.service(on_call, incident_urgency_rule=BY_HOURS, support_hours=HOURS)
    ask("POST", f"/services/{made}/integrations", {"integration": {"type": EVENTS, "name": "Events"}})
    read = ask("GET", f"/services/{made}").body

    assert ask("PUT", f"/services/{made}", read).body == read


def test_incidents_show_in_the_status_and_an_update_does_not_end_them(
    ask: Asking, account: Account, on_call: str
) -> None:
    made = ask.service(on_call)

    def status() -> str:
        shown: str = ask("GET", f"/services/{made}").body["service"]["status"]
        return shown

    account.by_hand.trouble(made, "critical")
    in_trouble = status()
    ask("PUT", f"/services/{made}", service(on_call, status="active"))
    after_update = status()
    ask("PUT", f"/services/{made}", service(on_call, status="disabled"))
    disabled = status()
    ask("PUT", f"/services/{made}", service(on_call, status="warning"))
    asked_to_warn = status()
    account.by_hand.trouble(made, None)

    assert (in_trouble, after_update, disabled, asked_to_warn) == (
        "critical",
        "critical",
        "disabled",
        "critical",
    )
    assert status() == "active"


@pytest.mark.parametrize(
    ("ability", "fields"),
    [
        ("urgencies", {"incident_urgency_rule": {"type": "constant", "urgency": "low"}}),
        ("service_support_hours", {"support_hours": HOURS}),
        ("service_support_hours", {"support_hours": HOURS, "incident_urgency_rule": BY_HOURS}),
    ],
)
def test_what_was_not_paid_for_is_refused_and_says_which_ability_is_missing(
    ask: Asking, account: Account, on_call: str, ability: str, fields: dict[str, Any]
) -> None:
    account.books.abilities.discard(ability)

    told = ask("POST", "/services", service(on_call, **fields))

    assert (told.status, told.body["error"]["code"], told.errors) == (402, 2012, [f"{ability} is required"])
    assert ask("POST", "/services", service(on_call)).status == 201


def test_a_service_belongs_to_the_team_of_its_policy(ask: Asking, account: Account, ada: str) -> None:
    team = account.by_hand.add_team("Shop")
    policy_id = ask.policy(ada, teams=[{"id": team, "type": "team_reference"}])
    ask.service(policy_id)
    ask.service(ask.policy(ada, name="Other"), name="Other")

    shown = ask("GET", "/services", None, ("team_ids[]", team)).body["services"]

    assert [(each["name"], each["teams"][0]["summary"]) for each in shown] == [("Shop", "Shop")]


def test_services_are_found_by_a_part_of_their_name_or_by_all_of_it(ask: Asking, on_call: str) -> None:
    for name in ("Shop", "Shop front", "Bakery"):
        ask.service(on_call, name=name)

    def names(*query: tuple[str, str]) -> list[str]:
        return [each["name"] for each in ask("GET", "/services", None, *query).body["services"]]

    assert names() == ["Bakery", "Shop", "Shop front"]
    assert names(("query", "SHOP")) == ["Shop", "Shop front"]
    assert names(("name", "shop")) == ["Shop"]
    assert names(("name", "Sho")) == []


def test_the_account_holds_so_many_services_and_no_more(ada: str, ask: Asking) -> None:
    small = AccountOptions(limits=Limits(services=1, business_services=1))
    other = type(ask)(Account(clock=ManualClock(), random=ask.account.faults.random, options=small))
    other.account.allow("y_NbAkKc66ryYTWUXYEu")
    user = other.account.by_hand.add_user("Ada", "ada@example.com")
    on_call = other.policy(user)
    other.service(on_call)
    other.business("Checkout")

    assert other("POST", "/services", service(on_call, name="Two")).errors == ["Product limit exceeded"]
    second = other("POST", "/business_services", {"business_service": {"name": "Two"}})
    assert second.errors == ["Product limit exceeded"]


def test_an_integration_has_a_key_and_goes_with_its_service(
    ask: Asking, account: Account, on_call: str
) -> None:
    made = ask.service(on_call)
    vendor = account.by_hand.add_vendor("Prometheus")
    asked = {"type": EVENTS, "name": "Events", "vendor": {"id": vendor, "type": "vendor_reference"}}
    told = ask("POST", f"/services/{made}/integrations", {"integration": asked})
    one = told.body["integration"]
    path = f"/services/{made}/integrations/{one['id']}"

    renamed = ask("PUT", path, {"integration": {"type": EVENTS, "name": "Renamed"}}).body["integration"]
    listed = ask("GET", f"/services/{made}").body["service"]["integrations"]
    ask("DELETE", f"/services/{made}")

    assert told.status == 201
    assert (one["vendor"]["summary"], one["service"]["id"]) == ("Prometheus", made)
    assert (renamed["name"], renamed["integration_key"]) == ("Renamed", one["integration_key"])
    assert [(each["id"], each["type"]) for each in listed] == [(one["id"], f"{EVENTS}_reference")]
    assert ask("GET", path).status == 404


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"name": "No type"}, 400),
        ({"type": EVENTS}, 400),
        ({"type": "telepathy", "name": "Events"}, 400),
        ({"type": "generic_email_inbound_integration", "name": "Mail"}, 400),
        ({"type": EVENTS, "name": "Events", "vendor": {"id": "PNONE"}}, 404),
        (
            {"type": "generic_email_inbound_integration", "name": "Mail", "integration_email": "a@b.example"},
            201,
        ),
    ],
)
def test_an_integration_needs_what_its_type_needs(
    ask: Asking, on_call: str, asked: dict[str, Any], status: int
) -> None:
    assert (
        ask("POST", f"/services/{ask.service(on_call)}/integrations", {"integration": asked}).status == status
    )


def test_an_integration_is_found_at_its_own_service_only_and_can_be_deleted(
    ask: Asking, on_call: str
) -> None:
    one, other = ask.service(on_call), ask.service(on_call, name="Other")
    body = {"integration": {"type": EVENTS, "name": "Events"}}
    made = ask("POST", f"/services/{one}/integrations", body).body["integration"]["id"]

    assert ask("GET", f"/services/{other}/integrations/{made}").status == 404
    assert ask("DELETE", f"/services/{other}/integrations/{made}").status == 404
    assert ask("DELETE", f"/services/{one}/integrations/{made}").status == 204
    assert ask("GET", f"/services/{one}/integrations/{made}").status == 404


def test_the_type_of_an_integration_stays(ask: Asking, on_call: str) -> None:
    one = ask.service(on_call)
    body = {"integration": {"type": EVENTS, "name": "Events"}}
    made = ask("POST", f"/services/{one}/integrations", body).body["integration"]["id"]
    other = {"integration": {"type": "nagios_inbound_integration", "name": "Events"}}

    assert ask("PUT", f"/services/{one}/integrations/{made}", other).errors == ["Type can't be changed"]


def test_a_body_without_its_wrapper_is_refused(ask: Asking, ada: str) -> None:
    assert ask("POST", "/escalation_policies", policy(ada)["escalation_policy"]).status == 400
    assert ask("POST", "/escalation_policies").status == 400


def test_nothing_is_shared_between_a_caller_and_the_account(
    ask: Asking, account: Account, on_call: str
) -> None:
    body = service(on_call, incident_urgency_rule={"type": "constant", "urgency": "low"})
    made = ask("POST", "/services", body).body["service"]["id"]
    body["service"]["incident_urgency_rule"]["urgency"] = "high"
    account.by_hand("GET", f"/services/{made}")["service"]["incident_urgency_rule"]["urgency"] = "high"

    assert ask("GET", f"/services/{made}").body["service"]["incident_urgency_rule"]["urgency"] == "low"


def test_what_could_not_be_sent_is_an_error_of_the_caller(ask: Asking, on_call: str) -> None:
    with pytest.raises(TypeError):
        ask("POST", "/services", service(on_call, description=object()))


def test_what_is_in_use_cannot_be_deleted_by_hand_either(ask: Asking, account: Account, on_call: str) -> None:
    made = ask.service(on_call)

    with pytest.raises(Refusal, match="being used by services"):
        account.by_hand.remove(on_call)
    account.by_hand.remove(made)
    account.by_hand.remove(on_call)
    with pytest.raises(Refusal, match="Not Found"):
        account.by_hand.remove(on_call)
