"""What kustomize and Helm make of the generated files is what `windlass deploy` applies."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from windlass.api import read_yaml
from windlass.cli.delivery import load_delivery
from windlass.codegen import Workload
from windlass.tools import find_helm, find_kubectl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json
    from windlass.codegen import Delivery

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = sorted(path.name for path in (ROOT / "config").iterdir())
pytestmark = pytest.mark.parametrize("operator", OPERATORS)


_POLICY = "NetworkPolicy"


def delivery(
    operator: str, workload: Workload | None = None, watch_namespaces: tuple[str, ...] = ()
) -> Delivery:
    return load_delivery(operator, workload=workload, watch_namespaces=watch_namespaces)


def printed(program: Path, *arguments: str) -> list[Json]:
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return read_yaml(done.stdout)


def rendered(operator: str, *arguments: str) -> list[Json]:
    place = ("--namespace", delivery(operator).project.place, "--set", "crds.keep=false")
    return printed(find_helm(), "template", "any", f"charts/{operator}", *place, *arguments)


def known(objects: Iterable[Json]) -> dict[tuple[str, str], Json]:
    return {(each["kind"], each["metadata"]["name"]): each for each in objects}


def placed(objects: Iterable[Json]) -> dict[tuple[str, str, str], Json]:
    """Objects by kind, namespace and name; each of them once."""
    listed = [
        (each["kind"], each["metadata"].get("namespace", ""), each["metadata"]["name"], each)
        for each in objects
    ]
    assert len({each[:3] for each in listed}) == len(listed)
    return {each[:3]: each[3] for each in listed}


@pytest.mark.parametrize("folder", ["default", "prometheus"])
def test_kustomize_makes_the_same_objects(operator: str, folder: str) -> None:
    wanted = delivery(operator).objects() if folder == "default" else delivery(operator).monitoring()

    assert known(printed(find_kubectl(), "kustomize", f"config/{operator}/{folder}")) == known(wanted)


def test_an_overlay_may_give_all_names_a_prefix_and_another_namespace(operator: str, tmp_path: Path) -> None:
    (tmp_path / "base").symlink_to(ROOT / "config" / operator)
    overlay = "namespace: staging\nnamePrefix: staging-\nresources: [base/default]\n"
    (tmp_path / "kustomization.yaml").write_text(overlay, encoding="utf-8")

    made = known(printed(find_kubectl(), "kustomize", str(tmp_path)))

    name = delivery(operator).project.operator
    bound = made["ClusterRoleBinding", f"staging-{name}-manager-rolebinding"]
    assert bound["subjects"][0]["name"] == f"staging-{name}-controller-manager"
    assert bound["subjects"][0]["namespace"] == "staging"
    assert bound["roleRef"]["name"] == f"staging-{name}-manager-role"


def test_the_chart_renders_to_the_same_objects(operator: str) -> None:
    wanted = known(each for each in delivery(operator).objects() if each["kind"] != "Namespace")

    assert known(rendered(operator)) == wanted


def test_the_values_of_the_chart_do_what_the_options_of_a_deployment_do(operator: str) -> None:
    said = Workload(
        image="example.com/op:2",
        pull_policy="Always",
        replicas=2,
        args=["--zap-devel"],
        env=[{"name": "A", "value": "b"}],
        resources={"limits": {"memory": "1Gi"}},
        tmp_size="1Gi",
        spec={"nodeSelector": {"disk": "ssd"}, "tolerations": [{"operator": "Exists"}]},
    )
    wanted = delivery(operator, said)
    flags = [
        *("image.repository=example.com/op", "image.tag=2", "image.pullPolicy=Always", "replicas=2"),
        *("args[0]=--zap-devel", "env[0].name=A", "env[0].value=b", "nodeSelector.disk=ssd"),
        *("resources.requests=null", "resources.limits.cpu=null", "resources.limits.memory=1Gi"),
        *("tolerations[0].operator=Exists", "prometheus.enabled=true", "tmp.sizeLimit=1Gi"),
    ]

    made = rendered(operator, *(word for each in flags for word in ("--set", each)))

    objects = [each for each in wanted.objects() if each["kind"] != "Namespace"]
    assert known(made) == known([*objects, *wanted.monitoring()])


def test_the_chart_limits_the_operator_to_the_namespaces_that_it_is_told_to_watch(operator: str) -> None:
    limited = delivery(operator, watch_namespaces=("team-a", "team-b"))
    wanted = [each for each in limited.objects() if each["kind"] != "Namespace"]

    made = rendered(operator, "--set", "watchNamespaces={team-a,team-b}")

    assert placed(made) == placed(wanted)


def test_the_chart_without_network_policies_has_all_else(operator: str) -> None:
    wanted = [each for each in delivery(operator).objects() if each["kind"] not in ("Namespace", _POLICY)]

    assert known(rendered(operator, "--set", "networkPolicy.enabled=false")) == known(wanted)


def test_a_definition_outlives_its_release_unless_it_is_said_otherwise(operator: str) -> None:
    made = printed(find_helm(), "template", "any", f"charts/{operator}")
    kept = [
        each["metadata"].get("annotations") for each in made if each["kind"] == "CustomResourceDefinition"
    ]

    assert kept
    assert all(each == {"helm.sh/resource-policy": "keep"} for each in kept)


def test_helm_finds_nothing_wrong_with_the_chart(operator: str) -> None:
    command = [str(find_helm()), "lint", "--strict", f"charts/{operator}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout
