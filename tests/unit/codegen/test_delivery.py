"""What it takes to run an operator in a cluster, as objects, files and a chart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import ObjectMeta, Resource, read_yaml
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Extended, Project, Rule, Workload
from windlass.errors import ConfigError, Forbidden
from windlass.kinds.core.v1 import Namespace, Pod
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json


class Cart(Resource, group="shop.example.com", version="v1"):
    """A cart, of which `{{ .Anything }}` can be said."""


PROJECT = Project(operator="shop", kinds=(Cart,), module="shop.operator", summary="Carts.")


def delivered(project: Project = PROJECT, **workload: Any) -> Delivery:
    return Delivery(project=project, workload=Workload(**workload))


def one(objects: list[Json], kind: str) -> Json:
    (found,) = [each for each in objects if each["kind"] == kind]
    return found


def container(delivery: Delivery) -> Json:
    (found,) = one(delivery.objects(), "Deployment")["spec"]["template"]["spec"]["containers"]
    return dict(found)


def in_files(files: Mapping[str, str], *folders: str) -> list[Json]:
    return [
        each
        for name, text in files.items()
        if name.startswith(folders) and name.endswith(".yaml")
        for each in read_yaml(text)
    ]


def test_an_operator_runs_its_module_with_an_election_secured_metrics_and_health() -> None:
    made = container(delivered())

    assert made["image"] == "shop:latest"
    assert made["args"] == [
        *("run", "shop.operator", "--name=shop", "--leader-elect"),
        *("--metrics-bind-address=:$(WINDLASS_PORT_8443)", "--metrics-secure"),
        "--health-probe-bind-address=:$(WINDLASS_PORT_8081)",
    ]
    assert {each["name"]: each.get("value") for each in made["env"]} == {
        "POD_NAMESPACE": None,
        "WINDLASS_PORT_8443": "8443",
        "WINDLASS_PORT_8081": "8081",
    }


def test_what_is_said_of_the_process_reaches_it() -> None:
    said = delivered(
        image="example.com/shop:2",
        replicas=2,
        args=["--zap-devel"],
        env=[{"name": "SHOP", "value": "open"}],
        spec={"nodeSelector": {"disk": "ssd"}},
    )
    deployment, made = one(said.objects(), "Deployment"), container(said)

    assert deployment["spec"]["replicas"] == 2
    assert deployment["spec"]["template"]["spec"]["nodeSelector"] == {"disk": "ssd"}
    assert (made["image"], made["args"][-1]) == ("example.com/shop:2", "--zap-devel")
    assert made["env"][-1] == {"name": "SHOP", "value": "open"}


def test_the_image_of_an_operator_that_ships_is_that_of_this_version() -> None:
    shipped = delivered(replace(PROJECT, module="windlass.operators.shop"))

    assert container(shipped)["image"].startswith("windlass:0.")


async def test_the_pod_keeps_to_the_restricted_standard_and_others_would_not_be_let_in() -> None:
    spec = one(delivered().objects(), "Deployment")["spec"]["template"]["spec"]
    spec = {name: value for name, value in spec.items() if name != "serviceAccountName"}
    careless = {**spec, "securityContext": {}}
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        strict = {"pod-security.kubernetes.io/enforce": "restricted"}
        await client.create(Namespace(metadata=ObjectMeta(name="shop", labels=strict)))

        await client.create(pod("careful", spec))
        with pytest.raises(Forbidden, match="PodSecurity"):
            await client.create(pod("careless", careless))


def pod(name: str, spec: Json) -> Pod:
    return Pod.from_wire({"metadata": {"name": name, "namespace": "shop"}, "spec": spec})


def test_objects_come_in_an_order_in_which_they_can_be_made() -> None:
    kinds = [each["kind"] for each in delivered().objects()]

    assert kinds[:3] == ["Namespace", "CustomResourceDefinition", "ServiceAccount"]
    assert kinds[-1] == "Deployment"


def test_the_files_have_the_objects_and_each_is_found_by_its_folder() -> None:
    delivery = delivered()
    files = {**PROJECT.crds(), **PROJECT.rbac(), **PROJECT.samples(), **delivery.files()}
    listed = [
        f"{name.partition('/')[0]}/{each}"
        for name, text in files.items()
        if name.endswith("/Kustomization") and not name.startswith("default/")
        for document in read_yaml(text)
        for each in document["resources"]
    ]

    by_name = {(each["kind"], each["metadata"]["name"]): each for each in delivery.objects()}
    default = in_files(files, "crd/", "rbac/", "manager/", "network-policy/")
    assert {(each["kind"], each["metadata"]["name"]): each for each in default} == by_name
    assert in_files(files, "prometheus/") == delivery.monitoring()
    assert sorted(listed) == sorted(name for name in files if name.endswith(".yaml"))


def test_all_of_it_lies_in_one_namespace_unless_a_rule_is_about_another() -> None:
    rule = Rule(resources=("secrets",), verbs=("get",), namespace="vault")
    (common,) = read_yaml(delivered().files()["default/Kustomization"])
    (mixed,) = read_yaml(delivered(replace(PROJECT, rules=(rule,))).files()["default/Kustomization"])

    assert common["namespace"] == "shop-system"
    assert "namespace" not in mixed


def test_metrics_are_read_by_who_has_a_role_for_it() -> None:
    roles = {
        each["metadata"]["name"]: each for each in delivered().objects() if each["kind"] == "ClusterRole"
    }
    monitor = one(delivered().monitoring(), "ServiceMonitor")["spec"]
    service = one(delivered().objects(), "Service")

    asked = [each["resources"] for each in roles["shop-metrics-auth-role"]["rules"]]
    assert asked == [["tokenreviews"], ["subjectaccessreviews"]]
    assert roles["shop-metrics-reader"]["rules"] == [{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]
    assert monitor["selector"]["matchLabels"] == service["metadata"]["labels"]
    assert monitor["endpoints"][0]["port"] == service["spec"]["ports"][0]["name"]


def test_the_service_of_the_metrics_leads_to_the_port_of_the_pods() -> None:
    objects = delivered().objects()
    service, template = one(objects, "Service"), one(objects, "Deployment")["spec"]["template"]

    assert service["metadata"]["name"] == "shop-controller-manager-metrics-service"
    assert service["spec"]["selector"] == template["metadata"]["labels"]
    ports = {each["name"]: each["containerPort"] for each in container(delivered())["ports"]}
    assert [ports[each["targetPort"]] for each in service["spec"]["ports"]] == [8443]


def test_the_chart_has_the_service_of_the_metrics_whether_or_not_there_is_a_prometheus() -> None:
    chart = delivered().chart()

    assert "{{- if" not in chart["templates/manager/metrics_service.yaml"]
    assert chart["templates/prometheus/monitor.yaml"].splitlines()[1] == (
        "{{- if .Values.prometheus.enabled }}"
    )


def test_a_description_that_looks_like_a_template_is_none_in_the_chart() -> None:
    chart = delivered().chart()

    assert '{{ "{{" }} .Anything }}' in chart["templates/crd/shop.example.com_carts.yaml"]


def test_the_chart_names_nothing_after_the_operator_but_itself() -> None:
    chart = delivered().chart()
    named = [name for name, text in chart.items() if name.startswith("templates/rbac") and ": shop-" in text]

    assert named == []
    assert read_yaml(chart["Chart.yaml"])[0]["description"] == "Carts."


def test_a_module_with_nothing_to_run_cannot_be_delivered() -> None:
    with pytest.raises(ConfigError, match="there is nothing to run"):
        delivered(replace(PROJECT, module="")).objects()


def test_a_limited_operator_watches_its_namespaces_and_is_bound_to_roles_there() -> None:
    delivery = delivered(replace(PROJECT, watch_namespaces=("a", "b")))
    bound = [each for each in delivery.objects() if each["metadata"]["name"] == "shop-watch-rolebinding"]

    assert {"name": "WATCH_NAMESPACE", "value": "a,b"} in container(delivery)["env"]
    assert [(each["kind"], each["metadata"]["namespace"]) for each in bound] == [
        ("RoleBinding", "a"),
        ("RoleBinding", "b"),
    ]
    assert {each["subjects"][0]["namespace"] for each in bound} == {"shop-system"}
    assert {each["roleRef"]["name"] for each in bound} == {"shop-watch-role"}
    (default,) = read_yaml(delivery.files()["default/Kustomization"])
    assert "namespace" not in default  # kustomize would move the roles of other namespaces


def test_the_pod_accepts_connections_to_its_metrics_alone_from_labelled_namespaces() -> None:
    objects = delivered().objects()
    policy, template = one(objects, "NetworkPolicy"), one(objects, "Deployment")["spec"]["template"]

    assert policy["spec"] == {
        "podSelector": {"matchLabels": template["metadata"]["labels"]},
        "policyTypes": ["Ingress"],
        "ingress": [
            {
                "from": [{"namespaceSelector": {"matchLabels": {"metrics": "enabled"}}}],
                "ports": [{"port": 8443, "protocol": "TCP"}],
            }
        ],
    }


def test_webhooks_accept_connections_from_anywhere() -> None:
    served = Delivery(project=PROJECT, extend=lambda project: Extended(project, {"webhook/service.yaml": ""}))
    policies = {
        each["metadata"]["name"]: each for each in served.objects() if each["kind"] == "NetworkPolicy"
    }

    rule = {"ports": [{"port": 9443, "protocol": "TCP"}]}
    assert policies["shop-allow-webhook-traffic"]["spec"]["ingress"] == [rule]


@pytest.mark.parametrize(("programs", "memory", "size"), [((), "512Mi", "64Mi"), (("helm",), "1Gi", "512Mi")])
def test_an_operator_that_runs_helm_has_memory_and_temporary_space_for_it(
    programs: tuple[str, ...], memory: str, size: str
) -> None:
    class CartController(Reconciler[Cart]):
        async def reconcile(self, resource: Cart, ctx: Context) -> Result[Any]:
            return Result.ready()

    CartController.programs = programs
    delivery = delivered(replace(PROJECT, reconcilers=(CartController,)))
    (volume,) = one(delivery.objects(), "Deployment")["spec"]["template"]["spec"]["volumes"]
    (values,) = read_yaml(delivery.chart()["values.yaml"])

    assert container(delivery)["resources"]["limits"]["memory"] == memory
    assert volume["emptyDir"] == {"sizeLimit": size}
    assert values["resources"]["limits"]["memory"] == memory
    assert values["tmp"] == {"sizeLimit": size}
