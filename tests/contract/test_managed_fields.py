"""managed fields: what an entry looks like, whose it is, and when it moves."""

import orjson
import pytest

from contract import APPLY, JSON, JSON_PATCH, STRATEGIC, Api, Object, config_map, deployment, pod
from contract_target import transport_to
from contract_writes import (
    LONG_AGO,
    collection,
    entry,
    last_change,
    managers,
    matching,
    owned,
    pod_template,
    resource,
    version,
)
from windlass.client import Request
from windlass.testing import Access


@pytest.fixture
def path(config_maps: str) -> str:
    """The path of a ConfigMap that need not exist."""
    return f"{config_maps}/a"


async def aged(api: Api, path: str, *entries: Object) -> Object:
    """Give the object these entries, which are old; the server takes them as they are."""
    body = (await api.get(path)).ok()
    body["metadata"]["managedFields"] = list(entries)
    return (await api.update(path, body)).ok()


async def test_an_applied_object_has_one_entry_of_the_fields_given(api: Api, path: str) -> None:
    body = config_map(
        "a",
        {"key": "1"},
        labels={"example.com/app": "x"},
        finalizers=["example.com/a"],
        ownerReferences=[{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}],
    )

    applied = (await api.apply(path, body)).ok()

    (found,) = applied["metadata"]["managedFields"]
    assert found.pop("time").endswith("Z")
    assert found == {
        "manager": "tester",
        "operation": "Apply",
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {
            "f:data": {"f:key": {}},
            "f:metadata": {
                "f:finalizers": {'v:"example.com/a"': {}},
                "f:labels": {"f:example.com/app": {}},
                "f:ownerReferences": {'k:{"uid":"u"}': {}},
            },
        },
    }


async def test_an_updater_owns_the_maps_and_lists_that_it_made_too(api: Api, config_maps: str) -> None:
    body = config_map("a", {"key": "1"}, labels={"app": "x"}, finalizers=["example.com/a"])

    created = (await api.create(config_maps, body, fieldManager="creator")).ok()

    (found,) = created["metadata"]["managedFields"]
    assert found.pop("time").endswith("Z")
    assert found == {
        "manager": "creator",
        "operation": "Update",
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {
            "f:data": {".": {}, "f:key": {}},
            "f:metadata": {
                "f:finalizers": {".": {}, 'v:"example.com/a"': {}},
                "f:labels": {".": {}, "f:app": {}},
            },
        },
    }


@pytest.mark.parametrize(
    ("agent", "manager"),
    [("kubectl/v1.36.3 (linux/amd64)", "kubectl"), ("two words", "two words"), ("x" * 200, "x" * 128)],
    ids=["product and version", "words", "too long"],
)
async def test_without_a_field_manager_the_user_agent_is_the_manager(
    control_plane: Access, config_maps: str, agent: str, manager: str
) -> None:
    headers = {"Accept": JSON, "Content-Type": JSON, "User-Agent": agent}
    body = orjson.dumps(config_map("a", {"key": "1"}))
    transport = transport_to(control_plane)

    response = await transport.send(Request(method="POST", path=config_maps, headers=headers, body=body))

    await transport.close()
    assert managers(orjson.loads(response.body)) == {(manager, "Update", "")}


async def test_an_applied_workload_is_owned_field_by_field(api: Api, deployments: str) -> None:
    applied = (await api.apply(f"{deployments}/a", deployment("a"))).ok()

    assert owned(applied, "tester") == {
        "f:spec": {
            "f:replicas": {},
            "f:selector": {},
            "f:template": {
                "f:metadata": {"f:labels": {"f:app": {}}},
                "f:spec": {"f:containers": {'k:{"name":"main"}': {".": {}, "f:image": {}, "f:name": {}}}},
            },
        }
    }


