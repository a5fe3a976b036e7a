"""What the client asks of PagerDuty, and what it makes of the answers."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from on_call import TOKEN, an_account
from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api import (
    BUSINESS_SERVICES,
    POLICIES,
    SERVICES,
    USERS,
    AbilityMissingError,
    AlreadyResolvedError,
    BudgetOptions,
    Caller,
    ForbiddenError,
    InUseError,
    InvalidInputError,
    LimitedError,
    NameTakenError,
    NotFoundError,
    PagerDuty,
    Reply,
    RequestMetrics,
    Road,
    ServerFailedError,
    Shares,
    UnauthorizedError,
    UnreachableError,
    Wire,
)
from windlass.operators.pagerduty.api.channel import route
from windlass.operators.pagerduty.simulator import AccountWire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from windlass.aio import ManualClock
    from windlass.operators.pagerduty.api import Call


class Scripted(Wire):
    """Answers what it was told to, in that order, and keeps what was asked."""

    def __init__(self, *replies: Reply | Exception) -> None:
        self._replies = list(replies)
        self.calls: list[Call] = []

    async def send(self, call: Call) -> Reply:
        self.calls.append(call)
        found = self._replies.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


class Effects:
    """Takes note of each effect, and does it."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def __call__(self, what: str, call: Callable[[], Awaitable[Any]], *, planned: Any = None) -> Any:
        self.done.append(what)
        return await call()


def answer(status: int, body: Any = None, **headers: str) -> Reply:
    text = b"" if body is None else json.dumps(body).encode()
    return Reply(
        status=status, headers={f"ratelimit-{name}": value for name, value in headers.items()}, body=text
    )


def refusal(status: int, *errors: str) -> Reply:
    return answer(
        status, {"error": {"code": 2001, "message": "Invalid Input Provided", "errors": list(errors)}}
    )


def a_client(wire: Wire, clock: ManualClock, effects: Effects | None = None) -> PagerDuty:
    shares = Shares(BudgetOptions(), clock=clock, random=Random(1))
    road = Road(wire=wire, clock=clock, metrics=RequestMetrics())
    caller = Caller(token=TOKEN, share=shares.of(TOKEN), namespace="default")
    return PagerDuty(road, caller, effects or Effects())


async def test_a_request_says_who_asks_and_in_which_version(clock: ManualClock) -> None:
    wire = Scripted(answer(200, {"service": {"id": "P1"}}))
    await a_client(wire, clock).get(SERVICES, "P1", ["integrations"])

    (call,) = wire.calls
    assert (call.method, call.path, call.query) == ("GET", "/services/P1", (("include[]", "integrations"),))
    assert call.headers["authorization"] == f"Token token={TOKEN}"
    assert call.headers["accept"] == "application/vnd.pagerduty+json;version=2"
    assert TOKEN not in repr(call)


async def test_every_write_is_an_effect_that_says_what_it_sets_and_no_read_is(clock: ManualClock) -> None:
    effects = Effects()
    made = {"service": {"id": "P1"}}
    wire = Scripted(answer(201, made), answer(200, made), answer(200, made), answer(204), answer(200, {}))
    client = a_client(wire, clock, effects)
    await client.create(SERVICES, {"name": "a"})
    await client.update(SERVICES, "P1", {"name": "b", "description": "c"}, {"name": "b"})
    await client.get(SERVICES, "P1")
    await client.delete(SERVICES, "P1")
    await client.relate({}, associated=True)

    assert effects.done == [
        'POST /services\n    name: "a"',
        'PUT /services/P1\n    name: "b"',
        "DELETE /services/P1",
        "POST /service_dependencies/associate",
    ]


