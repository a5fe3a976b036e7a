"""apply: fields that a manager no longer gives are removed, unless somebody else has them."""

import pytest

from contract import Api, config_map, deployment
from contract_writes import container, owned, pod_spec, resource


@pytest.fixture
def path(config_maps: str) -> str:
    """The path of a ConfigMap that need not exist."""
    return f"{config_maps}/a"


async def test_a_member_given_up_is_removed(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1", "two": "2"}, labels={"app": "x"}))).ok()

    body = (await api.apply(path, config_map("a", {"two": "2"}))).ok()

    assert body["data"] == {"two": "2"}
    assert "labels" not in body["metadata"]
    assert owned(body, "tester") == {"f:data": {"f:two": {}}}


async def test_a_manager_that_gives_up_everything_is_forgotten(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1"}))).ok()

    body = (await api.apply(path, config_map("a"))).ok()

    assert "data" not in body
    assert "managedFields" not in body["metadata"]


async def test_a_field_shared_with_another_applier_stays(api: Api, path: str) -> None:
    for manager in ("first", "second"):
        (await api.apply(path, config_map("a", {"key": "1"}), manager)).ok()

    body = (await api.apply(path, config_map("a"), "first")).ok()

    assert body["data"] == {"key": "1"}
    assert owned(body, "first") is None
    assert owned(body, "second") == {"f:data": {"f:key": {}}}


async def test_a_field_shared_with_an_updater_stays(api: Api, config_maps: str, path: str) -> None:
    (await api.create(config_maps, config_map("a", {"key": "1"}), fieldManager="creator")).ok()
    shared = (await api.apply(path, config_map("a", {"key": "1"}))).ok()
    assert owned(shared, "tester") == {"f:data": {"f:key": {}}}

    body = (await api.apply(path, config_map("a"))).ok()

    assert body["data"] == {"key": "1"}
    assert owned(body, "tester") is None


async def test_a_field_that_another_took_by_force_stays(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"key": "1"}), "first")).ok()
    (await api.apply(path, config_map("a", {"key": "2"}), "second", force=True)).ok()

    body = (await api.apply(path, config_map("a"), "first")).ok()

    assert body["data"] == {"key": "2"}


async def test_fields_of_others_are_left_alone(api: Api, path: str) -> None:
    (await api.apply(path, config_map("a", {"one": "1"}, labels={"one": "1"}), "first")).ok()
    (await api.patch(path, {"data": {"two": "2"}, "metadata": {"annotations": {"two": "2"}}})).ok()

    body = (await api.apply(path, config_map("a", {"one": "3"}, labels={"one": "3"}), "first")).ok()

    assert body["data"] == {"one": "3", "two": "2"}
    assert body["metadata"]["labels"] == {"one": "3"}
    assert body["metadata"]["annotations"] == {"two": "2"}


async def test_a_scalar_given_up_falls_back_to_its_default(api: Api, deployments: str) -> None:
    body = deployment("a", replicas=3)
    body["spec"]["minReadySeconds"] = 5
    (await api.apply(f"{deployments}/a", body)).ok()

    del body["spec"]["replicas"], body["spec"]["minReadySeconds"]
    applied = (await api.apply(f"{deployments}/a", body)).ok()

    assert applied["spec"]["replicas"] == 1
    assert "minReadySeconds" not in applied["spec"]


async def test_replicas_left_to_a_scaler_stay_when_given_up(api: Api, deployments: str) -> None:
    body = deployment("a", replicas=3)
    (await api.apply(f"{deployments}/a", body)).ok()
    (await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 5}}, fieldManager="scaler")).ok()

    del body["spec"]["replicas"]
    applied = (await api.apply(f"{deployments}/a", body)).ok()

    assert applied["spec"]["replicas"] == 5


async def test_an_item_given_up_takes_its_defaulted_fields_along(api: Api, deployments: str) -> None:
    body = deployment("a")
    pod_spec(body)["containers"] = [container("one", ports=[{"containerPort": 80}]), container("two")]
    (await api.apply(f"{deployments}/a", body)).ok()

    pod_spec(body)["containers"] = [container("two")]
    applied = (await api.apply(f"{deployments}/a", body)).ok()

    (left,) = pod_spec(applied)["containers"]
    assert left == {
        **container("two"),
        "imagePullPolicy": "IfNotPresent",
        "resources": {},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    }


