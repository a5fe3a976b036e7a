"""The official client of PagerDuty does its ordinary work with the simulator, over HTTP."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pagerduty
import pytest

from pagerduty_asking import KEY, policy, relationship, service
from windlass.operators.pagerduty.simulator import Fault
from windlass.operators.pagerduty.simulator.server import serving
from windlass.pki import authority, serving_certificate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from ssl import SSLContext

    from windlass.operators.pagerduty.simulator import Account

    Open = Callable[[str], pagerduty.RestApiV2Client]


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[SSLContext, SSLContext]:
    """How the simulator serves, and how a client trusts it: the official one asks nobody without TLS."""
    folder, signer = tmp_path_factory.mktemp("tls"), authority("test")
    pair = serving_certificate(signer, ["127.0.0.1"])
    (folder / "pem").write_text(pair.certificate + pair.key)
    serves = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serves.load_cert_chain(folder / "pem")
    return serves, ssl.create_default_context(cadata=signer.certificate)


@pytest.fixture
async def open_client(account: Account, tls: tuple[SSLContext, SSLContext]) -> AsyncIterator[Open]:
    """What makes an official client, which knows where the simulator is, for a key."""
    serves, trusts = tls
    with ExitStack() as opened:
        async with serving(account, tls=serves) as url:
            yield lambda key: opened.enter_context(
                pagerduty.RestApiV2Client(key, base_url=url, verify=trusts)
            )
            opened.close()  # or the server would wait for its connections to end


@pytest.fixture
def client(open_client: Open) -> pagerduty.RestApiV2Client:
    """An official client with the account's key."""
    return open_client(KEY)


async def test_it_creates_reads_changes_and_deletes_a_policy(
    client: pagerduty.RestApiV2Client, ada: str
) -> None:
    def work() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], int]:
        made = client.rpost("escalation_policies", json=policy(ada)["escalation_policy"])
        read = client.rget(made)
        changed = client.rput(made, json=read | {"num_loops": 2})
        return made, read, changed, client.rdelete(made).status_code

    made, read, changed, deleted = await asyncio.to_thread(work)

    assert made == read
    assert changed == read | {"num_loops": 2}
    assert deleted == 204


async def test_it_gets_a_service_and_the_key_of_its_integration(
    client: pagerduty.RestApiV2Client, ada: str
) -> None:
    def work() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        on_call = client.rpost("escalation_policies", json=policy(ada)["escalation_policy"])
        shop = client.rpost("services", json=service(on_call["id"])["service"])
        asked = {"type": "events_api_v2_inbound_integration", "name": "Alertmanager"}
        made = client.rpost(f"services/{shop['id']}/integrations", json=asked)
        return (
            made,
            client.rget(made["self"]),
            client.rget(shop["self"], params={"include[]": "integrations"}),
        )

    made, read, shop = await asyncio.to_thread(work)

    assert read == made
    assert len(made["integration_key"]) == 32
    assert [each["integration_key"] for each in shop["integrations"]] == [made["integration_key"]]


async def test_it_lists_and_resolves_incidents_in_the_name_of_a_user(
    client: pagerduty.RestApiV2Client, account: Account, ada: str
) -> None:
    on_call = account.by_hand("POST", "/escalation_policies", policy(ada))["escalation_policy"]["id"]
    shop = account.by_hand("POST", "/services", service(on_call))["service"]["id"]
    made = [account.by_hand.open_incident(shop) for _ in range(30)]

    def work() -> tuple[list[str], list[dict[str, Any]], list[str]]:
        query = {"service_ids[]": [shop], "statuses[]": ["triggered", "acknowledged"]}
        found = client.list_all("incidents", params=query)
        client.headers["From"] = "ada@example.com"
        wanted = [{"id": each["id"], "type": "incident", "status": "resolved"} for each in found]
        done = client.rput("incidents", json=wanted)
        return [each["id"] for each in found], done, client.list_all("incidents", params=query)

    found, done, left = await asyncio.to_thread(work)

    assert (found, left) == (made, [])
    assert {each["status"] for each in done} == {"resolved"}


async def test_it_pages_through_everything(
    client: pagerduty.RestApiV2Client, account: Account, ada: str
) -> None:
    made = account.by_hand("POST", "/escalation_policies", policy(ada))["escalation_policy"]["id"]
    names = [f"Service {number:03}" for number in range(230)]
    for name in names:
        account.by_hand("POST", "/services", service(made, name=name))

    def work() -> tuple[list[str], dict[str, Any], int]:
        listed = [each["name"] for each in client.iter_all("services")]
        return listed, client.dict_all("services", by="name", page_size=50), client.get_total("services")

    listed, by_name, total = await asyncio.to_thread(work)

    assert listed == names
    assert list(by_name) == names
    assert total == 230


