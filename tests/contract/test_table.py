"""tables: what kubectl prints."""

import re
from typing import Any

import pytest

from contract import Api, Object, config_map, deployment
from contract_crd import Definitions
from contract_reads import PARTIAL, TABLE, version_of

NAME = ("Name", "string", "name", 0)


def columns(table: Object) -> list[tuple[str, str, str, int]]:
    """Name, type, format and priority of each column."""
    keys = ("name", "type", "format", "priority")
    return [tuple(column[key] for key in keys) for column in table["columnDefinitions"]]


def cells(table: Object) -> list[list[Any]]:
    return [row["cells"] for row in table["rows"]]


async def test_a_list_is_a_table_with_a_row_for_each_object(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"x": "1", "y": "2"}))).ok()
    (await api.create(config_maps, config_map("b"))).ok()

    reply = await api.get(config_maps, accept=TABLE)

    table = reply.ok()
    assert (table["kind"], table["apiVersion"]) == ("Table", "meta.k8s.io/v1")
    assert set(table["metadata"]) == {"resourceVersion"}
    assert columns(table) == [NAME, ("Data", "string", "", 0), ("Age", "string", "", 0)]
    assert [row[:2] for row in cells(table)] == [["a", 2], ["b", 0]]
    assert all(re.fullmatch(r"\d+s", row[2]) for row in cells(table))
    assert table["rows"][0]["object"] == {
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": created["metadata"],
    }
    assert reply.headers["content-type"] == "application/json"


async def test_an_object_is_a_table_of_one_row(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    table = (await api.get(f"{config_maps}/a", accept=TABLE)).ok()

    assert [row[0] for row in cells(table)] == ["a"]
    assert table["metadata"] == {"resourceVersion": version_of(created)}


async def test_an_empty_list_is_a_table_with_columns_and_no_rows(api: Api, config_maps: str) -> None:
    table = (await api.get(config_maps, accept=TABLE)).ok()

    assert [column["name"] for column in table["columnDefinitions"]] == ["Name", "Data", "Age"]
    assert table["rows"] == []


async def test_every_column_is_described(api: Api, config_maps: str) -> None:
    table = (await api.get(config_maps, accept=TABLE)).ok()

    assert all(column["description"] for column in table["columnDefinitions"])


async def test_the_older_version_of_tables_is_still_to_be_had(api: Api, config_maps: str) -> None:
    accept = "application/json;as=Table;v=v1beta1;g=meta.k8s.io"

    assert (await api.get(config_maps, accept=accept)).ok()["apiVersion"] == "meta.k8s.io/v1beta1"


@pytest.mark.parametrize(
    ("include", "kind"),
    [("", "PartialObjectMetadata"), ("Metadata", "PartialObjectMetadata"), ("Object", "ConfigMap")],
)
async def test_a_row_includes_as_much_of_its_object_as_was_asked_for(
    api: Api, config_maps: str, include: str, kind: str
) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "1"}))).ok()

    table = (await api.get(config_maps, accept=TABLE, includeObject=include)).ok()

    [row] = table["rows"]
    assert row["object"]["kind"] == kind
    assert row["object"].get("data") == (created["data"] if kind == "ConfigMap" else None)


