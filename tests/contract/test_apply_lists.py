"""apply: list maps, sets, atomic lists and maps."""

import pytest

from contract import Api, Object, config_map, deployment
from contract_writes import assert_conflicts, container, names, owned, pod_spec, resource

CONTAINERS = ".spec.template.spec.containers"


@pytest.fixture
def path(deployments: str) -> str:
    """The path of a Deployment that need not exist."""
    return f"{deployments}/a"


def workload(*containers: Object, **spec: object) -> Object:
    """A whole Deployment of these containers."""
    body = deployment("a")
    pod_spec(body).update(spec, containers=list(containers))
    return body


def piece(**spec: object) -> Object:
    """A Deployment of which only some fields of its pods are given."""
    return resource("apps/v1", "Deployment", spec={"template": {"spec": spec}})


def variables(*named: str) -> list[Object]:
    return [{"name": name, "value": "1"} for name in named]


async def test_nested_items_are_merged_by_key(api: Api, path: str) -> None:
    (await api.apply(path, workload(container(env=variables("A"))), "first")).ok()

    part = piece(containers=[{"name": "main", "env": variables("B")}, container("extra")])
    body = (await api.apply(path, part, "second")).ok()

    main, extra = pod_spec(body)["containers"]
    assert (main["name"], extra["name"]) == ("main", "extra")
    assert names(main["env"]) == ["A", "B"]


async def test_an_absent_part_of_a_key_counts_as_its_default(api: Api, path: str) -> None:
    first = (await api.apply(path, workload(container(ports=[{"containerPort": 80}])))).ok()

    explicit = workload(container(ports=[{"containerPort": 80, "protocol": "TCP"}]))
    body = (await api.apply(path, explicit)).ok()

    assert pod_spec(body) == pod_spec(first)
    (containers,) = _containers(owned(first, "tester")).values()
    assert containers["f:ports"] == {
        'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}
    }
    (containers,) = _containers(owned(body, "tester")).values()
    assert containers["f:ports"] == {
        'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}, "f:protocol": {}}
    }


async def test_one_port_number_may_stand_for_two_protocols(api: Api, path: str) -> None:
    ports: list[Object] = [{"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}]
    (await api.apply(path, workload(container(ports=ports)))).ok()

    body = (await api.apply(path, workload(container(ports=ports[1:])))).ok()

    assert pod_spec(body)["containers"][0]["ports"] == [{"containerPort": 80, "protocol": "UDP"}]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (workload(container(), container()), f'{CONTAINERS}: duplicate entries for key [name="main"]'),
        (
            workload(container(env=variables("A", "A"))),
            f'{CONTAINERS}[name="main"].env: duplicate entries for key [name="A"]',
        ),
        (
            workload(container(ports=[{"containerPort": 80}, {"containerPort": 80, "protocol": "TCP"}])),
            f'{CONTAINERS}[name="main"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
        ),
        (
            {**deployment("a", finalizers=["example.com/a", "example.com/a"])},
            '.metadata.finalizers: duplicate entries for key [="example.com/a"]',
        ),
    ],
    ids=["containers", "variables", "ports with a defaulted key", "finalizers"],
)
async def test_the_same_key_twice_is_refused(api: Api, path: str, body: Object, message: str) -> None:
    reply = await api.apply(path, body)

    assert reply.status == 500
    assert reply.body["message"] == (
        f"failed to create typed patch object (/a; apps/v1, Kind=Deployment): {message}"
    )


async def test_duplicates_that_an_update_left_are_replaced_by_the_applied_item(
    api: Api, deployments: str, path: str
) -> None:
    doubled = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
    created = await api.create(deployments, workload(container(env=doubled)), fieldManager="creator")
    assert created.status == 201
    assert "hides previous definition" in created.warnings[0]

    part = piece(containers=[{"name": "main", "env": [{"name": "A", "value": "3"}]}])
    body = (await api.apply(path, part, force=True)).ok()

    assert pod_spec(body)["containers"][0]["env"] == [{"name": "A", "value": "3"}]


