"""The simulator over HTTP: what a program gets, and what the page lets a person see and do."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from pagerduty_asking import HEADERS, Asking, relationship
from windlass.operators.pagerduty.simulator import FAIR, Account, Fault, Weather, furnish
from windlass.operators.pagerduty.simulator.server import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def http(account: Account) -> AsyncIterator[aiohttp.ClientSession]:
    """A client that knows where the simulator is."""
    async with serving(account) as url, aiohttp.ClientSession(url) as session:
        yield session


async def state(http: aiohttp.ClientSession) -> Any:
    """What the page shows."""
    async with http.get("/_simulator/account") as answer:
        return await answer.json()


async def test_objects_say_that_they_are_where_they_are_served(account: Account, ada: str) -> None:
    async with serving(account) as url, aiohttp.ClientSession() as session:
        async with session.get(f"{url}/users/{ada}", headers=HEADERS) as answer:
            shown = (await answer.json())["user"]
        async with session.get(shown["html_url"], headers={"Accept": "text/html"}) as answer:
            kind = answer.content_type

    assert shown["self"] == f"{url}/users/{ada}"
    assert kind == "text/html"


@pytest.mark.parametrize(
    ("text", "kind"), [("{", "application/json"), ("[]", "application/json"), ("{}", "text/plain")]
)
async def test_a_body_that_is_no_object_in_json_is_refused(
    http: aiohttp.ClientSession, text: str, kind: str
) -> None:
    async with http.post("/services", data=text, headers={**HEADERS, "Content-Type": kind}) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]["code"] == 2001


async def test_a_query_comes_through_with_brackets_and_repeats(
    http: aiohttp.ClientSession, account: Account, ada: str
) -> None:
    query = [("include[]", "teams"), ("include[]", "integrations"), ("query", "a b&c")]
    async with http.get("/services", params=query, headers=HEADERS) as answer:
        assert answer.status == 200

    (exchange,) = account.journal
    assert exchange.call.query == tuple(query)


async def test_a_cut_connection_is_cut(http: aiohttp.ClientSession, account: Account) -> None:
    account.faults.plant(Fault(cut=True))

    with pytest.raises(aiohttp.ServerDisconnectedError):
        await http.post("/services", json={}, headers=HEADERS)


async def test_dependencies_changed_at_once_fail_over_http_too(
    http: aiohttp.ClientSession, account: Account, ask: Asking, ada: str, clock: Any
) -> None:
    shop, checkout = ask.service(ask.policy(ada)), ask.business("Checkout")
    account.faults.plant(Fault(delay=timedelta(seconds=5)), path="*/associate")

    async def associate() -> int:
        body = relationship(shop, checkout)
        async with http.post("/service_dependencies/associate", json=body, headers=HEADERS) as answer:
            return answer.status

    first, second = asyncio.create_task(associate()), asyncio.create_task(associate())
    done, _ = await asyncio.wait({first, second}, return_when=asyncio.FIRST_COMPLETED)
    early = [each.result() for each in done]
    await clock.advance(timedelta(seconds=5))

    assert early == [500]
    assert sorted([await first, await second]) == [200, 500]


async def test_the_page_and_all_that_it_needs_come_from_here(http: aiohttp.ClientSession) -> None:
    async with http.get("/", headers={"Accept": "text/html,*/*"}) as answer:
        page, policy = await answer.text(), answer.headers["Content-Security-Policy"]
    kinds = {}
    for name in ("page.css", "page.js", "picture.js"):
        async with http.get(f"/_simulator/{name}") as answer:
            kinds[name] = (answer.status, answer.content_type)
            assert "://" not in (await answer.text()).replace("http://www.w3.org/2000/svg", "")

    assert "default-src 'self'" in policy
    assert "://" not in page
    assert kinds == {
        "page.css": (200, "text/css"),
        "page.js": (200, "text/javascript"),
        "picture.js": (200, "text/javascript"),
    }
    async with http.get("/_simulator/..%2Fpage.py") as answer:
        assert answer.status == 404


async def test_the_page_shows_the_account_and_asks_again_for_what_is_new_only(
    http: aiohttp.ClientSession, account: Account
) -> None:
    furnish(account)
    ask = Asking(account)
    (default,) = account.books.policies
    shop, checkout = ask.service(default.id), ask.business("Checkout")
    ask("POST", "/service_dependencies/associate", relationship(shop, checkout))

    async with http.get("/_simulator/account") as answer:
        shown, tag = await answer.json(), answer.headers["ETag"]
    async with http.get("/_simulator/account", headers={"If-None-Match": tag}) as answer:
        unchanged = answer.status
    account.by_hand.trouble(shop, "critical")
    async with http.get("/_simulator/account", headers={"If-None-Match": tag}) as answer:
        changed = await answer.json()

    assert [each["name"] for each in shown["policies"]] == ["Default"]
    assert shown["dependencies"] == [{"supporting": shop, "dependent": checkout}]
    assert shown["requests"][0]["path"] == "/service_dependencies/associate"
    assert (unchanged, changed["services"][0]["status"]) == (304, "critical")


async def test_a_person_edits_what_an_operator_made_and_the_rest_stays(
    http: aiohttp.ClientSession, ask: Asking, ada: str
) -> None:
    shop = ask.service(ask.policy(ada), auto_resolve_timeout=600)
    edits = {"name": "Store", "description": "by hand", "acknowledgement_timeout": None}
    async with http.patch(f"/_simulator/objects/{shop}", json=edits) as answer:
        done = answer.status

    shown = ask("GET", f"/services/{shop}").body["service"]

    assert done == 204
    assert {name: shown[name] for name in edits} == edits
    assert shown["auto_resolve_timeout"] == 600


async def test_a_person_is_told_what_cannot_be(http: aiohttp.ClientSession, ask: Asking, ada: str) -> None:
    on_call = ask.policy(ada)
    ask.service(on_call)
    told = []
    for method, path, body in (
        ("PATCH", f"objects/{on_call}", {"name": ""}),
        ("PATCH", "objects/PNONE", {"name": "A"}),
        ("DELETE", f"objects/{on_call}", None),
        ("PUT", "weather", {"name": "hail"}),
        ("PUT", f"objects/{on_call}/trouble", {"state": "critical"}),
        ("PUT", f"objects/{on_call}/trouble", {"state": "odd"}),
        ("PATCH", f"objects/{on_call}", [1]),
    ):
        async with http.request(method, f"/_simulator/{path}", json=body) as answer:
            told.append(answer.status)

    assert told == [400, 404, 400, 400, 404, 400, 400]


async def test_a_person_deletes_opens_incidents_and_makes_the_weather(
    http: aiohttp.ClientSession, account: Account, ask: Asking, ada: str
) -> None:
    on_call = ask.policy(ada)
    shop, other = ask.service(on_call), ask.service(on_call, name="Other")
    await http.put(f"/_simulator/objects/{shop}/trouble", json={"state": "warning"})
    await http.delete(f"/_simulator/objects/{other}")
    await http.put("/_simulator/weather", json={"name": "storm"})

    shown = await state(http)

    assert [(each["id"], each["status"]) for each in shown["services"]] == [(shop, "warning")]
    assert (shown["weather"], account.faults.weather == FAIR) == ("storm", False)
    account.faults.weather = Weather(failing=0.5, slow=0.1)
    assert (await state(http))["weather"] == "failing, slow"


async def test_a_page_of_another_origin_cannot_change_anything(
    http: aiohttp.ClientSession, ask: Asking, ada: str
) -> None:
    on_call = ask.policy(ada)
    plain = {"Content-Type": "text/plain", "Origin": "https://elsewhere.example"}
    async with http.patch(f"/_simulator/objects/{on_call}", data='{"name": "A"}', headers=plain) as answer:
        assert answer.status == 415
    async with http.options(f"/_simulator/objects/{on_call}", headers=plain) as answer:
        assert "Access-Control-Allow-Origin" not in answer.headers