async def test_a_row_can_do_without_its_object(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    [row] = (await api.get(config_maps, accept=TABLE, includeObject="None")).ok()["rows"]

    assert row["object"] is None


@pytest.mark.parametrize("query", [{}, {"watch": "true"}], ids=["list", "watch"])
async def test_including_something_else_is_refused(api: Api, config_maps: str, query: dict[str, str]) -> None:
    reply = await api.get(config_maps, accept=TABLE, includeObject="x", **query)

    refused = reply.refused(400, "BadRequest")

    assert refused["message"] == (
        'Unable to convert to Table as requested: includeObject: Invalid value: "x": '
        "must be 'Metadata', 'Object', 'None', or empty"
    )


async def test_the_answer_to_a_write_can_be_a_table_too(api: Api, config_maps: str) -> None:
    reply = await api.create(config_maps, config_map("a"), accept=TABLE)

    assert reply.status == 201
    assert [row[0] for row in cells(reply.ok())] == ["a"]


@pytest.mark.parametrize("accept", [TABLE, PARTIAL])
async def test_the_answer_to_a_deletion_stays_a_status(api: Api, config_maps: str, accept: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.delete(f"{config_maps}/a", accept=accept)).ok()["kind"] == "Status"


async def test_deployments_show_their_replicas_and_what_they_run(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", replicas=3))).ok()
    status = {"replicas": 3, "readyReplicas": 2, "updatedReplicas": 1, "availableReplicas": 2}
    (await api.patch(f"{deployments}/a/status", {"status": status})).ok()

    table = (await api.get(deployments, accept=TABLE)).ok()

    assert columns(table) == [
        NAME,
        ("Ready", "string", "", 0),
        ("Up-to-date", "string", "", 0),
        ("Available", "string", "", 0),
        ("Age", "string", "", 0),
        ("Containers", "string", "", 1),
        ("Images", "string", "", 1),
        ("Selector", "string", "", 1),
    ]
    [row] = cells(table)
    assert row[:4] == ["a", "2/3", 1, 2]
    assert row[5:] == ["main", "example.com/app:1", "app=a"]


async def test_services_show_their_addresses_and_ports(api: Api, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/services"
    specs: dict[str, Object] = {
        "external": {"type": "ExternalName", "externalName": "example.com"},
        "headless": {"clusterIP": "None", "selector": {"b": "2", "a": "1"}},
        "normal": {"ports": [{"port": 80, "name": "a"}, {"port": 53, "protocol": "UDP", "name": "b"}]},
    }
    for name, spec in specs.items():
        body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}
        (await api.create(path, body)).ok()

    table = (await api.get(path, accept=TABLE)).ok()

    names = [column["name"] for column in table["columnDefinitions"]]
    assert names == ["Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector"]
    external, headless, normal = ([*row[:5], row[6]] for row in cells(table))
    assert external == ["external", "ExternalName", "<none>", "example.com", "<none>", "<none>"]
    assert headless == ["headless", "ClusterIP", "None", "<none>", "<none>", "a=1,b=2"]
    assert normal[3:] == ["<none>", "80/TCP,53/UDP", "<none>"]


async def test_a_kind_without_columns_of_its_own_shows_its_creation(api: Api, namespace: str) -> None:
    path = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/roles"
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "a"}}
    created = (await api.create(path, role)).ok()

    table = (await api.get(path, accept=TABLE)).ok()

    assert columns(table) == [NAME, ("Created At", "date", "", 0)]
    assert cells(table) == [["a", created["metadata"]["creationTimestamp"]]]


async def test_a_custom_kind_without_columns_of_its_own_shows_its_age(crds: Definitions, api: Api) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    table = (await api.get(widgets.path, accept=TABLE)).ok()

    assert columns(table) == [NAME, ("Age", "date", "", 0)]
    [[name, age]] = cells(table)
    assert name == "a"
    assert re.fullmatch(r"\d+s", age)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("apps/v1/namespaces/{}/statefulsets", "Name Ready Age"),
        (
            "apps/v1/namespaces/{}/daemonsets",
            "Name Desired Current Ready Up-to-date Available NodeSelector Age",
        ),
        ("apps/v1/namespaces/{}/replicasets", "Name Desired Current Ready Age"),
        ("batch/v1/namespaces/{}/jobs", "Name Status Completions Duration Age"),
        ("batch/v1/namespaces/{}/cronjobs", "Name Schedule Timezone Suspend Active LastSchedule Age"),
        ("networking.k8s.io/v1/namespaces/{}/ingresses", "Name Class Hosts Address Ports Age"),
        (
            "policy/v1/namespaces/{}/poddisruptionbudgets",
            "Name MinAvailable MaxUnavailable AllowedDisruptions Age",
        ),
        (
            "autoscaling/v2/namespaces/{}/horizontalpodautoscalers",
            "Name Reference Targets MinPods MaxPods Replicas Age",
        ),
        ("coordination.k8s.io/v1/namespaces/{}/leases", "Name Holder Age"),
        ("rbac.authorization.k8s.io/v1/namespaces/{}/rolebindings", "Name Role Age"),
        ("apiextensions.k8s.io/v1/customresourcedefinitions", "Name CreatedAt"),
    ],
)
async def test_kinds_have_the_columns_that_people_know(
    api: Api, namespace: str, path: str, expected: str
) -> None:
    table = (await api.get(f"/apis/{path.format(namespace)}", accept=TABLE)).ok()

    always = [column["name"] for column in table["columnDefinitions"] if column["priority"] == 0]
    assert [name.replace(" ", "") for name in always] == expected.split()