@pytest.mark.parametrize(
    ("method", "reply", "error"),
    [
        ("create", refusal(400, "Name can't be blank"), InvalidInputError),
        ("create", refusal(400, "Name has already been taken"), NameTakenError),
        ("delete", refusal(400, "is being used"), InUseError),
        ("resolve", refusal(400, "Incident Already Resolved"), AlreadyResolvedError),
        ("resolve", refusal(400, "Requester User Not Found"), InvalidInputError),
        ("resolve", answer(413), InvalidInputError),
        ("create", answer(401), UnauthorizedError),
        ("create", answer(402), AbilityMissingError),
        ("create", answer(403, {"error": "text"}), ForbiddenError),
        ("create", answer(404), NotFoundError),
        ("create", answer(406), InvalidInputError),
        ("create", answer(500), ServerFailedError),
        ("create", Reply(status=503, headers={}, body=b"<html>"), ServerFailedError),
        ("create", Reply(status=200, headers={}, body=b"not JSON"), ServerFailedError),
        ("create", answer(201), ServerFailedError),
        ("create", answer(200, [1]), ServerFailedError),
        ("create", ConnectionFailedError("cut", sent=True), UnreachableError),
    ],
)
async def test_an_answer_has_an_error_of_its_own(
    clock: ManualClock, method: str, reply: Reply | Exception, error: type[Exception]
) -> None:
    client = a_client(Scripted(reply), clock)
    asked: dict[str, Callable[[], Awaitable[Any]]] = {
        "create": lambda: client.create(SERVICES, {}),
        "delete": lambda: client.delete(SERVICES, "P1"),
        "resolve": lambda: client.incidents.resolve(["P1"], "ada@example.com"),
    }
    with pytest.raises(error) as raised:
        await asked[method]()

    assert type(raised.value) is error
    assert TOKEN not in str(raised.value)


async def test_open_incidents_are_those_of_all_times_on_every_page(clock: ManualClock) -> None:
    pages = [
        answer(200, {"incidents": [{"id": "P1"}, {"id": "P2"}], "more": True}),
        answer(200, {"incidents": [{"id": "P3"}], "more": False}),
    ]
    wire = Scripted(*pages)

    assert await a_client(wire, clock).incidents.open("PSHOP") == ["P1", "P2", "P3"]
    assert [call.query for call in wire.calls] == [
        (
            ("service_ids[]", "PSHOP"),
            ("statuses[]", "triggered"),
            ("statuses[]", "acknowledged"),
            ("date_range", "all"),
            ("limit", "100"),
            ("offset", offset),
        )
        for offset in ("0", "100")
    ]


@pytest.mark.parametrize(
    ("count", "batches"), [(0, []), (1, [1]), (250, [250]), (251, [250, 1]), (600, [250, 250, 100])]
)
async def test_no_request_resolves_more_incidents_than_pagerduty_takes(
    clock: ManualClock, count: int, batches: list[int]
) -> None:
    effects, wire = Effects(), Scripted(*[answer(200, {"incidents": []}) for _ in batches])
    ids = [f"P{number}" for number in range(count)]
    await a_client(wire, clock, effects).incidents.resolve(ids, "ada@example.com")

    sent = [call.body["incidents"] for call in wire.calls if call.body]
    assert list(map(len, sent)) == batches
    assert [each for batch in sent for each in batch] == [
        {"id": each, "type": "incident_reference", "status": "resolved"} for each in ids
    ]
    assert [each.splitlines()[0] for each in effects.done] == ["PUT /incidents"] * len(batches)


@pytest.mark.parametrize(("requester", "sent"), [("ada@example.com", "ada@example.com"), ("", None)])
async def test_incidents_are_resolved_in_the_name_of_whoever_is_given(
    clock: ManualClock, requester: str, sent: str | None
) -> None:
    wire = Scripted(answer(200, {}))
    await a_client(wire, clock).incidents.resolve(["P1"], requester)

    (call,) = wire.calls
    assert call.headers.get("from") == sent
    assert call.headers["authorization"] == f"Token token={TOKEN}"


