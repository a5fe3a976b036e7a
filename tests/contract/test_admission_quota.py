"""quotas: what a namespace may have, and how much of it is used."""

import pytest

from contract import APPLY, MERGE, Api, Object, config_map, deployment
from contract_crd import Definitions
from contract_objects import event, lease, secret, service, version_of
from contract_quota import Quotas, claim

MAPS = "count/configmaps"


@pytest.fixture
def quotas(api: Api, namespace: str) -> Quotas:
    return Quotas(api, namespace)


async def test_what_is_created_is_counted_until_there_is_too_much(
    api: Api, quotas: Quotas, config_maps: str
) -> None:
    await quotas.limit({MAPS: "2"}, {MAPS: "1"})

    (await api.create(config_maps, config_map("a"))).ok()
    assert await quotas.used() == {MAPS: "2"}
    refused = await api.create(config_maps, config_map("b"))

    assert refused.refused(403, "Forbidden") == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": (
            'configmaps "b" is forbidden: exceeded quota: most, requested: count/configmaps=1, '
            "used: count/configmaps=2, limited: count/configmaps=2"
        ),
        "reason": "Forbidden",
        "details": {"name": "b", "kind": "configmaps"},
        "code": 403,
    }
    assert await quotas.used() == {MAPS: "2"}


