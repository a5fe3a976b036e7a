"""Escalation policies, as the account takes and refuses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pagerduty_asking import policy, rule

if TYPE_CHECKING:
    from pagerduty_asking import Asking
    from windlass.operators.pagerduty.simulator import Account

STRATEGY = "escalation_rule_assignment_strategy"


def test_what_is_not_said_has_a_default_and_references_have_names(ask: Asking, ada: str) -> None:
    told = ask("POST", "/escalation_policies", policy(ada))
    made = told.body["escalation_policy"]

    assert told.status == 201
    assert (made["num_loops"], made["description"], made["teams"], made["services"]) == (0, "", [], [])
    assert made["on_call_handoff_notifications"] == "if_has_services"
    assert made["self"].endswith(f"/escalation_policies/{made['id']}")
    (target,) = made["escalation_rules"][0]["targets"]
    assert (target["id"], target["type"], target["summary"]) == (ada, "user_reference", "Ada Lovelace")


@pytest.mark.parametrize("field", ["type", "name", "escalation_rules"])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_what_is_required_may_not_be_missing(ask: Asking, ada: str, field: str, method: str) -> None:
    made = ask.policy(ada)
    body = policy(ada, name="Another")
    del body["escalation_policy"][field]

    told = ask(method, "/escalation_policies" + (f"/{made}" if method == "PUT" else ""), body)

    assert (told.status, told.body["error"]["code"]) == (400, 2001)
    assert told.errors == [f"{field.replace('_', ' ').capitalize()} can't be blank"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": " "},
        {"name": "x" * 256},
        {"type": "escalation_policy_reference"},
        {"num_loops": -1},
        {"num_loops": 10},
        {"num_loops": True},
        {"num_loops": "2"},
        {"on_call_handoff_notifications": "never"},
        {"escalation_rules": []},
        {"escalation_rules": {}},
        {"escalation_rules": ["rule"]},
        {"escalation_rules": [{"escalation_delay_in_minutes": 10}]},
        {"escalation_rules": [{"escalation_delay_in_minutes": 10, "targets": []}]},
        {"escalation_rules": [{"escalation_delay_in_minutes": 10, "targets": [{"type": "user"}]}]},
        {"description": 4},
        {"teams": "P1"},
    ],
)
def test_what_cannot_be_is_refused(ask: Asking, account: Account, ada: str, fields: dict[str, Any]) -> None:
    told = ask("POST", "/escalation_policies", policy(ada, **fields))

    assert (told.status, told.body["error"]["code"]) == (400, 2001)
    assert told.errors
    assert len(account.books.policies) == 0


@pytest.mark.parametrize(
    ("change", "status"), [({"delay": 0}, 400), ({"delay": 1}, 201), ({"kind": "team_reference"}, 400)]
)
def test_a_rule_waits_a_minute_and_tells_users_or_schedules(
    ask: Asking, ada: str, change: dict[str, Any], status: int
) -> None:
    told = ask("POST", "/escalation_policies", policy(ada, escalation_rules=[rule(ada, **change)]))

    assert told.status == status


@pytest.mark.parametrize(("count", "status"), [(10, 201), (11, 400)])
def test_a_rule_has_ten_targets_at_most(
    ask: Asking, account: Account, ada: str, count: int, status: int
) -> None:
    people = [account.by_hand.add_user(f"User {number}", f"{number}@example.com") for number in range(count)]

    assert ask("POST", "/escalation_policies", policy(ada, escalation_rules=[rule(*people)])).status == status


@pytest.mark.parametrize("kind", ["user_reference", "schedule_reference"])
def test_a_target_that_does_not_exist_is_not_found(ask: Asking, ada: str, kind: str) -> None:
    told = ask("POST", "/escalation_policies", policy(ada, escalation_rules=[rule("PNOBODY", kind=kind)]))

    assert (told.status, told.body["error"]["code"]) == (404, 2100)


def test_a_schedule_is_no_user(ask: Asking, account: Account, ada: str) -> None:
    nights = account.by_hand.add_schedule("Nights", ada)

    as_user = policy(ada, escalation_rules=[rule(nights)])
    as_schedule = policy(ada, escalation_rules=[rule(nights, kind="schedule_reference")])

    assert ask("POST", "/escalation_policies", as_user).status == 404
    assert ask("POST", "/escalation_policies", as_schedule).status == 201
    (shown,) = ask("GET", "/schedules").body["schedules"]
    assert [each["summary"] for each in shown["escalation_policies"]] == ["On call"]


@pytest.mark.parametrize("name", ["On call", "ON CALL"])
def test_a_name_is_taken_whatever_its_case(ask: Asking, account: Account, ada: str, name: str) -> None:
    ask.policy(ada)

    told = ask("POST", "/escalation_policies", policy(ada, name=name))

    assert (told.status, told.errors) == (400, ["Name has already been taken"])
    assert len(account.books.policies) == 1


def test_a_policy_may_keep_its_name_but_not_take_another_ones(ask: Asking, ada: str) -> None:
    first = ask.policy(ada)
    ask.policy(ada, name="Nights")

    assert ask("PUT", f"/escalation_policies/{first}", policy(ada, name="on call")).status == 200
    assert ask("PUT", f"/escalation_policies/{first}", policy(ada, name="nights")).status == 400
    assert ask.policy(ada, name="Days")
    assert ask("GET", f"/escalation_policies/{first}").body["escalation_policy"]["name"] == "on call"


def test_a_name_is_free_again_when_its_policy_is_renamed_or_gone(ask: Asking, ada: str) -> None:
    first = ask.policy(ada)
    ask("PUT", f"/escalation_policies/{first}", policy(ada, name="Nights"))
    second = ask.policy(ada)
    ask("DELETE", f"/escalation_policies/{second}")

    assert ask.policy(ada)


def test_an_update_keeps_what_it_does_not_say_and_the_ids_of_rules_that_it_names(
    ask: Asking, ada: str
) -> None:
    made = ask.policy(ada, description="Keep me", num_loops=3)
    read = ask("GET", f"/escalation_policies/{made}").body["escalation_policy"]
    known = read["escalation_rules"][0]["id"]
    rules = [rule(ada) | {"id": known}, rule(ada, delay=20)]

    told = ask("PUT", f"/escalation_policies/{made}", policy(ada, escalation_rules=rules))
    changed = told.body["escalation_policy"]

    assert (changed["description"], changed["num_loops"]) == ("Keep me", 3)
    assert changed["escalation_rules"][0]["id"] == known
    assert changed["escalation_rules"][1]["id"] != known


def test_loops_can_be_set_to_zero_again(ask: Asking, ada: str) -> None:
    made = ask.policy(ada, num_loops=2)

    told = ask("PUT", f"/escalation_policies/{made}", policy(ada, num_loops=0))

    assert told.body["escalation_policy"]["num_loops"] == 0


def test_how_a_rule_assigns_is_an_object_and_shown_to_those_who_ask(ask: Asking, ada: str) -> None:
    in_turn = rule(ada) | {STRATEGY: {"type": "round_robin"}}
    made = ask.policy(ada, escalation_rules=[in_turn, rule(ada)])
    as_text = policy(ada, name="Other", escalation_rules=[rule(ada) | {STRATEGY: "round_robin"}])

    plain = ask("GET", f"/escalation_policies/{made}").body["escalation_policy"]
    include = ("include[]", "escalation_rule_assignment_strategies")
    asked = ask("GET", f"/escalation_policies/{made}", None, include).body["escalation_policy"]

    assert all(STRATEGY not in each for each in plain["escalation_rules"])
    assert [each[STRATEGY]["type"] for each in asked["escalation_rules"]] == [
        "round_robin",
        "assign_to_everyone",
    ]
    assert ask("POST", "/escalation_policies", as_text).status == 400


def test_a_policy_belongs_to_one_team_at_most(ask: Asking, account: Account, ada: str) -> None:
    shop, platform = account.by_hand.add_team("Shop"), account.by_hand.add_team("Platform")
    both = [{"id": shop, "type": "team_reference"}, {"id": platform, "type": "team_reference"}]
    made = ask.policy(ada, teams=both[:1])

    assert ask("POST", "/escalation_policies", policy(ada, name="Two", teams=both)).status == 400
    assert ask("POST", "/escalation_policies", policy(ada, name="No", teams=[{"id": "PNONE"}])).status == 404
    removed = ask("PUT", f"/escalation_policies/{made}", policy(ada, teams=[]))
    assert removed.body["escalation_policy"]["teams"] == []


def test_a_policy_in_use_cannot_be_deleted(ask: Asking, ada: str) -> None:
    made = ask.policy(ada)
    service = ask.service(made)

    refused = ask("DELETE", f"/escalation_policies/{made}")
    ask("DELETE", f"/services/{service}")
    done = ask("DELETE", f"/escalation_policies/{made}")
    gone = ask("DELETE", f"/escalation_policies/{made}")

    assert (refused.status, refused.body["error"]["code"]) == (400, 2001)
    assert (done.status, done.body) == (204, None)
    assert (gone.status, gone.body["error"]["code"]) == (404, 2100)


def test_includes_are_whole_objects(ask: Asking, account: Account, ada: str) -> None:
    team = account.by_hand.add_team("Shop")
    nights = account.by_hand.add_schedule("Nights", ada)
    rules = [rule(ada), rule(nights, kind="schedule_reference")]
    made = ask.policy(ada, teams=[{"id": team, "type": "team_reference"}], escalation_rules=rules)
    ask.service(made)
    every = [("include[]", name) for name in ("services", "teams", "targets")]

    shown = ask("GET", f"/escalation_policies/{made}", None, *every).body["escalation_policy"]

    assert [each["auto_resolve_timeout"] for each in shown["services"]] == [14400]
    assert [each["default_role"] for each in shown["teams"]] == ["manager"]
    assert [each["targets"][0]["type"] for each in shown["escalation_rules"]] == ["user", "schedule"]
    assert shown["escalation_rules"][0]["targets"][0]["email"] == "ada@example.com"


def test_policies_are_found_by_whom_they_tell_and_by_team(ask: Asking, account: Account, ada: str) -> None:
    grace, team = account.by_hand.add_user("Grace", "g@example.com"), account.by_hand.add_team("Shop")
    ask.policy(ada, name="A", teams=[{"id": team, "type": "team_reference"}])
    ask.policy(ada, name="B", escalation_rules=[rule(grace)])

    def names(*query: tuple[str, str]) -> list[str]:
        return [
            each["name"]
            for each in ask("GET", "/escalation_policies", None, *query).body["escalation_policies"]
        ]

    assert names(("user_ids[]", grace)) == ["B"]
    assert names(("user_ids[]", grace), ("user_ids[]", ada)) == ["A", "B"]
    assert names(("team_ids[]", team)) == ["A"]
    assert names(("sort_by", "name:desc")) == ["B", "A"]