async def test_what_is_not_there_is_none_and_deleting_it_is_no_fault(clock: ManualClock) -> None:
    client = a_client(Scripted(answer(404), answer(404)), clock)

    assert await client.get(POLICIES, "P1") is None
    await client.delete(POLICIES, "P1")


async def test_creating_succeeds_with_200_and_with_201(clock: ManualClock) -> None:
    made = {"business_service": {"id": "P1"}}
    client = a_client(Scripted(answer(200, made), answer(201, made)), clock)

    assert [await client.create(BUSINESS_SERVICES, {}) for _ in range(2)] == [{"id": "P1"}] * 2


async def test_whether_a_request_was_sent_is_known_when_no_answer_came(clock: ManualClock) -> None:
    for sent in (True, False):
        client = a_client(Scripted(ConnectionFailedError("cut", sent=sent)), clock)
        with pytest.raises(UnreachableError) as raised:
            await client.create(SERVICES, {})
        assert raised.value.sent is sent


async def test_a_name_is_found_exactly_and_on_whichever_page(clock: ManualClock) -> None:
    def page(names: Sequence[str], *, more: bool) -> Reply:
        found = [{"id": f"P{name}", "name": name} for name in names]
        return answer(200, {"escalation_policies": found, "more": more})

    wire = Scripted(page(["shop two", "the shop"], more=True), page(["Shop"], more=False))
    found = await a_client(wire, clock).find(POLICIES, "shop")

    assert found == {"id": "PShop", "name": "Shop"}
    assert [dict(call.query) for call in wire.calls] == [
        {"query": "shop", "limit": "100", "offset": "0"},
        {"query": "shop", "limit": "100", "offset": "100"},
    ]


async def test_a_list_that_cannot_be_narrowed_is_read_up_to_the_wall(clock: ManualClock) -> None:
    account = an_account(clock)
    for number in range(101):
        account.by_hand("POST", "/business_services", {"business_service": {"name": f"b{number:03}"}})
    client = a_client(AccountWire(account), clock)

    assert await client.find(BUSINESS_SERVICES, "B100") is not None
    assert await client.find(BUSINESS_SERVICES, "b1") is None
    endless = Scripted(*(answer(200, {"business_services": [], "more": True}) for _ in range(100)))
    assert await a_client(endless, clock).find(BUSINESS_SERVICES, "none") is None
    assert len(endless.calls) == 100


async def test_a_user_is_found_by_the_whole_address(clock: ManualClock) -> None:
    account = an_account(clock)
    account.by_hand.add_user("Ada", "ada@example.com.example.com")
    ada = account.by_hand.add_user("Ada", "Ada@example.com")
    client = a_client(AccountWire(account), clock)

    assert (await client.find(USERS, "ada@example.com") or {}).get("id") == ada
    assert await client.find(USERS, "ada@example") is None


async def test_a_refusal_for_want_of_turns_is_given_up_with_the_wait(clock: ManualClock) -> None:
    refused = answer(429, remaining="0", reset="1")
    wire = Scripted(*[refused] * 5)
    client = a_client(wire, clock)

    asking = asyncio.ensure_future(client.get(SERVICES, "P1"))
    while not asking.done():
        await clock.advance(timedelta(seconds=1))
        await asyncio.sleep(0)
    with pytest.raises(LimitedError) as raised:
        await asking

    assert raised.value.wait == timedelta(seconds=1)
    assert len(wire.calls) == 5


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/services", "/services"),
        ("/services/P1NKFZC", "/services/{id}"),
        ("/services/P1NKFZC/integrations/PQ9K7I8", "/services/{id}/integrations/{id}"),
        ("/service_dependencies/business_services/P99DJ6", "/service_dependencies/business_services/{id}"),
        ("/service_dependencies/associate", "/service_dependencies/associate"),
    ],
)
def test_a_route_has_no_ids(path: str, shown: str) -> None:
    assert route(path) == shown