async def test_a_creator_owns_the_defaults_but_not_what_admission_added(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a"), fieldManager="creator")).ok()

    assert {"tolerations", "priority", "preemptionPolicy"} <= created["spec"].keys()
    fields = owned(created, "creator", "Update")
    assert fields is not None
    assert fields["f:spec"].keys() == {
        "f:automountServiceAccountToken",
        "f:containers",
        "f:dnsPolicy",
        "f:enableServiceLinks",
        "f:restartPolicy",
        "f:schedulerName",
        "f:securityContext",
        "f:terminationGracePeriodSeconds",
    }


async def test_a_creator_does_not_own_what_was_allocated(api: Api, namespace: str) -> None:
    services = f"/api/v1/namespaces/{namespace}/services"
    spec = {"type": "NodePort", "ports": [{"port": 80}]}

    created = (await api.create(services, resource("v1", "Service", spec=spec), fieldManager="creator")).ok()

    port: Object = {".": {}, "f:port": {}, "f:protocol": {}, "f:targetPort": {}}
    assert owned(created, "creator", "Update") == {
        "f:spec": {
            "f:externalTrafficPolicy": {},
            "f:internalTrafficPolicy": {},
            "f:ports": {".": {}, 'k:{"port":80,"protocol":"TCP"}': port},
            "f:sessionAffinity": {},
            "f:type": {},
        }
    }


async def test_the_updates_of_a_manager_share_one_entry(api: Api, config_maps: str, path: str) -> None:
    (await api.create(config_maps, config_map("a", {"one": "1"}), fieldManager="m")).ok()
    (await api.patch(path, {"data": {"two": "2"}}, fieldManager="m")).ok()
    add = [{"op": "add", "path": "/data/three", "value": "3"}]
    (await api.patch(path, add, JSON_PATCH, fieldManager="m")).ok()
    (await api.patch(path, {"data": {"four": "4"}}, STRATEGIC, fieldManager="m")).ok()
    body = (await api.get(path)).ok()
    body["data"]["five"] = "5"

    updated = (await api.update(path, body, fieldManager="m")).ok()

    assert owned(updated, "m", "Update") == {
        "f:data": {".": {}, "f:one": {}, "f:two": {}, "f:three": {}, "f:four": {}, "f:five": {}}
    }
    assert len(updated["metadata"]["managedFields"]) == 1


async def test_an_update_takes_over_what_it_changes_and_no_more(
    api: Api, config_maps: str, path: str
) -> None:
    (await api.create(config_maps, config_map("a", {"one": "1", "two": "2"}), fieldManager="creator")).ok()
    body = (await api.get(path)).ok()
    body["data"] |= {"two": "3", "three": "3"}

    updated = (await api.update(path, body, fieldManager="editor")).ok()

    assert owned(updated, "creator", "Update") == {"f:data": {".": {}, "f:one": {}}}
    assert owned(updated, "editor", "Update") == {"f:data": {"f:two": {}, "f:three": {}}}


async def test_an_emptied_map_alone_is_written_without_its_dot(api: Api, config_maps: str, path: str) -> None:
    (await api.create(config_maps, config_map("a", {"one": "1"}), fieldManager="creator")).ok()

    updated = (await api.patch(path, {"data": {"one": "2"}}, fieldManager="editor")).ok()

    assert owned(updated, "creator", "Update") == {"f:data": {}}


async def test_apply_update_and_status_of_one_manager_are_three_entries(api: Api, deployments: str) -> None:
    path = f"{deployments}/a"
    (await api.apply(path, deployment("a"), "m")).ok()
    (await api.patch(path, {"spec": {"minReadySeconds": 5}}, fieldManager="m")).ok()

    body = (await api.patch(f"{path}/status", {"status": {"replicas": 1}}, fieldManager="m")).ok()

    assert managers(body) == {("m", "Apply", ""), ("m", "Update", ""), ("m", "Update", "status")}
    assert owned(body, "m", "Update") == {"f:spec": {"f:minReadySeconds": {}}}
    assert owned(body, "m", "Update", "status") == {"f:status": {"f:replicas": {}}}


async def test_updates_through_two_versions_are_two_entries(api: Api, namespace: str) -> None:
    v1, v2 = (
        f"/apis/autoscaling/{each}/namespaces/{namespace}/horizontalpodautoscalers" for each in ("v1", "v2")
    )
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    spec = {"scaleTargetRef": target, "maxReplicas": 3}
    body = resource("autoscaling/v1", "HorizontalPodAutoscaler", spec=spec)
    (await api.create(v1, body, fieldManager="m")).ok()

    patched = (await api.patch(f"{v2}/a", {"spec": {"minReplicas": 2}}, fieldManager="m")).ok()

    found = {each["apiVersion"]: each["fieldsV1"] for each in patched["metadata"]["managedFields"]}
    assert found == {
        "autoscaling/v1": {
            "f:spec": {"f:maxReplicas": {}, "f:scaleTargetRef": {}, "f:targetCPUUtilizationPercentage": {}}
        },
        "autoscaling/v2": {"f:spec": {"f:minReplicas": {}}},
    }


async def test_applies_through_two_versions_share_one_entry(api: Api, namespace: str) -> None:
    v1, v2 = (
        f"/apis/autoscaling/{each}/namespaces/{namespace}/horizontalpodautoscalers" for each in ("v1", "v2")
    )
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"}
    spec = {"scaleTargetRef": target, "maxReplicas": 3, "minReplicas": 2}
    (await api.apply(f"{v1}/a", resource("autoscaling/v1", "HorizontalPodAutoscaler", spec=spec))).ok()

    del spec["minReplicas"]
    body = (await api.apply(f"{v2}/a", resource("autoscaling/v2", "HorizontalPodAutoscaler", spec=spec))).ok()

    (found,) = body["metadata"]["managedFields"]
    assert found["apiVersion"] == "autoscaling/v2"
    assert body["spec"]["minReplicas"] == 1


async def test_a_change_moves_the_time_of_its_entry_only(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "1"}), "first")).ok()
    first, second = entry("first", {"f:data": {"f:one": {}}}), entry("second", {"f:data": {"f:two": {}}})
    await aged(api, path, first, second)

    body = (await api.apply(path, config_map("a", {"one": "2"}), "first")).ok()

    assert last_change(body, "first") > LONG_AGO
    assert last_change(body, "second") == LONG_AGO