async def test_it_finds_by_name_whatever_the_case(
    client: pagerduty.RestApiV2Client, account: Account
) -> None:
    account.by_hand.add_schedule("Primary")
    account.by_hand.add_schedule("Primary, nights")
    account.by_hand.add_user("Grace Hopper", "grace@example.com")

    def work() -> tuple[Any, Any, Any]:
        schedule = client.find("schedules", "primary")
        person = client.find("users", "grace@example.com", attribute="email")
        return schedule, person, client.find("teams", "Nobody")

    schedule, person, team = await asyncio.to_thread(work)

    assert (schedule["name"], person["name"], team) == ("Primary", "Grace Hopper", None)


async def test_it_persists_once_and_updates_what_differs(
    client: pagerduty.RestApiV2Client, account: Account, ada: str
) -> None:
    values = policy(ada)["escalation_policy"]

    def work() -> list[dict[str, Any]]:
        twice = [client.persist("escalation_policies", "name", dict(values)) for _ in range(2)]
        changed = client.persist("escalation_policies", "name", values | {"description": "new"}, update=True)
        return [*twice, changed]

    first, second, changed = await asyncio.to_thread(work)

    assert first == second
    assert (changed["id"], changed["description"]) == (first["id"], "new")
    assert [str(each) for each in account.journal.writes()] == [
        "POST /escalation_policies 201",
        f"PUT /escalation_policies/{first['id']} 200",
    ]


async def test_it_associates_business_services(
    client: pagerduty.RestApiV2Client, account: Account, ada: str
) -> None:
    on_call = account.by_hand("POST", "/escalation_policies", policy(ada))["escalation_policy"]["id"]
    shop = account.by_hand("POST", "/services", service(on_call))["service"]["id"]

    def work() -> tuple[str, Any, Any]:
        made = client.rpost("business_services", json={"name": "Checkout"})["id"]
        client.rpost("service_dependencies/associate", json=relationship(shop, made)["relationships"])
        # Neither `rget` nor `rpost`, which know another wrapper for these two than PagerDuty does.
        seen = client.jget(f"service_dependencies/business_services/{made}")["relationships"]
        client.jpost("service_dependencies/disassociate", json=relationship(shop, made))
        after = client.jget(f"service_dependencies/technical_services/{shop}")["relationships"]
        return made, seen, after

    made, seen, after = await asyncio.to_thread(work)

    assert [(each["supporting_service"]["id"], each["dependent_service"]["id"]) for each in seen] == [
        (shop, made)
    ]
    assert after == []


async def test_it_raises_what_is_refused_with_the_words_of_the_refusal(
    client: pagerduty.RestApiV2Client, ada: str
) -> None:
    def work() -> list[Any]:
        refused = []
        client.rpost("escalation_policies", json=policy(ada)["escalation_policy"])
        for resource, body in (
            ("escalation_policies", policy(ada, name="ON CALL")["escalation_policy"]),
            ("services", service("PNOBODY")["service"]),
        ):
            with pytest.raises(pagerduty.HttpError) as caught:
                client.rpost(resource, json=body)
            refused.append(caught.value.response)
        return refused

    taken, unknown = await asyncio.to_thread(work)

    assert taken.status_code == 400
    assert taken.json()["error"]["errors"] == ["Name has already been taken"]
    assert unknown.json()["error"] == {"code": 2100, "message": "Not Found"}


async def test_it_is_told_who_it_is_and_what_the_account_has(
    open_client: Open, account: Account, ada: str
) -> None:
    account.books.abilities.discard("teams")
    account.allow("ada's own", user=ada)

    def work() -> tuple[str, bool, bool, str]:
        client, own = open_client(KEY), open_client("ada's own")
        kind, me = client.api_key_access, own.rget("users/me")["name"]
        return kind, client.account_has_ability("teams"), client.account_has_ability("urgencies"), me

    assert await asyncio.to_thread(work) == ("account", False, True, "Ada Lovelace")


async def test_a_wrong_key_is_an_error_of_authorization(
    client: pagerduty.RestApiV2Client, account: Account
) -> None:
    account.revoke(KEY)

    with pytest.raises(pagerduty.HttpError) as caught:
        await asyncio.to_thread(client.rget, "services")

    refused: Any = caught.value.response
    assert refused.status_code == 401


async def test_it_waits_and_asks_again_when_it_is_throttled(
    client: pagerduty.RestApiV2Client, account: Account
) -> None:
    client.sleep_timer = 0.01
    account.faults.plant(Fault(status=429), path="/services", times=2)

    assert await asyncio.to_thread(client.list_all, "services") == []
    assert [each.status for each in account.journal] == [429, 429, 200]


async def test_it_asks_again_when_the_connection_is_cut(
    client: pagerduty.RestApiV2Client, account: Account
) -> None:
    client.sleep_timer = 0.01
    account.faults.plant(Fault(cut=True), path="/services")

    assert await asyncio.to_thread(client.list_all, "services") == []
    assert [each.status for each in account.journal] == [None, 200]