async def test_the_server_itself_manages_what_it_counts(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.limit({MAPS: "2"})

    (await api.create(config_maps, config_map("a"))).ok()

    quota = (await api.get(f"{quotas.path}/most")).ok()
    (entry,) = [each for each in quota["metadata"]["managedFields"] if each["manager"] == "kube-apiserver"]
    assert (entry["operation"], entry["subresource"]) == ("Update", "status")
    assert entry["fieldsV1"] == {"f:status": {"f:used": {f"f:{MAPS}": {}}}}


async def test_a_quota_without_a_status_limits_nothing(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.create({MAPS: "0"})
    await quotas.settled()

    (await api.create(config_maps, config_map("a"))).ok()


async def test_nothing_is_created_while_nobody_knows_how_much_is_used(
    api: Api, quotas: Quotas, config_maps: str
) -> None:
    await quotas.limit({MAPS: "5", "configmaps": "5", "secrets": "1"}, {MAPS: "0"})

    refused = await api.create(config_maps, config_map("a"))

    assert refused.refused(403, "Forbidden")["message"] == (
        'configmaps "a" is forbidden: status unknown for quota: most, resources: configmaps,count/configmaps'
    )


async def test_the_status_counts_and_not_the_spec(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.create({MAPS: "0"})
    await quotas.tell({MAPS: "1"}, {MAPS: "0"})

    (await api.create(config_maps, config_map("a"))).ok()
    assert "limited: count/configmaps=1" in (await api.create(config_maps, config_map("b"))).body["message"]


async def test_a_trial_is_refused_and_not_counted(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.limit({MAPS: "1"})

    (await api.create(config_maps, config_map("a"), dryRun="All")).ok()
    assert await quotas.used() == {MAPS: "0"}
    (await api.create(config_maps, config_map("a"))).ok()

    (await api.create(config_maps, config_map("b"), dryRun="All")).refused(403, "Forbidden")


async def test_updates_are_not_counted(api: Api, quotas: Quotas, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    await quotas.limit({MAPS: "0"})

    (await api.patch(f"{config_maps}/a", {"data": {"a": "b"}})).ok()

    assert await quotas.used() == {MAPS: "0"}


async def test_an_apply_that_creates_is_counted(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.limit({MAPS: "1"})

    (await api.apply(f"{config_maps}/a", config_map("a"))).ok()
    refused = await api.apply(f"{config_maps}/b", config_map("b"))

    assert "exceeded quota: most" in refused.refused(403, "Forbidden")["message"]
    (await api.patch(f"{config_maps}/a", config_map("a", {"a": "b"}), APPLY, fieldManager="tester")).ok()


async def test_an_update_that_creates_is_counted(api: Api, quotas: Quotas, namespace: str) -> None:
    leases = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
    await quotas.limit({"count/leases.coordination.k8s.io": "1", MAPS: "1"})

    (await api.update(f"{leases}/a", lease("a"))).ok()

    (await api.update(f"{leases}/b", lease("b"))).refused(403, "Forbidden")


async def test_what_is_refused_as_a_duplicate_has_been_counted(
    api: Api, quotas: Quotas, config_maps: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    await quotas.limit({MAPS: "2"}, {MAPS: "1"})

    (await api.create(config_maps, config_map("a"))).refused(409, "AlreadyExists")
    assert await quotas.used() == {MAPS: "2"}

    (await api.create(config_maps, config_map("a"))).refused(403, "Forbidden")


async def test_what_is_invalid_is_not_counted(api: Api, quotas: Quotas, config_maps: str) -> None:
    await quotas.limit({MAPS: "1"})

    (await api.create(config_maps, config_map("A"))).refused(422, "Invalid")

    assert await quotas.used() == {MAPS: "0"}


async def test_all_quotas_must_allow_a_write_and_one_that_refuses_leaves_the_others(
    api: Api, quotas: Quotas, config_maps: str
) -> None:
    await quotas.limit({MAPS: "5"}, name="many")
    await quotas.limit({MAPS: "1", "configmaps": "1"}, name="one")
    (await api.create(config_maps, config_map("a"))).ok()

    refused = await api.create(config_maps, config_map("b"))

    assert refused.refused(403, "Forbidden")["message"].endswith(
        "exceeded quota: one, requested: configmaps=1,count/configmaps=1, "
        "used: configmaps=1,count/configmaps=1, limited: configmaps=1,count/configmaps=1"
    )
    assert await quotas.used("many") == {MAPS: "1"}


@pytest.mark.parametrize(
    ("path", "obj", "names"),
    [
        ("/api/v1/namespaces/{}/secrets", secret("a"), ("secrets", "count/secrets")),
        ("/api/v1/namespaces/{}/configmaps", config_map("a"), ("configmaps", "count/configmaps")),
        ("/apis/apps/v1/namespaces/{}/deployments", deployment("a"), ("count/deployments.apps",)),
        (
            "/apis/coordination.k8s.io/v1/namespaces/{}/leases",
            lease("a"),
            ("count/leases.coordination.k8s.io",),
        ),
    ],
    ids=["secrets", "configmaps", "deployments", "leases"],
)
async def test_objects_are_counted_by_resource_and_group(
    quotas: Quotas, namespace: str, path: str, obj: Object, names: tuple[str, ...]
) -> None:
    await quotas.limit(dict.fromkeys(names, "1"))

    (await quotas.api.create(path.format(namespace), obj)).ok()

    assert await quotas.used() == dict.fromkeys(names, "1")


async def test_quotas_are_counted_too(api: Api, quotas: Quotas) -> None:
    await quotas.limit({"resourcequotas": "9"})
    before = int((await quotas.used())["resourcequotas"])

    await quotas.create({MAPS: "1"}, "other")

    assert await quotas.used() == {"resourcequotas": str(before + 1)}


async def test_custom_resources_are_counted(api: Api, crds: Definitions, quotas: Quotas) -> None:
    widgets = await crds.serve()
    name = f"count/widgets.{widgets.group}"
    await quotas.limit({name: "1"})

    (await widgets.create("a")).ok()
    refused = await widgets.create("b")

    assert refused.refused(403, "Forbidden")["message"] == (
        f'widgets.{widgets.group} "b" is forbidden: exceeded quota: most, requested: {name}=1, '
        f"used: {name}=1, limited: {name}=1"
    )


async def test_events_are_not_counted(api: Api, quotas: Quotas, namespace: str) -> None:
    await quotas.limit({"count/events": "0"})
    involved = {"kind": "ConfigMap", "name": "a", "namespace": namespace}

    (await api.create(f"/api/v1/namespaces/{namespace}/events", event("a", involved))).ok()


async def test_a_scoped_quota_does_not_count_what_has_no_scopes(
    api: Api, quotas: Quotas, namespace: str
) -> None:
    await quotas.limit({"pods": "5"}, name="scoped", scopes=["BestEffort"])
    await quotas.tell({"services": "0"}, {"services": "0"}, "scoped")

    (await api.create(f"/api/v1/namespaces/{namespace}/services", service("a"))).ok()


@pytest.mark.parametrize(
    ("spec", "ports", "balancers"),
    [
        ({}, "0", "0"),
        ({"type": "NodePort", "ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]}, "2", "0"),
        ({"type": "LoadBalancer"}, "1", "1"),
        ({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False}, "0", "1"),
        ({"type": "ExternalName", "externalName": "example.com"}, "0", "0"),
    ],
    ids=["cluster-ip", "node-port", "load-balancer", "load-balancer-without-node-ports", "external-name"],
)
async def test_services_use_ports_of_nodes_and_load_balancers(
    quotas: Quotas, namespace: str, spec: Object, ports: str, balancers: str
) -> None:
    names = ("services", "count/services", "services.nodeports", "services.loadbalancers")
    await quotas.limit(dict.fromkeys(names, "5"))

    (await quotas.api.create(f"/api/v1/namespaces/{namespace}/services", service("a", **spec))).ok()

    assert await quotas.used() == dict(zip(sorted(names), ("1", "1", balancers, ports), strict=True))


async def test_a_service_that_becomes_a_load_balancer_is_charged_the_difference(
    api: Api, quotas: Quotas, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/services"
    await quotas.limit({"services": "1", "services.nodeports": "2", "services.loadbalancers": "0"})
    (await api.create(path, service("a"))).ok()

    refused = await api.patch(f"{path}/a", {"spec": {"type": "LoadBalancer"}})
    assert refused.refused(403, "Forbidden")["message"] == (
        'services "a" is forbidden: exceeded quota: most, requested: services.loadbalancers=1, '
        "used: services.loadbalancers=0, limited: services.loadbalancers=0"
    )
    (await api.patch(f"{path}/a", {"spec": {"type": "NodePort"}}, MERGE)).ok()

    used = {"services": "1", "services.nodeports": "1", "services.loadbalancers": "0"}
    assert await quotas.used() == used
    (await api.patch(f"{path}/a", {"spec": {"type": "ClusterIP"}}, MERGE)).ok()
    assert await quotas.used() == used


async def test_claims_use_storage_which_may_be_limited_by_class(
    api: Api, quotas: Quotas, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    gold, silver = "gold.storageclass.storage.k8s.io", "silver.storageclass.storage.k8s.io"
    hard = {
        "persistentvolumeclaims": "3",
        "count/persistentvolumeclaims": "3",
        "requests.storage": "5Gi",
        f"{gold}/requests.storage": "2Gi",
        f"{gold}/persistentvolumeclaims": "2",
        f"{silver}/requests.storage": "2Gi",
    }
    await quotas.limit(hard)

    (await api.create(path, claim("a", "1.5Gi", "gold"))).ok()
    assert await quotas.used() == {
        "persistentvolumeclaims": "1",
        "count/persistentvolumeclaims": "1",
        "requests.storage": "1536Mi",
        f"{gold}/requests.storage": "1536Mi",
        f"{gold}/persistentvolumeclaims": "1",
        f"{silver}/requests.storage": "0",
    }
    refused = await api.create(path, claim("b", "1Gi", "gold"))

    assert refused.refused(403, "Forbidden")["message"] == (
        'persistentvolumeclaims "b" is forbidden: exceeded quota: most, '
        f"requested: {gold}/requests.storage=1Gi, used: {gold}/requests.storage=1536Mi, "
        f"limited: {gold}/requests.storage=2Gi"
    )


async def test_storage_is_counted_in_whole_bytes(api: Api, quotas: Quotas, namespace: str) -> None:
    await quotas.limit({"requests.storage": "5Gi"})

    (await api.create(f"/api/v1/namespaces/{namespace}/persistentvolumeclaims", claim("a", "1500m", ""))).ok()

    assert await quotas.used() == {"requests.storage": "2"}


async def test_what_is_set_aside_for_a_claim_is_counted_even_beyond_the_limit(
    api: Api, quotas: Quotas, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    await quotas.limit({"requests.storage": "2Gi"})
    (await api.create(path, claim("a", "1Gi", ""))).ok()

    aside = {"status": {"allocatedResources": {"storage": "3Gi"}}}
    (await api.patch(f"{path}/a/status", aside)).ok()

    assert await quotas.used() == {"requests.storage": "3Gi"}


@pytest.mark.parametrize(
    ("selector", "counted"),
    [
        ({"operator": "Exists"}, {"fast": "1", "slow": "1", "": "0"}),
        ({"operator": "DoesNotExist"}, {"fast": "0", "": "1"}),
        ({"operator": "In", "values": ["fast", "other"]}, {"fast": "1", "slow": "0", "": "0"}),
        ({"operator": "NotIn", "values": ["fast"]}, {"fast": "0", "slow": "1", "": "1"}),
    ],
    ids=["exists", "does-not-exist", "in", "not-in"],
)
async def test_a_quota_counts_claims_by_the_class_of_their_attributes(
    api: Api, quotas: Quotas, namespace: str, selector: Object, counted: dict[str, str]
) -> None:
    expression = {"scopeName": "VolumeAttributesClass", **selector}
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    hard = {"persistentvolumeclaims": "9"}
    await quotas.limit(hard, scopeSelector={"matchExpressions": [expression]})
    for number, (name, expected) in enumerate(counted.items()):
        await quotas.tell(hard, {"persistentvolumeclaims": "0"})
        chosen = {"volumeAttributesClassName": name} if name else {}
        (await api.create(path, claim(f"a{number}", "1Gi", "", **chosen))).ok()

        assert await quotas.used() == {"persistentvolumeclaims": expected}, name


async def test_a_write_that_uses_nothing_more_leaves_the_quota_alone(
    api: Api, quotas: Quotas, namespace: str
) -> None:
    path = f"/api/v1/namespaces/{namespace}/services"
    (await api.create(path, service("a"))).ok()
    await quotas.limit({"services": "0"}, {"services": "1"})
    before = version_of(await api.get(f"{quotas.path}/most"))

    (await api.patch(f"{path}/a", {"metadata": {"labels": {"a": "b"}}})).ok()

    assert version_of(await api.get(f"{quotas.path}/most")) == before