async def test_items_stand_in_the_order_applied(api: Api, path: str) -> None:
    (await api.apply(path, workload(container(env=variables("A", "B", "C"))))).ok()

    body = (await api.apply(path, workload(container(env=variables("C", "A", "B"))))).ok()

    assert names(pod_spec(body)["containers"][0]["env"]) == ["C", "A", "B"]


async def test_a_new_item_is_put_where_the_applied_list_has_it(api: Api, path: str) -> None:
    (await api.apply(path, workload(container()), "first")).ok()
    (await api.apply(path, piece(containers=[container("before"), {"name": "main"}]), "second")).ok()

    body = (await api.apply(path, workload(container(), container("after")), "first")).ok()

    assert names(pod_spec(body)["containers"]) == ["before", "main", "after"]


async def test_finalizers_are_a_set_of_which_each_manager_has_its_part(api: Api, config_maps: str) -> None:
    path = f"{config_maps}/a"
    a, b, c = (f"example.com/{letter}" for letter in "abc")
    (await api.apply(path, config_map("a", finalizers=[a, b]), "first")).ok()
    both = (await api.apply(path, config_map("a", finalizers=[b, c]), "second")).ok()
    assert both["metadata"]["finalizers"] == [a, b, c]

    left = (await api.apply(path, config_map("a"), "first")).ok()

    assert left["metadata"]["finalizers"] == [b, c]
    assert owned(left, "second") == {"f:metadata": {"f:finalizers": {f'v:"{b}"': {}, f'v:"{c}"': {}}}}


async def test_owner_references_are_owned_one_by_one(api: Api, config_maps: str) -> None:
    path = f"{config_maps}/a"
    one, two = ({"apiVersion": "v1", "kind": "Pod", "name": uid, "uid": uid} for uid in ("1", "2"))
    (await api.apply(path, config_map("a", ownerReferences=[one]), "first")).ok()

    body = (await api.apply(path, config_map("a", ownerReferences=[two]), "second")).ok()

    assert body["metadata"]["ownerReferences"] == [one, two]
    assert owned(body, "first") == {"f:metadata": {"f:ownerReferences": {'k:{"uid":"1"}': {}}}}


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        ("tolerations", [{"key": "a"}], [{"key": "a"}, {"key": "b"}]),
        ("nodeSelector", {"a": "1"}, {"b": "1"}),
    ],
)
async def test_an_atomic_list_or_map_has_owners_as_a_whole(
    api: Api, path: str, field: str, first: object, second: object
) -> None:
    (await api.apply(path, workload(container(), **{field: first}), "first")).ok()

    reply = await api.apply(path, piece(**{field: second}), "second")
    assert_conflicts(reply, ('"first"', f".spec.template.spec.{field}"))

    forced = (await api.apply(path, piece(**{field: second}), "second", force=True)).ok()
    assert pod_spec(forced)[field] == second
    assert owned(forced, "second") == {"f:spec": {"f:template": {"f:spec": {f"f:{field}": {}}}}}


async def test_arguments_are_an_atomic_list(api: Api, path: str) -> None:
    (await api.apply(path, workload(container(args=["1", "2"])))).ok()

    body = (await api.apply(path, workload(container(args=["2", "3"])))).ok()

    assert pod_spec(body)["containers"][0]["args"] == ["2", "3"]


async def test_an_empty_list_map_removes_the_items_of_its_owner(api: Api, path: str) -> None:
    (await api.apply(path, workload(container(env=variables("A"))))).ok()

    body = (await api.apply(path, workload(container(env=[])))).ok()

    assert "env" not in pod_spec(body)["containers"][0]


async def test_an_item_without_its_key_is_an_item_of_its_own(api: Api, path: str) -> None:
    (await api.apply(path, workload(container()))).ok()

    reply = await api.apply(path, piece(containers=[{"image": "x"}]), "second")

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.template.spec.containers[1].name"]


def _containers(fields: Object | None) -> Object:
    assert fields is not None
    found: Object = fields["f:spec"]["f:template"]["f:spec"]["f:containers"]
    return found
