"""What an operator looks up: people, schedules, teams, abilities, and lists of them in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pagerduty_asking import policy, service

if TYPE_CHECKING:
    from pagerduty_asking import Asking
    from windlass.operators.pagerduty.simulator import Account


def test_people_are_found_by_name_and_by_address(ask: Asking, account: Account, ada: str) -> None:
    account.by_hand.add_user("Grace Hopper", "grace@example.com")

    def found(query: str) -> list[str]:
        return [each["name"] for each in ask("GET", "/users", None, ("query", query)).body["users"]]

    assert found("lovelace") == ["Ada Lovelace"]
    assert found("GRACE@example.com") == ["Grace Hopper"]
    assert found("example.com") == ["Ada Lovelace", "Grace Hopper"]
    assert ask("GET", f"/users/{ada}").body["user"]["email"] == "ada@example.com"


def test_a_schedule_says_who_takes_turns(ask: Asking, account: Account, ada: str) -> None:
    nights = account.by_hand.add_schedule("Nights", ada)

    assert ask("GET", f"/schedules/{nights}").body["schedule"]["users"][0]["id"] == ada
    assert [each["id"] for each in ask("GET", f"/schedules/{nights}/users").body["users"]] == [ada]
    assert [
        each["name"] for each in ask("GET", "/schedules", None, ("query", "night")).body["schedules"]
    ] == ["Nights"]


def test_priorities_and_vendors_are_listed(ask: Asking, account: Account) -> None:
    vendor = account.by_hand.add_vendor("Prometheus")

    assert [each["name"] for each in ask("GET", "/priorities").body["priorities"]] == [
        "P1",
        "P2",
        "P3",
        "P4",
        "P5",
    ]
    assert [each["id"] for each in ask("GET", "/vendors").body["vendors"]] == [vendor]
    assert ask("GET", f"/vendors/{vendor}").body["vendor"]["name"] == "Prometheus"


def test_abilities_are_there_missing_or_unknown(ask: Asking, account: Account) -> None:
    account.books.abilities.discard("teams")

    assert "teams" not in ask("GET", "/abilities").body["abilities"]
    assert [ask("GET", f"/abilities/{name}").status for name in ("urgencies", "teams", "flying")] == [
        204,
        402,
        404,
    ]


def test_without_the_ability_there_are_no_teams_anywhere(ask: Asking, account: Account, ada: str) -> None:
    team = account.by_hand.add_team("Shop")
    account.books.abilities.discard("teams")
    named = [{"id": team, "type": "team_reference"}]

    told = [
        ask("GET", "/teams"),
        ask("POST", "/teams", {"team": {"type": "team", "name": "Other"}}),
        ask("GET", f"/teams/{team}"),
        ask("DELETE", f"/teams/{team}"),
        ask("POST", "/escalation_policies", policy(ada, teams=named)),
        ask("POST", "/business_services", {"business_service": {"name": "A", "team": {"id": team}}}),
    ]

    assert {each.status for each in told} == {402}
    assert ask("POST", "/escalation_policies", policy(ada)).status == 201


def test_a_team_is_made_changed_and_deleted_unless_something_belongs_to_it(ask: Asking, ada: str) -> None:
    body = {"team": {"type": "team", "name": "Shop"}}
    made = ask("POST", "/teams", body)
    team = made.body["team"]["id"]
    on_call = ask.policy(ada)
    path = f"/teams/{team}/escalation_policies/{on_call}"

    added = ask("PUT", path)
    refused = ask("DELETE", f"/teams/{team}")
    removed = [ask("DELETE", path).status for _ in range(2)]
    renamed = ask("PUT", f"/teams/{team}", {"team": {"type": "team", "name": "Store"}})

    assert (made.status, ask("POST", "/teams", {"team": {"type": "team", "name": "store"}}).status) == (
        201,
        400,
    )
    assert (added.status, removed) == (204, [204, 404])
    assert (refused.status, refused.body["error"]["code"]) == (400, 6006)
    assert renamed.body["team"]["name"] == "Store"
    assert ask("DELETE", f"/teams/{team}").status == 204


def filled(ask: Asking, ada: str, count: int) -> None:
    on_call = ask.account.by_hand("POST", "/escalation_policies", policy(ada))["escalation_policy"]["id"]
    for number in range(count):
        ask.account.by_hand("POST", "/services", service(on_call, name=f"Service {number:05}"))


def test_a_list_comes_in_pages(ask: Asking, ada: str) -> None:
    filled(ask, ada, 130)

    usual = ask("GET", "/services").body
    largest = ask("GET", "/services", None, ("limit", "1000"), ("total", "true")).body
    last = ask("GET", "/services", None, ("limit", "100"), ("offset", "100")).body

    assert (len(usual["services"]), usual["limit"], usual["more"], usual["total"]) == (25, 25, True, None)
    assert (len(largest["services"]), largest["limit"], largest["total"]) == (100, 100, 130)
    assert (len(last["services"]), last["offset"], last["more"]) == (30, 100, False)


@pytest.mark.parametrize(("offset", "limit", "status"), [(9900, 100, 200), (9901, 100, 400), (10000, 1, 400)])
def test_nobody_gets_past_ten_thousand(ask: Asking, offset: int, limit: int, status: int) -> None:
    told = ask("GET", "/services", None, ("offset", str(offset)), ("limit", str(limit)))

    assert told.status == status


@pytest.mark.parametrize(
    "query", [("limit", "0"), ("limit", "many"), ("offset", "-1"), ("offset", "1.5"), ("limit", "²")]
)
def test_a_page_that_cannot_be_is_refused(ask: Asking, query: tuple[str, str]) -> None:
    assert ask("GET", "/services", None, query).status == 400
