"""The gateway passes requests on as they are, and lets nobody in who does not know the way."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest

from meddling import Meddling
from windlass.api import ObjectMeta
from windlass.client import Client
from windlass.errors import ConnectionFailedError, NotLeadingError
from windlass.helm.gateway import Gateway
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request
    from windlass.cluster import Cluster

MAPS = "/api/v1/namespaces/default/configmaps"
PROTOBUF = "application/vnd.kubernetes.protobuf"


class Way:
    """A client of the gateway, and what came out on its other side."""

    def __init__(self, cluster: Cluster, session: aiohttp.ClientSession) -> None:
        self.session = session
        self.passed: list[Request] = []
        self.fault: Exception | None = None
        self.client = Client(cluster.transport())
        self.gateway = Gateway(Client(Meddling(self.client.transport, self._before)))

    async def _before(self, request: Request) -> None:
        self.passed.append(request)
        if self.fault:
            raise self.fault

    async def ask(self, path: str, method: str = "GET", **options: Any) -> tuple[int, Any, Any]:
        async with self.session.request(method, self.gateway.address + path, **options) as answer:
            body = await answer.json() if "json" in answer.content_type else await answer.read()
            return answer.status, body, answer.headers


@pytest.fixture
async def way(api_server: Cluster) -> AsyncIterator[Way]:
    async with aiohttp.ClientSession() as session:
        made = Way(api_server, session)
        async with made.gateway.listening():
            yield made


async def test_requests_and_answers_pass_whole(way: Way) -> None:
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {"b": "x" * 1_048_000},
    }
    path = f"{MAPS}?fieldManager=m%2Fn&labelSelector=a%3Db%2Cc"
    headers = {"User-Agent": "Helm/4", "Content-Type": "application/json"}
    code, made, _ = await way.ask(path, "POST", data=BytesIO(orjson.dumps(body)), headers=headers)
    await way.ask(
        MAPS, "POST", data=BytesIO(orjson.dumps({**body, "metadata": {"name": "b"}})), headers=headers
    )
    _, listed, _ = await way.ask(MAPS)
    missing, status, _ = await way.ask(f"{MAPS}/none")

    assert code == 201
    assert made["data"] == body["data"]
    assert [each["metadata"]["name"] for each in listed["items"]] == ["a", "b"]
    assert way.passed[0].path == MAPS
    assert way.passed[0].query == (("fieldManager", "m/n"), ("labelSelector", "a=b,c"))
    assert way.passed[0].headers["user-agent"] == "Helm/4"
    assert (missing, status["reason"]) == (404, "NotFound")


async def test_credentials_and_what_is_between_neighbours_do_not_pass(way: Way) -> None:
    headers = {"Authorization": "Bearer x", "Connection": "keep-alive", "Accept-Encoding": "gzip", "X-A": "b"}
    await way.ask("/version", headers=headers)

    assert way.passed[0].headers.keys() & {"authorization", "connection", "accept-encoding", "host"} == set()
    assert way.passed[0].headers["x-a"] == "b"


async def test_other_forms_than_json_pass_but_watches_are_of_lines(way: Way) -> None:
    _, listed, headers = await way.ask(MAPS, headers={"Accept": f"{PROTOBUF},application/json"})
    watched = f"{MAPS}?watch=true&timeoutSeconds=1"
    await way.ask(watched, headers={"Accept": f"{PROTOBUF};stream=watch,application/json;as=Table"})
    await way.ask(watched, headers={"Accept": PROTOBUF})

    assert headers["Content-Type"] == PROTOBUF
    assert listed.startswith(b"k8s\x00")
    assert way.passed[1].headers["accept"] == "application/json;as=Table"
    assert way.passed[2].headers["accept"] == "application/json"


async def test_a_watch_is_told_of_each_change_at_once(way: Way) -> None:
    async with way.session.get(f"{way.gateway.address}{MAPS}?watch=1") as answer:
        for name in ("one", "two"):
            await way.client.create(ConfigMap(metadata=ObjectMeta(name=name, namespace="default")))
            line = await answer.content.readline()
            assert name.encode() in line


async def test_warnings_pass(way: Way) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "nonsense": 1}
    _, _, headers = await way.ask(f"{MAPS}?fieldValidation=Warn", "POST", json=body)

    assert headers["Warning"] == r'299 - "unknown field \"nonsense\""'


@pytest.mark.parametrize("path", ["/version", "/guess/version", "/", ""])
async def test_nobody_gets_in_without_the_secret(way: Way, path: str) -> None:
    root, _, _ = way.gateway.address.rpartition("/")
    async with way.session.get(root + path, headers={"Authorization": "Bearer x"}) as answer:
        code, status = answer.status, await answer.json()

    assert (code, status["reason"]) == (401, "Unauthorized")
    assert way.passed == []


async def test_a_failure_to_get_an_answer_is_told_as_a_status(way: Way) -> None:
    way.fault = ConnectionFailedError("the line is cut")
    code, status, _ = await way.ask("/version")

    assert (code, status["kind"], status["message"]) == (503, "Status", "the line is cut")
    assert way.gateway.refusal is None


async def test_a_lost_lease_is_told_and_remembered(way: Way) -> None:
    way.fault = NotLeadingError("this process does not lead")
    code, status, _ = await way.ask(MAPS, "POST", json={})
    await way.ask(f"{MAPS}?watch=true")

    assert (code, status["message"]) == (403, "this process does not lead")
    assert way.gateway.refusal is way.fault


async def test_leaving_ends_what_is_under_way_and_lets_nobody_in_any_more(api_server: Cluster) -> None:
    client = Client(api_server.transport())
    gateway = Gateway(client)
    async with aiohttp.ClientSession() as session:
        async with gateway.listening():
            answer = await session.get(f"{gateway.address}{MAPS}?watch=true")
        with pytest.raises(aiohttp.ClientError):
            await asyncio.wait_for(answer.read(), 30)
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"{gateway.address}/version")
