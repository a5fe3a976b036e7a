"""services: cluster addresses."""

from ipaddress import ip_address

import pytest

from contract import Api
from contract_objects import service, version_of


@pytest.fixture
def services(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/services"


async def test_the_api_server_has_a_service_of_its_own(api: Api) -> None:
    found = (await api.get("/api/v1/namespaces/default/services/kubernetes")).ok()

    (port,) = found["spec"]["ports"]
    assert found["metadata"]["labels"] == {"component": "apiserver", "provider": "kubernetes"}
    assert (port["name"], port["port"], port["protocol"]) == ("https", 443, "TCP")
    assert found["spec"]["type"] == "ClusterIP"
    assert "selector" not in found["spec"]


async def test_a_service_gets_an_address_and_defaults(api: Api, services: str) -> None:
    created = (await api.create(services, service("a"))).ok()

    address = created["spec"]["clusterIP"]
    assert ip_address(address).is_private
    assert created["spec"] == {
        "ports": [{"protocol": "TCP", "port": 80, "targetPort": 80}],
        "clusterIP": address,
        "clusterIPs": [address],
        "type": "ClusterIP",
        "sessionAffinity": "None",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "internalTrafficPolicy": "Cluster",
    }
    assert created["status"] == {"loadBalancer": {}}


async def test_no_two_services_get_the_same_address(api: Api, services: str) -> None:
    first = (await api.create(services, service("a"))).ok()["spec"]["clusterIP"]
    second = (await api.create(services, service("b"))).ok()["spec"]["clusterIP"]

    assert first != second


async def test_an_address_may_be_asked_for_and_is_free_again_after_the_service(
    api: Api, services: str
) -> None:
    own = (await api.get("/api/v1/namespaces/default/services/kubernetes")).ok()["spec"]["clusterIP"]
    wanted = str(ip_address(own) + 76)  # low addresses are kept for those who ask

    first = (await api.create(services, service("a", clusterIP=wanted))).ok()
    (await api.delete(f"{services}/a")).ok()
    second = (await api.create(services, service("b", clusterIP=wanted))).ok()
    (await api.delete(f"{services}/b")).ok()

    assert first["spec"]["clusterIPs"] == second["spec"]["clusterIPs"] == [wanted]


async def test_a_taken_address_is_refused(api: Api, services: str) -> None:
    taken = (await api.create(services, service("a"))).ok()["spec"]["clusterIP"]

    reply = await api.create(services, service("b", clusterIP=taken))

    assert reply.refused(422, "Invalid")["message"] == (
        f'Service "b" is invalid: spec.clusterIPs: Invalid value: ["{taken}"]: '
        f"failed to allocate IP {taken}: provided IP is already allocated"
    )
    assert reply.fields == ["spec.clusterIPs"]


async def test_an_address_out_of_the_range_is_refused(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", clusterIP="192.0.2.1"))

    assert reply.refused(422, "Invalid")["message"].endswith(
        "failed to allocate IP 192.0.2.1: the provided network does not match the current range"
    )


async def test_an_address_that_is_none_is_refused(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", clusterIP="here"))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.clusterIPs[0]"]


async def test_an_update_that_leaves_the_address_out_keeps_it(api: Api, services: str) -> None:
    created = (await api.create(services, service("a"))).ok()["spec"]

    updated = (await api.update(f"{services}/a", service("a", selector={"app": "a"}))).ok()["spec"]

    assert updated == {**created, "selector": {"app": "a"}}


async def test_an_update_that_only_leaves_things_out_is_no_change(api: Api, services: str) -> None:
    created = await api.create(services, service("a"))

    updated = await api.update(f"{services}/a", service("a"))

    assert version_of(updated) == version_of(created)


async def test_a_headless_service_has_no_address_and_may_have_no_ports(api: Api, services: str) -> None:
    body = {"metadata": {"name": "a"}, "spec": {"clusterIP": "None"}}

    spec = (await api.create(services, body)).ok()["spec"]

    assert (spec["clusterIP"], spec["clusterIPs"]) == ("None", ["None"])
    assert "ports" not in spec


async def test_a_headless_service_without_a_selector_claims_both_families(api: Api, services: str) -> None:
    loose = (await api.create(services, service("a", clusterIP="None"))).ok()["spec"]
    bound = (await api.create(services, service("b", clusterIP="None", selector={"app": "b"}))).ok()["spec"]

    assert (loose["ipFamilyPolicy"], loose["ipFamilies"]) == ("RequireDualStack", ["IPv4", "IPv6"])
    assert (bound["ipFamilyPolicy"], bound["ipFamilies"]) == ("SingleStack", ["IPv4"])


async def test_a_service_with_an_address_needs_ports(api: Api, services: str) -> None:
    reply = await api.create(services, {"metadata": {"name": "a"}, "spec": {}})

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.ports"]


async def test_an_external_name_needs_no_address(api: Api, services: str) -> None:
    spec = {"type": "ExternalName", "externalName": "db.example.com"}

    created = (await api.create(services, {"metadata": {"name": "a"}, "spec": spec})).ok()

    assert created["spec"] == {**spec, "sessionAffinity": "None"}


async def test_a_service_may_turn_into_an_external_name_and_back(api: Api, services: str) -> None:
    (await api.create(services, service("a"))).ok()

    external = await api.patch(
        f"{services}/a", {"spec": {"type": "ExternalName", "externalName": "db.example.com"}}
    )
    internal = await api.patch(f"{services}/a", {"spec": {"type": "ClusterIP", "externalName": None}})

    assert {"clusterIP", "clusterIPs", "ipFamilies"}.isdisjoint(external.ok()["spec"])
    assert ip_address(internal.ok()["spec"]["clusterIP"]).version == 4


async def test_the_traffic_policy_of_an_external_name_is_shown_when_its_deletion_begins(
    api: Api, services: str
) -> None:
    (await api.create(services, service("a"))).ok()
    external = {"type": "ExternalName", "externalName": "db.example.com"}
    (await api.patch(f"{services}/a", {"spec": external})).ok()

    ending = (await api.delete(f"{services}/a", propagationPolicy="Foreground")).ok()
    read = (await api.get(f"{services}/a")).ok()
    (await api.patch(f"{services}/a", {"metadata": {"finalizers": None}})).ok()

    assert ending["spec"]["internalTrafficPolicy"] == "Cluster"
    assert "internalTrafficPolicy" not in read["spec"]


async def test_the_traffic_policy_of_an_external_name_is_kept_and_shown_only_with_its_status(
    api: Api, services: str
) -> None:
    (await api.create(services, service("a"))).ok()
    external = {"type": "ExternalName", "externalName": "db.example.com"}

    patched = (await api.patch(f"{services}/a", {"spec": external}, fieldManager="one")).ok()
    read = (await api.get(f"{services}/a")).ok()
    listed = (await api.get(services)).ok()["items"]
    part = (await api.get(f"{services}/a/status")).ok()
    patched_part = (await api.patch(f"{services}/a/status", {"metadata": {"labels": {"a": "b"}}})).ok()
    query = {
        "sendInitialEvents": "true",
        "resourceVersionMatch": "NotOlderThan",
        "allowWatchBookmarks": "true",
    }
    async with api.watch(services, **query) as events:
        streamed, bookmark = await anext(events), await anext(events)
    update = {**read, "metadata": {"name": "a"}, "spec": {**external, "sessionAffinity": "None"}}
    updated = (await api.update(f"{services}/a", update)).ok()

    shown = (patched, read, *listed, streamed["object"], updated)
    assert ["internalTrafficPolicy" in each["spec"] for each in shown] == [False] * 5
    assert bookmark["type"] == "BOOKMARK"
    assert [each["spec"]["internalTrafficPolicy"] for each in (part, patched_part)] == ["Cluster"] * 2
    owned = [entry["fieldsV1"].get("f:spec", {}) for entry in updated["metadata"]["managedFields"]]
    assert "f:internalTrafficPolicy" in str(read["metadata"]["managedFields"])
    assert not any("f:internalTrafficPolicy" in each for each in owned)


async def test_sticky_sessions_last_three_hours(api: Api, services: str) -> None:
    spec = (await api.create(services, service("a", sessionAffinity="ClientIP"))).ok()["spec"]

    assert spec["sessionAffinityConfig"] == {"clientIP": {"timeoutSeconds": 10800}}


async def test_two_families_are_refused_where_there_is_one(api: Api, services: str) -> None:
    reply = await api.create(services, service("a", ipFamilyPolicy="RequireDualStack"))

    assert reply.refused(422, "Invalid")["message"] == (
        'Service "a" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": '
        "this cluster is not configured for dual-stack services"
    )


async def test_endpoints_that_wait_for_a_finalizer_outlive_their_service(
    api: Api, namespace: str, services: str
) -> None:
    endpoints = f"/api/v1/namespaces/{namespace}/endpoints"
    for name, finalizers in (("a", []), ("b", ["example.com/held"])):
        (await api.create(services, service(name))).ok()
        body = {"metadata": {"name": name, "finalizers": finalizers}}
        (await api.create(endpoints, body)).ok()
        (await api.delete(f"{services}/{name}")).ok()

    (await api.get(f"{endpoints}/a")).refused(404, "NotFound")
    marked = (await api.get(f"{endpoints}/b")).ok()["metadata"]
    assert marked["deletionGracePeriodSeconds"] == 0
    assert marked["deletionTimestamp"].endswith("Z")
    (await api.patch(f"{endpoints}/b", {"metadata": {"finalizers": None}})).ok()


@pytest.mark.parametrize("wanted", ["", "10.96.7.7"])
async def test_the_address_of_a_service_asks_for_a_name_first(api: Api, services: str, wanted: str) -> None:
    body = service("", clusterIP=wanted)

    (cause,) = (await api.create(services, body)).refused(422, "Invalid")["details"]["causes"]
    proposed = (await api.create(services, body, dryRun="All")).refused(422, "Invalid")

    assert cause["field"] == "spec.clusterIPs"
    assert cause["message"].startswith(f'Invalid value: ["{wanted}"]: failed to allocate IP')
    assert cause["message"].endswith("is invalid: spec.parentRef.name: Required value")
    assert proposed["details"]["causes"][0]["field"] == "metadata.name"


async def test_the_address_of_a_service_asks_for_a_name_that_fits_into_a_path(
    api: Api, services: str
) -> None:
    (cause,) = (await api.create(services, service("a/%"))).refused(422, "Invalid")["details"]["causes"]

    assert cause["field"] == "spec.clusterIPs"
    faults = [f"spec.parentRef.name: Invalid value: \"a/%\": may not contain '{each}'" for each in "/%"]
    assert cause["message"].endswith(f"is invalid: [{', '.join(faults)}]")
