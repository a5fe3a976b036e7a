"""services: ports, and ports of nodes."""

import pytest

from contract import Api
from contract_objects import service

NODE_PORTS = range(30000, 32768)


@pytest.fixture
def services(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/services"


async def test_a_node_port_is_chosen_from_the_range(api: Api, services: str) -> None:
    spec = (await api.create(services, service("a", type="NodePort"))).ok()["spec"]

    assert spec["ports"][0]["nodePort"] in NODE_PORTS
    assert spec["externalTrafficPolicy"] == "Cluster"


async def test_a_taken_node_port_is_refused(api: Api, services: str) -> None:
    created = (await api.create(services, service("a", type="NodePort"))).ok()
    taken = created["spec"]["ports"][0]["nodePort"]

    reply = await api.create(services, service("b", type="NodePort", ports=[{"port": 80, "nodePort": taken}]))

    assert reply.refused(422, "Invalid")["message"] == (
        f'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: {taken}: '
        "provided port is already allocated"
    )
    assert reply.fields == ["spec.ports[0].nodePort"]
    (await api.get(f"{services}/b")).refused(404, "NotFound")


async def test_a_node_port_out_of_the_range_is_refused(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", type="NodePort", ports=[{"port": 80, "nodePort": 80}]))

    assert reply.refused(422, "Invalid")["message"] == (
        'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 80: '
        "provided port is not in the valid range. The range of valid ports is 30000-32767"
    )


async def test_a_cluster_service_takes_no_node_port(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", ports=[{"port": 80, "nodePort": 31000}]))

    assert reply.refused(422, "Invalid")["message"] == (
        'Service "a" is invalid: spec.ports[0].nodePort: '
        "Forbidden: may not be used when `type` is 'ClusterIP'"
    )


async def test_an_update_that_leaves_the_node_port_out_keeps_it(api: Api, services: str) -> None:
    created = (await api.create(services, service("a", type="NodePort"))).ok()["spec"]

    updated = (await api.update(f"{services}/a", service("a", type="NodePort"))).ok()["spec"]

    assert updated == created


async def test_a_service_that_becomes_internal_gives_its_node_port_up(api: Api, services: str) -> None:
    created = (await api.create(services, service("a", type="NodePort"))).ok()["spec"]

    patched = (await api.patch(f"{services}/a", {"spec": {"type": "ClusterIP"}})).ok()["spec"]

    assert patched["ports"] == [{"protocol": "TCP", "port": 80, "targetPort": 80}]
    assert patched["clusterIP"] == created["clusterIP"]
    assert "externalTrafficPolicy" not in patched


async def test_one_node_port_serves_two_protocols_of_one_port(api: Api, services: str) -> None:
    ports = [{"name": "tcp", "port": 53}, {"name": "udp", "port": 53, "protocol": "UDP"}]

    spec = (await api.create(services, service("a", type="NodePort", ports=ports))).ok()["spec"]

    tcp, udp = spec["ports"]
    assert tcp["nodePort"] == udp["nodePort"]


async def test_a_load_balancer_has_node_ports_too(api: Api, services: str) -> None:
    spec = (await api.create(services, service("a", type="LoadBalancer"))).ok()["spec"]

    assert spec["ports"][0]["nodePort"] in NODE_PORTS
    assert spec["allocateLoadBalancerNodePorts"] is True


async def test_the_address_of_a_load_balancer_is_status(api: Api, services: str) -> None:
    (await api.create(services, service("a", type="LoadBalancer"))).ok()
    status = {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}

    patched = (await api.patch(f"{services}/a/status", status)).ok()

    assert patched["status"]["loadBalancer"] == {"ingress": [{"ip": "192.0.2.1", "ipMode": "VIP"}]}


async def test_several_ports_need_names(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", ports=[{"port": 80}, {"port": 81}]))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.ports[0].name", "spec.ports[1].name"]


async def test_a_port_is_given_once_for_each_protocol(api: Api, services: str) -> None:
    twice = [{"name": "a", "port": 80}, {"name": "b", "port": 80}]

    reply = await api.create(services, service("a", ports=twice))

    assert reply.refused(422, "Invalid")["details"]["causes"][0]["reason"] == "FieldValueDuplicate"
    assert reply.fields == ["spec.ports[1]"]


async def test_a_target_port_may_be_a_name(api: Api, services: str) -> None:
    created = (await api.create(services, service("a", ports=[{"port": 80, "targetPort": "http"}]))).ok()

    assert created["spec"]["ports"] == [{"protocol": "TCP", "port": 80, "targetPort": "http"}]


@pytest.mark.parametrize("port", [0, -1, 65536])
async def test_a_port_is_a_port_number(api: Api, services: str, port: int) -> None:
    reply = await api.create(services, service("a", ports=[{"port": port}]))

    reply.refused(422, "Invalid")
    assert "spec.ports[0].port" in reply.fields
