"""Requests that are passed on to where the address of a pod leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from contract import Api, pod
from contract_objects import service
from windlass.apiserver.outside import Answer
from windlass.client import Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.cluster import Cluster

POD, NUMBER = "10.1.0.1", 8080
Object = dict[str, Any]


async def echo(request: web.BaseRequest) -> web.StreamResponse:
    """Tells what it was asked; `/many` in pieces, without a length."""
    if request.path == "/many":
        response = web.StreamResponse(headers={"X-Kind": "many"})
        await response.prepare(request)
        for _ in range(3):
            await response.write(b"piece ")
        return response
    told = {
        "method": request.method,
        "path": request.raw_path,
        "headers": {name.lower(): value for name, value in request.headers.items()},
        "body": (await request.read()).decode(),
    }
    return web.json_response(told, status=418, headers={"X-Kind": "whole", "Connection": "close"})


@pytest.fixture
async def path(cluster: Cluster, api: Api, pods: str) -> AsyncIterator[str]:
    """The path of a pod whose address leads to a server on loopback."""
    containers = [{"name": "main", "image": "a", "ports": [{"containerPort": NUMBER}]}]
    (await api.create(pods, pod("proxy", containers=containers))).ok()
    (await api.patch(f"{pods}/proxy/status", {"status": {"podIP": POD}})).ok()
    runner = web.ServerRunner(web.Server(echo))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    cluster.lead(f"{POD}:{NUMBER}", f"{host}:{port}")
    yield f"{pods}/proxy"
    await runner.cleanup()


async def test_a_request_is_passed_on_without_the_credentials(api: Api, path: str) -> None:
    query = (("a", "1"), ("b", "x y"))
    headers = {"X-Mine": "yes", "Content-Type": "text/plain"}
    request = Request(
        method="PUT", path=f"{path}/proxy/some%20where/", query=query, headers=headers, body=b"hello"
    )

    response = await api.transport.send(request)

    told = _parsed(response.body)
    assert (response.status, response.headers["x-kind"]) == (418, "whole")
    assert "connection" not in response.headers
    assert (told["method"], told["body"]) == ("PUT", "hello")
    assert told["path"] == "/some%20where/?a=1&b=x+y"
    assert (told["headers"]["x-mine"], told["headers"]["content-type"]) == ("yes", "text/plain")
    assert "authorization" not in told["headers"]


async def test_an_answer_of_unknown_length_arrives_in_pieces(api: Api, path: str) -> None:
    reply = await api.get(f"{path}:{NUMBER}/proxy/many")

    assert (reply.status, reply.body, reply.headers["x-kind"]) == (200, "piece " * 3, "many")


async def test_the_root_of_a_target_ends_in_a_slash(api: Api, path: str) -> None:
    response = await api.transport.send(Request(method="GET", path=f"{path}/proxy", query=(("a", "1"),)))

    assert (response.status, response.headers["location"]) == (301, f"{path}/proxy/?a=1")


async def test_another_port_is_another_address(api: Api, path: str) -> None:
    refused = (await api.get(f"{path}:81/proxy/")).refused(503, "ServiceUnavailable")

    assert refused["message"] == (
        f"error trying to reach service: dial tcp {POD}:81: connect: connection refused"
    )


async def test_a_function_of_this_process_is_asked_too(cluster: Cluster, api: Api, path: str) -> None:
    async def answer(path: str, body: bytes) -> Answer:
        return Answer(200, f"{path} {body.decode()}".encode(), "text/plain")

    cluster.lead(f"{POD}:81", answer)

    reply = await api.send("POST", f"{path}:81/proxy/there", b"hi", content_type="text/plain")

    assert (reply.status, reply.body) == (200, "/there hi")


@pytest.mark.parametrize("target", ["web", "web:80", "web:http", "http:web:80"])
async def test_a_service_leads_to_a_pod_by_its_slices(api: Api, path: str, target: str) -> None:
    spec = {"ports": [{"name": "http", "port": 80}]} if target != "web" else {"ports": [{"port": 80}]}
    services = path.replace("/pods/proxy", "/services")
    (await api.create(services, service("web", **spec))).ok()
    await _add_slice(api, path, "http" if target != "web" else "")

    assert (await api.get(f"{services}/{target}/proxy/here")).body["path"] == "/here"


async def test_a_service_leads_to_a_pod_by_its_endpoints(api: Api, path: str) -> None:
    services, endpoints = (path.replace("/pods/proxy", each) for each in ("/services", "/endpoints"))
    (await api.create(services, service("web"))).ok()
    reference = {"kind": "Pod", "namespace": "default", "name": "proxy"}
    subset = {
        "addresses": [{"ip": POD, "targetRef": reference}, {"ip": "10.1.0.9"}],
        "ports": [{"name": service("web")["spec"]["ports"][0].get("name", ""), "port": NUMBER}],
    }
    (await api.create(endpoints, {"metadata": {"name": "web"}, "subsets": [subset]})).ok()

    assert (await api.get(f"{services}/web:80/proxy/here")).body["path"] == "/here"


async def _add_slice(api: Api, path: str, port: str) -> None:
    slices = path.replace("/pods/proxy", "/endpointslices").replace("/api/v1", "/apis/discovery.k8s.io/v1")
    body = {
        "metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
        "addressType": "IPv4",
        "endpoints": [{"addresses": [POD]}],
        "ports": [{"name": port, "port": NUMBER}],
    }
    (await api.create(slices, body)).ok()


def _parsed(body: bytes) -> Object:
    import orjson

    found: Object = orjson.loads(body)
    return found