async def test_an_apply_that_changes_nothing_keeps_time_and_resource_version(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "1"}))).ok()
    before = await aged(api, path, entry("tester", {"f:data": {"f:one": {}}}))

    assert (await api.apply(path, config_map("a", {"one": "1"}))).ok() == before


async def test_a_change_of_ownership_alone_is_stored_but_moves_no_time(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "1"}))).ok()
    before = await aged(api, path, entry("tester", {"f:data": {"f:one": {}}}))

    body = (await api.apply(path, config_map("a", {"one": "1", "two": "1"}))).ok()

    assert body["metadata"]["managedFields"] == [entry("tester", {"f:data": {"f:one": {}, "f:two": {}}})]
    assert version(body) != version(before)


async def test_an_owner_that_changed_no_value_has_an_entry_without_a_time(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1"}), "first")).ok()

    body = (await api.apply(path, config_map("a", {"one": "1"}), "second")).ok()

    times = {each["manager"]: "time" in each for each in body["metadata"]["managedFields"]}
    assert times == {"first": True, "second": False}


async def test_an_update_of_the_same_fields_moves_the_time(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1"}))).ok()
    await aged(api, path, entry("editor", {"f:data": {"f:one": {}}}, "Update"))

    body = (await api.patch(path, {"data": {"one": "2"}}, fieldManager="editor")).ok()

    assert last_change(body, "editor") > LONG_AGO


async def test_after_ten_updaters_the_oldest_become_ancient_changes(
    api: Api, config_maps: str, path: str
) -> None:
    async def change(*numbers: int) -> Object:
        for number in numbers:
            patch = {"data": {f"key{number:02}": "1"}}
            (await api.patch(path, patch, fieldManager=f"m{number:02}")).ok()
        return (await api.get(path)).ok()

    (await api.create(config_maps, config_map("a", {"key00": "1"}), fieldManager="m00")).ok()
    (await api.apply(path, config_map("a", {"applied": "1"}), "applier")).ok()

    ten = await change(*range(1, 10))
    twelve = await change(10, 11)

    assert {name for name, _, _ in managers(ten)} == {"applier", *(f"m{each:02}" for each in range(10))}
    assert {name for name, _, _ in managers(twelve)} == {
        "applier",
        "ancient-changes",
        *(f"m{each:02}" for each in range(3, 12)),
    }
    assert owned(twelve, "ancient-changes", "Update") == {
        "f:data": {".": {}, "f:key00": {}, "f:key01": {}, "f:key02": {}}
    }


@pytest.mark.parametrize("media_type", [APPLY, STRATEGIC])
async def test_a_manager_that_changes_nothing_gets_no_entry(
    api: Api, config_maps: str, path: str, media_type: str
) -> None:
    before = (await api.create(config_maps, config_map("a", {"one": "1"}), fieldManager="creator")).ok()

    body = (await api.patch(path, config_map("a"), media_type, fieldManager="idle")).ok()

    assert body == before


async def test_a_field_of_a_feature_that_is_off_is_owned_though_it_is_dropped(
    api: Api, namespace: str
) -> None:
    strategy = {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 1}}}
    body = resource(
        "apps/v1", "StatefulSet", spec={"selector": matching(), "template": pod_template(), **strategy}
    )

    created = (await api.create(collection(namespace, body), body, fieldManager="creator")).ok()

    assert created["spec"]["updateStrategy"] == {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}
    fields = owned(created, "creator", "Update")
    assert fields is not None
    assert fields["f:spec"]["f:updateStrategy"]["f:rollingUpdate"]["f:maxUnavailable"] == {}


async def test_nobody_owns_what_has_managed_fields_of_no_form_in_its_template(
    api: Api, namespace: str
) -> None:
    body = resource("v1", "PodTemplate", template=pod_template())
    path = f"{collection(namespace, body)}/a"
    (await api.create(collection(namespace, body), body)).ok()

    changed = (await api.patch(path, {"template": {"metadata": {"managedFields": [{"fieldsV1": "x"}]}}})).ok()
    refused = await api.apply(path, body)

    assert "managedFields" not in changed["metadata"]
    assert refused.status == 500
    assert ".template.metadata.managedFields[0].fieldsV1: expected map, got" in refused.body["message"]


async def test_an_empty_list_is_owned_though_it_is_kept_as_none(api: Api, namespace: str) -> None:
    body = resource("rbac.authorization.k8s.io/v1", "Role", rules=[])

    created = (await api.create(collection(namespace, body), body, fieldManager="creator")).ok()

    assert created["rules"] is None
    assert owned(created, "creator", "Update") == {"f:rules": {}}
