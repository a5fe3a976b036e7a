"""What goes wrong when it is asked to, and what does not."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from pagerduty_asking import KEY, Asking, calling, policy
from windlass.aio import ManualClock
from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.simulator import FAIR, Account, AccountWire, Fault, Weather


@pytest.mark.parametrize("held", [0, 1])
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_failure_may_or_may_not_have_been_done(
    ask: Asking, account: Account, ada: str, status: int, held: int
) -> None:
    account.faults.plant(Fault(status=status, effective=held > 0))

    assert ask("POST", "/escalation_policies", policy(ada)).status == status
    assert len(account.books.policies) == held
    assert [each.done for each in account.journal] == [held > 0]


@pytest.mark.parametrize("held", [0, 1])
def test_a_cut_connection_may_or_may_not_have_been_done_and_nobody_can_tell(
    ask: Asking, account: Account, ada: str, held: int
) -> None:
    account.faults.plant(Fault(cut=True, effective=held > 0))

    with pytest.raises(ConnectionFailedError) as caught:
        ask("POST", "/escalation_policies", policy(ada))

    assert caught.value.sent
    assert len(account.books.policies) == held
    assert [str(each) for each in account.journal] == ["POST /escalation_policies cut"]


def test_an_empty_body_has_no_type(account: Account) -> None:
    account.faults.plant(Fault(status=404, empty=True))
    account.faults.plant(Fault(empty=True))

    refused, done = (account.handle(calling("GET", "/services")) for _ in range(2))

    assert (refused.status, refused.body, done.status, done.body) == (404, b"", 200, b"")
    assert "content-type" not in refused.headers


def test_a_planted_fault_strikes_what_it_is_meant_for_and_so_often(
    ask: Asking, account: Account, ada: str
) -> None:
    account.faults.plant(Fault(status=503), method="GET", path="/users*", times=2)

    statuses = [
        ask("GET", "/services").status,
        ask("POST", "/escalation_policies", policy(ada)).status,
        ask("GET", "/users").status,
        ask("GET", f"/users/{ada}").status,
        ask("GET", "/users").status,
    ]

    assert statuses == [200, 201, 503, 503, 200]


def test_a_throttled_answer_tells_when_to_come_back(account: Account) -> None:
    account.faults.plant(Fault(status=429))

    headers = account.handle(calling("GET", "/users")).headers

    assert (headers["ratelimit-remaining"], int(headers["ratelimit-reset"]) > 0) == ("0", True)
    assert account.rate.exceeded == 0


def test_a_failure_counts_as_a_request_and_a_request_that_never_arrived_does_not(account: Account) -> None:
    account.faults.plant(Fault(status=500))
    account.faults.plant(Fault(cut=True))
    account.handle(calling("GET", "/users"))
    with pytest.raises(ConnectionFailedError):
        account.handle(calling("GET", "/users"))

    assert account.handle(calling("GET", "/users")).headers["ratelimit-remaining"] == "958"


async def test_a_new_object_is_read_and_listed_late_but_its_name_is_taken_at_once(
    ask: Asking, account: Account, clock: ManualClock, ada: str
) -> None:
    account.faults.weather = Weather(read_lag=timedelta(seconds=2), list_lag=timedelta(seconds=4))
    await clock.advance(timedelta(seconds=4))
    made = ask.policy(ada)

    def seen() -> tuple[int, int]:
        listed = ask("GET", "/escalation_policies").body["escalation_policies"]
        return ask("GET", f"/escalation_policies/{made}").status, len(listed)

    at_once, taken = seen(), ask("POST", "/escalation_policies", policy(ada)).status
    changed = ask("PUT", f"/escalation_policies/{made}", policy(ada, num_loops=1)).status
    await clock.advance(timedelta(seconds=2))
    soon = seen()
    await clock.advance(timedelta(seconds=2))

    assert (at_once, taken, changed) == ((404, 0), 400, 200)
    assert (soon, seen()) == ((200, 0), (200, 1))


async def test_a_slow_answer_takes_its_time_on_the_accounts_clock(
    account: Account, clock: ManualClock, ada: str
) -> None:
    account.faults.plant(Fault(delay=timedelta(seconds=20)))
    asked = asyncio.create_task(
        AccountWire(account).send(calling("POST", "/escalation_policies", policy(ada)))
    )
    held = []
    await asyncio.sleep(0)
    for _ in range(2):
        held.append((len(account.books.policies), asked.done()))
        await clock.advance(timedelta(seconds=10))

    assert held == [(0, False), (1, False)]
    assert (await asked).status == 201


async def test_who_gives_up_on_the_way_has_asked_in_vain_and_on_the_way_back_has_not(
    account: Account, clock: ManualClock, ada: str
) -> None:
    held = []
    for name, waited in (("there", 4), ("back", 6)):
        account.faults.plant(Fault(delay=timedelta(seconds=10)))
        call = calling("POST", "/escalation_policies", policy(ada, name=name))
        asked = asyncio.create_task(AccountWire(account).send(call))
        await asyncio.sleep(0)
        await clock.advance(timedelta(seconds=waited))
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        held.append([each.name for each in account.books.policies])

    assert held == [[], ["back"]]


STORM = Weather(
    throttled=0.1, failing=0.2, cut_before=0.1, cut_after=0.1, slow=0.5, slowest=timedelta(seconds=10)
)


def through_the_storm(seed: int) -> tuple[list[str], list[str]]:
    account = Account(clock=ManualClock(), random=Random(seed))
    account.allow(KEY)
    ada = account.by_hand.add_user("Ada", "ada@example.com")
    account.faults.weather = STORM
    for number in range(400):
        try:
            Asking(account)("POST", "/escalation_policies", policy(ada, name=str(number)))
        except ConnectionFailedError:
            continue
    return [f"{each} {each.done}" for each in account.journal], [each.id for each in account.books.policies]


def test_the_same_seed_has_the_same_storm_and_the_same_ids() -> None:
    assert through_the_storm(1) == through_the_storm(1)
    assert through_the_storm(1) != through_the_storm(2)


def test_a_storm_has_some_of_everything_in_about_the_shares_asked_for() -> None:
    exchanges, held = through_the_storm(7)
    seen = Counter(line.removeprefix("POST /escalation_policies ") for line in exchanges)

    assert 0.4 < seen["201 True"] / 400 < 0.6
    assert {"429 False", "500 False", "500 True", "cut False", "cut True"} <= set(seen)
    assert len(held) == sum(count for line, count in seen.items() if line.endswith("True"))


def test_fair_weather_comes_again(ask: Asking, account: Account) -> None:
    account.faults.weather = Weather(failing=1)
    failed = ask("GET", "/users").status
    account.faults.weather = FAIR

    assert failed >= 500
    assert {ask("GET", "/users").status for _ in range(50)} == {200}
