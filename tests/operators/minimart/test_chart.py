"""What the chart makes of its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from charted import Helm
from windlass.api import Kind, Untyped
from windlass.operators.minimart import CHART

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.api import Json
    from windlass.client import Client

ALWAYS = {"ConfigMap", "Deployment", "Service", "ServiceAccount"}
BACKEND = {"service": {"name": "minimart-sample", "port": {"name": "http"}}}
EVERYTHING: Json = {
    "replicaCount": 3,
    "image": {"repository": "registry.example.com/minimart", "tag": "2", "pullPolicy": "Always"},
    "imagePullSecrets": [{"name": "registry"}],
    "serviceAccount": {
        "create": True,
        "automount": True,
        "name": "keeper",
        "annotations": {"example.com/role": "shop"},
    },
    "podAnnotations": {"example.com/scrape": "true"},
    "podSecurityContext": {"runAsUser": 1_000_660_000},
    "securityContext": {"capabilities": {"add": ["NET_BIND_SERVICE"]}},
    "service": {"type": "LoadBalancer", "port": 8080, "nodePort": 30038},
    "ingress": {
        "enabled": True,
        "className": "public",
        "annotations": {"example.com/size": "8m"},
        "hosts": [
            {"host": "shop.example.com", "paths": [{"path": "/shop"}, {"path": "/new", "pathType": "Exact"}]}
        ],
        "tls": [{"hosts": ["shop.example.com"], "secretName": "shop"}],
    },
    "resources": {"limits": {"cpu": 2}},
    "autoscaling": {"enabled": True, "minReplicas": 2, "targetMemoryUtilizationPercentage": 70},
    "probePath": "/minimart-stat",
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "shop", "operator": "Exists", "tolerationSeconds": 1e6, "effect": "NoExecute"}],
    "affinity": {"podAntiAffinity": {}},
    "apps": {"httpport": 9002, "rest": {"news": "/news"}},
}


@pytest.fixture
def chart(helm: Path) -> Helm:
    return Helm(helm, CHART)


def container(objects: Json) -> Any:
    (only,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    return only


@pytest.mark.parametrize("values", [{}, EVERYTHING], ids=["defaults", "everything"])
async def test_helm_has_nothing_against_it(values: Json, chart: Helm) -> None:
    code, said = await chart.run("lint", "--strict", values=values)

    assert code == 0, said
    assert "0 chart(s) failed" in said
    assert "[WARNING]" not in said


@pytest.mark.parametrize(
    ("values", "more"),
    [
        ({}, set()),
        (EVERYTHING, {"HorizontalPodAutoscaler", "Ingress"}),
        ({"autoscaling": {"enabled": True}}, {"HorizontalPodAutoscaler"}),
        ({"ingress": {"enabled": True}}, {"Ingress"}),
        ({"ingress": {"enabled": "false"}, "autoscaling": {"enabled": "False"}}, set()),
        ({"ingress": {"enabled": "true"}, "autoscaling": {"enabled": "True"}}, {"HorizontalPodAutoscaler", "Ingress"}),
    ],
)  # fmt: skip
async def test_switches_bring_objects_also_as_text(values: Json, more: set[str], chart: Helm) -> None:
    assert (await chart.render(values)).keys() == ALWAYS | more


async def test_an_account_that_is_there_is_not_created(chart: Helm) -> None:
    objects = await chart.render({"serviceAccount": {"create": False, "name": "keeper"}})
    default = await chart.render({"serviceAccount": {"create": "false"}})

    assert objects.keys() == default.keys() == ALWAYS - {"ServiceAccount"}
    pods = [each["Deployment"]["spec"]["template"]["spec"] for each in (objects, default)]
    assert [each["serviceAccountName"] for each in pods] == ["keeper", "default"]


@pytest.mark.parametrize("values", [{}, EVERYTHING], ids=["defaults", "everything"])
async def test_a_server_takes_every_field(values: Json, chart: Helm, client: Client) -> None:
    plurals = {"Ingress": "ingresses"}
    strict = client.using(dry_run=True, field_validation="Strict")

    for kind, wire in (await chart.render(values)).items():
        group, _, version = wire["apiVersion"].rpartition("/")
        known = Untyped.of(Kind(group, version, kind, plurals.get(kind, f"{kind.lower()}s")))
        assert (await strict.create(known.from_wire(wire))).metadata.uid


@pytest.mark.parametrize("number", ["8002", "8002.0", "8.002e3", '"8002"'])
async def test_a_port_is_a_whole_number_whatever_it_comes_as(number: str, chart: Helm) -> None:
    objects = await chart.render(
        f"{{apps: {{httpport: {number}}}, service: {{port: {number}, nodePort: {number}}}}}"
    )
    (port,) = objects["Service"]["spec"]["ports"]
    (listens,) = container(objects)["ports"]
    told = objects["ConfigMap"]["data"]["minimart.yaml"]

    for written in (
        listens["containerPort"],
        port["port"],
        port["nodePort"],
        yaml.safe_load(told)["server"]["httpport"],
    ):
        assert (written, type(written)) == (8002, int)


@pytest.mark.parametrize("number", ["1000000", "1e6", "1000000.0", '"1000000"'])
async def test_a_million_is_written_out(number: str, chart: Helm) -> None:
    autoscaling = f"autoscaling: {{enabled: true, minReplicas: {number}, maxReplicas: {number}}}"
    manual = await chart.render(f"{{replicaCount: {number}, image: {{tag: {number}}}}}")
    scaled = (await chart.render(f"{{{autoscaling}}}"))["HorizontalPodAutoscaler"]["spec"]
    counts = (manual["Deployment"]["spec"]["replicas"], scaled["minReplicas"], scaled["maxReplicas"])

    assert [(each, type(each)) for each in counts] == [(1_000_000, int)] * 3
    assert container(manual)["image"] == "samutup/minimart:1000000"


async def test_who_scales_by_load_says_nothing_of_replicas(chart: Helm) -> None:
    objects = await chart.render({"replicaCount": 3, "autoscaling": {"enabled": True}})
    (cpu,) = objects["HorizontalPodAutoscaler"]["spec"]["metrics"]

    assert "replicas" not in objects["Deployment"]["spec"]
    assert cpu["resource"] == {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}


@pytest.mark.parametrize(("replicas", "written"), [(0, 0), ("2", 2), (None, None)])
async def test_no_replicas_are_none_and_null_is_the_servers_choice(
    replicas: object, written: int | None, chart: Helm
) -> None:
    objects = await chart.render(f"replicaCount: {'null' if replicas is None else repr(replicas)}")

    assert objects["Deployment"]["spec"].get("replicas") == written


@pytest.mark.parametrize(
    ("path", "backend"),
    [
        ({"path": "/"}, BACKEND),
        ({"path": "/", "backend": {"servicePort": 8002}}, BACKEND),
        ({"path": "/", "backend": {"serviceName": "minimart-sample", "servicePort": 8002}}, BACKEND),
        ({"path": "/", "backend": {"serviceName": "other", "servicePort": 8002}}, {"service": {"name": "other", "port": {"number": 8002}}}),
        ({"path": "/", "backend": {"serviceName": "other", "servicePort": "8002"}}, {"service": {"name": "other", "port": {"number": 8002}}}),
        ({"path": "/", "backend": {"serviceName": "other", "servicePort": "web"}}, {"service": {"name": "other", "port": {"name": "web"}}}),
        ({"path": "/", "backend": {"service": {"name": "other", "port": {"number": 1}}}}, {"service": {"name": "other", "port": {"number": 1}}}),
    ],
)  # fmt: skip
async def test_an_ingress_takes_backends_of_old_and_of_new_form(
    path: Json, backend: Json, chart: Helm
) -> None:
    hosts = [{"host": "samutup.local", "paths": [path]}, {"host": "other.local"}]
    objects = await chart.render({"ingress": {"enabled": True, "hosts": hosts}})
    first, second = objects["Ingress"]["spec"]["rules"]

    assert first["http"]["paths"] == [{"path": "/", "pathType": "Prefix", "backend": backend}]
    assert second["http"]["paths"] == [{"path": "/", "pathType": "Prefix", "backend": BACKEND}]


@pytest.mark.parametrize(
    ("release", "values", "name"),
    [
        ("minimart-sample", {}, "minimart-sample"),
        ("corner", {}, "corner-minimart"),
        ("corner", {"nameOverride": "shop"}, "corner-shop"),
        ("corner", {"fullnameOverride": "shop"}, "shop"),
        ("a" * 53, {"nameOverride": "b" * 20}, f"{'a' * 53}-{'b' * 9}"),
    ],
)
async def test_objects_are_named_after_the_release(
    release: str, values: Json, name: str, chart: Helm
) -> None:
    objects = await chart.render(values, release=release)

    assert {each["metadata"]["name"] for each in objects.values()} == {name}
    assert (
        objects["Service"]["spec"]["selector"].items()
        <= objects["Deployment"]["spec"]["template"]["metadata"]["labels"].items()
    )


async def test_another_configuration_restarts_the_pods_and_nothing_else_does(chart: Helm) -> None:
    templates = [
        (await chart.render(values))["Deployment"]["spec"]["template"]
        for values in (
            {},
            {"apps": {"rest": {"news": "/news"}}},
            {"service": {"type": "NodePort"}, "replicaCount": 2},
        )
    ]
    told = (await chart.render({"apps": {"rest": {"news": "/news"}}}))["ConfigMap"]["data"]["minimart.yaml"]

    assert templates[0] != templates[1]
    assert templates[0] == templates[2]
    assert yaml.safe_load(told)["rest"] == {"stat": "/minimart-stat", "bev": "/minimart-bev", "news": "/news"}


async def test_a_probe_asks_the_port_or_a_path(chart: Helm) -> None:
    names = ("startupProbe", "readinessProbe", "livenessProbe")
    plain, asked = container(await chart.render()), container(await chart.render({"probePath": "/well"}))

    assert [plain[name]["tcpSocket"] for name in names] == [{"port": "http"}] * 3
    assert [asked[name]["httpGet"] for name in names] == [{"port": "http", "path": "/well"}] * 3
    assert not [name for name in names if "tcpSocket" in asked[name]]


async def test_a_default_is_taken_out_by_null(chart: Helm) -> None:
    objects = await chart.render(
        "{podSecurityContext: {runAsUser: null, fsGroup: null}, resources: null, image: {tag: null}}"
    )

    assert objects["Deployment"]["spec"]["template"]["spec"]["securityContext"].keys() == {
        "runAsNonRoot",
        "runAsGroup",
        "seccompProfile",
    }
    assert "resources" not in container(objects)
    assert container(objects)["image"] == "samutup/minimart:1.0.2"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("replicaCount: -1", "'/replicaCount': minimum: got -1, want 0"),
        ("replicaCount: many", "'/replicaCount': 'many' does not match pattern"),
        ("replicaCount: 1.5", "'/replicaCount': got number, want null or integer or string"),
        ("service: {port: 0}", "'/service/port': minimum: got 0, want 1"),
        ("service: {type: Nodeport}", "'/service/type': value must be one of 'ClusterIP', 'NodePort'"),
        ("apps: {httpport: 70000}", "'/apps/httpport': maximum: got 70,000, want 65,535"),
        ("apps: {rest: {stat: 1}}", "'/apps/rest/stat': got number, want string"),
        ("ingress: {enabled: maybe}", "'/ingress/enabled': value must be one of true, false"),
        ("ingress: {hosts: [shop]}", "'/ingress/hosts/0': got string, want object"),
        ("imagePullSecrets: [{}]", "'/imagePullSecrets/0': missing property 'name'"),
        ("image: samutup/minimart", "'/image': got string, want object"),
        ("apps: null", "missing property 'apps'"),
    ],
)
async def test_what_makes_no_sense_is_named(values: str, said: str, chart: Helm) -> None:
    assert said in await chart.refuse(values)


async def test_names_that_nobody_knows_pass(chart: Helm) -> None:
    known = await chart.render()

    assert await chart.render({"versions": [], "apps": {"debug": True}, "image": {"registry": "x"}}) == known
