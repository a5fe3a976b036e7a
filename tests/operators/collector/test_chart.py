"""The chart that ships, as `helm` alone renders it."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from charted import Helm
from polling import until
from windlass.api import Untyped, read_yaml
from windlass.client import find_kind
from windlass.errors import Invalid, NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.operators.collector.options import SHIPPED, shipped_charts

if TYPE_CHECKING:
    from windlass.client import Client

RELEASE = "amp-main"
MONITORED = "--api-versions=monitoring.coreos.com/v1"
IMAGE = {"image": {"repository": "hub.example.com/amp"}}


@pytest.fixture
def chart(helm: Path) -> Helm:
    return Helm(helm, shipped_charts() / SHIPPED)


async def rendered(chart: Helm, values: dict[str, Any] | None = None, *arguments: str) -> dict[str, Any]:
    return await chart.render({**IMAGE, **(values or {})}, *arguments, release=RELEASE)


def config(objects: dict[str, Any]) -> Any:
    return json.loads(b64decode(objects["Secret"]["data"]["config.yaml"]))


async def test_it_makes_the_objects_that_people_know_by_their_names(chart: Helm) -> None:
    objects = await rendered(chart, {}, MONITORED)

    assert {kind: each["metadata"]["name"] for kind, each in objects.items()} == {
        "Deployment": RELEASE,
        "Secret": RELEASE,
        "Service": f"{RELEASE}-private",
        "ServiceMonitor": RELEASE,
    }


@pytest.mark.parametrize(
    ("values", "arguments", "made"),
    [
        ({}, (), False),
        ({}, (MONITORED,), True),
        ({"serviceMonitor": {"enabled": False}}, (MONITORED,), False),
    ],
)
async def test_it_is_monitored_where_that_is_served_and_wanted(
    chart: Helm, values: dict[str, Any], arguments: tuple[str, ...], *, made: bool
) -> None:
    assert ("ServiceMonitor" in await rendered(chart, values, *arguments)) is made


async def test_whatever_the_chart_does_not_use_itself_is_configuration(chart: Helm) -> None:
    values = {
        "config": {"interval": 60, "nested": {"a": 1}},
        "apiKey": "k",
        "nested": {"b": 2},
        "large": 10**15,
    }
    objects = await rendered(chart, values)

    assert config(objects) == {"interval": 60, "nested": {"a": 1, "b": 2}, "apiKey": "k", "large": 10**15}


async def test_a_changed_configuration_restarts_pods_and_nothing_else_does(chart: Helm) -> None:
    def checksum(objects: dict[str, Any]) -> str:
        annotations = objects["Deployment"]["spec"]["template"]["metadata"]["annotations"]
        return str(annotations["checksum/config"])

    first = checksum(await rendered(chart, {"config": {"a": 1}}))

    assert checksum(await rendered(chart, {"config": {"a": 1}, "replicaCount": 3})) == first
    assert checksum(await rendered(chart, {"config": {"a": 2}})) != first


@pytest.mark.parametrize(
    ("values", "replicas", "image"),
    [
        ({}, 1, "hub.example.com/amp:latest"),
        ({"replicaCount": 2.0}, 2, "hub.example.com/amp:latest"),
        ({"replicaCount": "3"}, 3, "hub.example.com/amp:latest"),
        ({"image": {"repository": "amp", "tag": "1.2"}}, 1, "amp:1.2"),
        ({"image": {"repository": "amp", "tag": 20260101}}, 1, "amp:20260101"),
    ],
)
async def test_numbers_are_written_as_people_mean_them(
    chart: Helm, values: dict[str, Any], replicas: int, image: str
) -> None:
    spec = (await rendered(chart, values))["Deployment"]["spec"]

    assert spec["replicas"] == replicas
    assert spec["template"]["spec"]["containers"][0]["image"] == image


@pytest.mark.parametrize(
    ("tag", "label"),
    [
        ("1.2.3", "1.2.3"),
        ("1.0.0_build", "1.0.0_build"),
        ("_nightly.", "nightly"),
        (f"{'a' * 62}.b", "a" * 62),
        (f"_{'a' * 62}.b", "a" * 62),
        (f"1.2@sha256:{'0' * 64}", f"1.2_sha256_{'0' * 52}"),
    ],
)
async def test_every_label_is_one_whatever_the_tag_is(chart: Helm, tag: str, label: str) -> None:
    objects = await rendered(chart, {"image": {"repository": "amp", "tag": tag}})

    for each in objects.values():
        assert each["metadata"]["labels"]["app.kubernetes.io/version"] == label
        assert each["metadata"]["labels"]["helm.sh/chart"] == "collector-0.1.0"
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"amp:{tag}"


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"replicaCount": "many"}, "/replicaCount"),
        ({"replicaCount": ""}, "/replicaCount"),
        ({"replicaCount": 1.5}, "/replicaCount"),
        ({"replicaCount": -1}, "/replicaCount"),
        ({"replicaCount": 2**31}, "/replicaCount"),
        ({"replicaCount": True}, "/replicaCount"),
        ({"replicaCount": [1]}, "/replicaCount"),
        ({"config": [1, 2]}, "/config"),
        ({"config": "a: b"}, "/config"),
        ({"image": "amp:1.2"}, "/image"),
        ({"image": None}, "image"),
        ({"image": {"repository": 7}}, "/image/repository"),
        ({"image": {"repository": "amp:1.2"}}, "/image/repository"),
        ({"image": {"repository": "amp", "tag": "^1.2"}}, "/image/tag"),
        ({"image": {"repository": "amp", "tag": True}}, "/image/tag"),
        ({"image": {"repository": "amp", "tag": "x" * 129}}, "/image/tag"),
        ({"image": {"repository": "amp", "pullPolicy": "always"}}, "/image/pullPolicy"),
        ({"imagePullSecrets": ["login"]}, "/imagePullSecrets/0"),
        ({"env": {"A": "b"}}, "/env"),
        ({"args": "-v"}, "/args"),
        ({"args": [8080]}, "/args/0"),
        ({"service": 8080}, "/service"),
        ({"service": None}, "service"),
        ({"service": {"port": "http"}}, "/service/port"),
        ({"service": {"port": 70000}}, "/service/port"),
        ({"serviceMonitor": False}, "/serviceMonitor"),
        ({"serviceMonitor": {"enabled": "no"}}, "/serviceMonitor/enabled"),
        ({"serviceMonitor": {"interval": "often"}}, "/serviceMonitor/interval"),
        ({"serviceMonitor": {"labels": {"a": 1}}}, "/serviceMonitor/labels/a"),
        ({"resources": []}, "/resources"),
        ({"podAnnotations": {"a": 1}}, "/podAnnotations/a"),
        ({"podSecurityContext": True}, "/podSecurityContext"),
        ({"securityContext": "none"}, "/securityContext"),
        ({"nodeSelector": ["a"]}, "/nodeSelector"),
        ({"tolerations": {"operator": "Exists"}}, "/tolerations"),
        ({"affinity": []}, "/affinity"),
    ],
)
async def test_a_value_of_another_type_is_refused_with_its_place(
    chart: Helm, values: dict[str, Any], where: str
) -> None:
    said = await chart.refuse({**IMAGE, **values})

    assert "values don't meet the specifications of the schema" in said
    assert f"'{where}'" in said


@pytest.mark.parametrize(
    "name",
    [
        "replicaCount", "imagePullSecrets", "config", "env", "args", "resources", "podAnnotations",
        "podSecurityContext", "securityContext", "nodeSelector", "tolerations", "affinity",
    ],
)  # fmt: skip
async def test_null_unsets_a_value(chart: Helm, name: str) -> None:
    objects = await rendered(chart, {name: None}, MONITORED)

    spec = objects["Deployment"]["spec"]
    assert spec.get("replicas", 1) == 1
    assert None not in spec["template"]["spec"].values()


async def test_null_unsets_what_is_inside(chart: Helm) -> None:
    values = {
        "image": {"repository": "amp", "tag": None, "pullPolicy": None},
        "service": {"port": None},
        "serviceMonitor": {"interval": None, "path": None, "labels": None},
    }
    objects = await rendered(chart, values, MONITORED)

    assert objects["Service"]["spec"]["ports"][0]["port"] == 8080
    assert objects["ServiceMonitor"]["spec"]["endpoints"] == [{"port": "http"}]
    assert objects["Deployment"]["spec"]["template"]["spec"]["containers"][0]["image"] == "amp:latest"


@pytest.mark.parametrize("value", [1, "text", True, [1, {"a": "b"}], {"a": {"b": None}}, 10**15])
async def test_keys_that_the_chart_does_not_know_may_be_anything(chart: Helm, value: object) -> None:
    assert config(await rendered(chart, {"own": value})) == {"own": value}


async def test_an_image_has_to_be_named(chart: Helm) -> None:
    assert "image.repository is required" in await chart.refuse({})


async def test_it_passes_the_linter_with_everything_set(chart: Helm) -> None:
    values = {
        **IMAGE,
        "args": ["-v"],
        "env": [{"name": "A", "value": "b"}],
        "imagePullSecrets": [{"name": "login"}],
        "resources": {"limits": {"cpu": "1"}},
        "podAnnotations": {"a": "b"},
        "nodeSelector": {"a": "b"},
        "tolerations": [{"operator": "Exists"}],
        "affinity": {"nodeAffinity": {}},
        "serviceMonitor": {"labels": {"a": "b"}},
    }
    code, said = await chart.run("lint", "--strict", values=values)

    assert code == 0, said


async def test_the_definition_that_prometheus_comes_with_takes_its_monitor(
    chart: Helm, client: Client
) -> None:
    """Where `SERVICEMONITOR_CRD` names the file of that definition, which is not ours to ship."""
    named = os.environ.get("SERVICEMONITOR_CRD")
    if not named:
        pytest.skip("needs SERVICEMONITOR_CRD, the file of the ServiceMonitor's definition")
    (definition,) = read_yaml(Path(named).read_bytes())  # noqa: ASYNC240 - a file on disk
    made = await client.create(CustomResourceDefinition.from_wire(definition))
    try:
        monitor = (await rendered(chart, {}, MONITORED))["ServiceMonitor"]
        kind = await served(client, monitor)
        stored = await client.create(kind.from_wire(monitor))
        monitor["spec"]["endpoints"] = [{"interval": "often"}]
        monitor["metadata"]["name"] = "bad"
        with pytest.raises(Invalid):
            await client.create(kind.from_wire(monitor))
        assert stored["spec"]["endpoints"][0]["port"] == "http"
    finally:
        await client.delete(CustomResourceDefinition, made.metadata.name)


async def served(client: Client, obj: dict[str, Any]) -> type[Untyped]:
    """The class for an object's kind, once it is served."""

    async def found() -> type[Untyped] | None:
        try:
            return await find_kind(client, obj["apiVersion"], obj["kind"])
        except NotFound:
            return None

    kind = await until(found)
    assert kind is not None
    return kind