async def test_an_item_shared_with_another_stays(api: Api, deployments: str) -> None:
    path = f"{deployments}/a"
    one, two = ({"name": name, "value": "1"} for name in ("ONE", "TWO"))
    body = deployment("a")
    for manager, variables in (("first", [one, two]), ("second", [one]), ("first", [])):
        pod_spec(body)["containers"] = [container(env=variables)]
        (await api.apply(path, body, manager)).ok()

    assert pod_spec((await api.get(path)).ok())["containers"][0]["env"] == [one]


async def test_an_item_of_which_another_has_a_part_keeps_that_part(api: Api, deployments: str) -> None:
    path = f"{deployments}/a"
    body = deployment("a")
    pod_spec(body)["containers"] = [container(), container("extra", args=["x"])]
    (await api.apply(path, body, "first")).ok()
    piece = {"name": "extra", "image": "example.com/app:1"}
    part = resource("apps/v1", "Deployment", spec={"template": {"spec": {"containers": [piece]}}})
    (await api.apply(path, part, "second")).ok()

    pod_spec(body)["containers"] = [container()]
    applied = (await api.apply(path, body, "first")).ok()

    extra = pod_spec(applied)["containers"][1]
    assert extra["name"] == "extra"
    assert "args" not in extra


async def test_an_item_whose_remains_are_invalid_cannot_be_given_up(api: Api, deployments: str) -> None:
    path = f"{deployments}/a"
    body = deployment("a")
    pod_spec(body)["containers"] = [container("extra"), container()]
    (await api.apply(path, body, "first")).ok()
    piece = {"name": "extra", "args": ["x"]}
    part = resource("apps/v1", "Deployment", spec={"template": {"spec": {"containers": [piece]}}})
    (await api.apply(path, part, "second")).ok()

    pod_spec(body)["containers"] = [container()]
    reply = await api.apply(path, body, "first")

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.template.spec.containers[0].image"]


async def test_the_text_of_a_secret_is_not_removed_from_its_data(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/secrets/a"
    first = (await api.apply(path, resource("v1", "Secret", stringData={"one": "1"}))).ok()
    assert first["data"] == {"one": "MQ=="}
    assert "stringData" not in first
    assert owned(first, "tester") == {"f:stringData": {"f:one": {}}}

    second = (await api.apply(path, resource("v1", "Secret", stringData={"two": "2"}))).ok()

    assert second["data"] == {"one": "MQ==", "two": "Mg=="}
    assert owned(second, "tester") == {"f:stringData": {"f:two": {}}}


async def test_a_node_port_is_kept_when_its_port_is_applied_again(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/services/a"
    spec = {"type": "NodePort", "ports": [{"port": 80}]}
    first = (await api.apply(path, resource("v1", "Service", spec=spec))).ok()
    assert (await api.apply(path, resource("v1", "Service", spec=spec))).ok() == first

    tcp, udp = {"port": 80, "name": "tcp"}, {"port": 80, "protocol": "UDP", "name": "udp"}
    spec = {"type": "NodePort", "ports": [tcp, udp]}
    second = (await api.apply(path, resource("v1", "Service", spec=spec))).ok()

    assert second["spec"]["ports"][0]["nodePort"] == first["spec"]["ports"][0]["nodePort"]
    assert second["spec"]["clusterIP"] == first["spec"]["clusterIP"]
    assert [port["name"] for port in second["spec"]["ports"]] == ["tcp", "udp"]


async def test_kubectls_last_applied_configuration_is_kept_in_step(api: Api, path: str) -> None:
    key = "kubectl.kubernetes.io/last-applied-configuration"
    (await api.apply(path, config_map("a", {"one": "1"}, annotations={key: "{}"}), "kubectl")).ok()

    body = (await api.apply(path, config_map("a", {"one": "2"}, annotations={key: "{}"}), "kubectl")).ok()

    assert body["metadata"]["annotations"][key] == (
        '{"apiVersion":"v1","data":{"one":"2"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n'
    )


async def test_kubectl_may_apply_over_its_own_client_side_applies(
    api: Api, config_maps: str, path: str
) -> None:
    key = "kubectl.kubernetes.io/last-applied-configuration"
    last = '{"apiVersion":"v1","data":{"one":"1"},"kind":"ConfigMap","metadata":{"name":"a"}}'
    body = config_map("a", {"one": "1"}, annotations={key: last})
    (await api.create(config_maps, body, fieldManager="kubectl-client-side-apply")).ok()
    (await api.apply(path, config_map("a", {"one": "2"}), "somebody-else")).refused(409, "Conflict")

    applied = (await api.apply(path, config_map("a", {"one": "2"}), "kubectl")).ok()

    assert applied["data"] == {"one": "2"}
    assert owned(applied, "kubectl") == {"f:data": {"f:one": {}}}
