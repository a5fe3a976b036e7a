"""proxy: requests that are not passed on."""

import pytest

from contract import Api, pod
from contract_objects import service

NOT_ALLOWED = "address not allowed"


@pytest.fixture
def services(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/services"


async def test_a_pod_without_an_address_is_not_reached(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    for path in (f"{pods}/a/proxy", f"{pods}/a/proxy/some/path", f"{pods}/http:a:80/proxy/"):
        assert (await api.get(path)).refused(400, "BadRequest")["message"] == NOT_ALLOWED


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.1.1", "0.0.0.0", "224.0.0.1", "::1"])  # noqa: S104 - one of many
async def test_addresses_of_the_server_itself_are_not_passed_on_to(api: Api, pods: str, address: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    (await api.patch(f"{pods}/a/status", {"status": {"podIP": address}})).ok()

    assert (await api.get(f"{pods}/a/proxy")).refused(400, "BadRequest")["message"] == NOT_ALLOWED


async def test_the_root_of_a_target_ends_in_a_slash(api: Api, pods: str) -> None:
    (await api.create(pods, pod("proxy"))).ok()
    (await api.patch(f"{pods}/proxy/status", {"status": {"podIP": "10.1.2.3"}})).ok()

    reply = await api.get(f"{pods}/proxy:80/proxy", a="b")

    assert (reply.status, reply.headers["location"]) == (301, f"{pods}/proxy:80/proxy/?a=b")


@pytest.mark.parametrize("plural", ["pods", "services"])
@pytest.mark.parametrize("name", ["a:b:c:d", "::a", "ftp:a:80"])
async def test_a_target_has_at_most_a_scheme_a_name_and_a_port(
    api: Api, namespace: str, plural: str, name: str
) -> None:
    reply = await api.get(f"/api/v1/namespaces/{namespace}/{plural}/{name}/proxy/")

    singular = plural.removesuffix("s")
    assert reply.refused(400, "BadRequest")["message"] == f'invalid {singular} request "{name}"'


async def test_a_missing_pod_is_not_reached(api: Api, pods: str) -> None:
    refused = (await api.get(f"{pods}/a:80/proxy/")).refused(404, "NotFound")

    assert refused["message"] == 'pods "a" not found'


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
async def test_every_method_is_passed_on(api: Api, pods: str, method: str) -> None:
    assert (await api.send(method, f"{pods}/a:80/proxy/")).status == 404


async def test_a_service_without_endpoints_is_missing(api: Api, services: str) -> None:
    (await api.create(services, service("a"))).ok()

    for name in ("a", "a:80", "a:http"):
        refused = (await api.get(f"{services}/{name}/proxy/")).refused(404, "NotFound")
        assert refused["message"] == 'services "a" not found'


async def test_a_service_is_reached_by_its_ports_only(api: Api, services: str) -> None:
    (await api.create(services, service("a"))).ok()

    refused = (await api.get(f"{services}/a:81/proxy/")).refused(503, "ServiceUnavailable")

    assert refused["message"] == 'no service port 81 found for service "a"'


async def test_a_service_without_ready_pods_is_unavailable(api: Api, namespace: str, services: str) -> None:
    endpoints = f"/api/v1/namespaces/{namespace}/endpoints"
    (await api.create(services, service("a"))).ok()
    (await api.create(endpoints, {"metadata": {"name": "a"}})).ok()

    empty = await api.get(f"{services}/a/proxy/")
    subsets = [{"addresses": [{"ip": "10.1.2.3"}], "ports": [{"port": 80}]}]
    (await api.patch(f"{endpoints}/a", {"subsets": subsets})).ok()
    no_pods = await api.get(f"{services}/a:80/proxy/")

    assert empty.refused(503, "ServiceUnavailable")["message"] == 'no endpoints available for service "a"'
    assert no_pods.refused(503, "ServiceUnavailable")["message"] == (
        'no endpoints available for service "a:80"'
    )


async def test_a_missing_node_is_not_reached(api: Api) -> None:
    refused = (await api.get("/api/v1/nodes/nowhere/proxy/metrics")).refused(404, "NotFound")

    assert refused["message"] == 'nodes "nowhere" not found'
