"""The guide to packaging charts: a user's way from an empty folder to a deployed operator, command by command."""

from __future__ import annotations

import json
import shutil
import socket
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pytest

import guided
import readme
from polling import until
from windlass.api import read_yaml, write_yaml
from windlass.cli.delivery import load_delivery
from windlass.client import connect, find_kind, load_config
from windlass.errors import ToolError
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client

PAGE = "docs/guides/helm-image.md"
WATCHES = "- {group: demo.example.com, version: v1, kind: Shop, chart: shop}\n"

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def helm() -> Path:
    """The `helm` program."""
    try:
        return find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


async def test_every_command_of_the_guide_does_what_it_shows(helm: Path, tmp_path: Path) -> None:
    readme.write_files(tmp_path, PAGE, "watches.yaml")
    (up, _), *rest = readme.dialogue(PAGE)

    async with guided.cluster(up, tmp_path, helm):
        answers = await guided.typed([command for command, _ in rest], tmp_path, helm)

    guided.check(rest, answers)


async def test_a_deployment_written_for_the_image_of_operator_sdk_runs_on_ours(
    helm: Path, tmp_path: Path
) -> None:
    shutil.copytree(readme.ROOT / "tests/charts/shop", tmp_path / "shop")
    (tmp_path / "watches.yaml").write_text(WATCHES, encoding="utf-8")
    up = f"windlass up --kubeconfig kubeconfig --image 'example.com/shop:*={tmp_path}/entrypoint'"
    async with guided.cluster(up, tmp_path, helm):
        await guided.typed(
            [
                "export KUBECONFIG=$PWD/kubeconfig",
                "windlass generate dockerfile watches.yaml",
                "windlass generate samples watches.yaml",
            ],
            tmp_path,
            helm,
        )
        stand_in(tmp_path)
        (tmp_path / "manager.yaml").write_text(write_yaml(operator_sdk_objects(tmp_path)), encoding="utf-8")
        await guided.typed(
            [
                "export KUBECONFIG=$PWD/kubeconfig",
                "kubectl apply -f manager.yaml",
                "kubectl wait crd/shops.demo.example.com --for condition=Established",
                "kubectl apply -f config/samples",
                "kubectl wait shop/shop-sample --for condition=Deployed",
                "kubectl rollout status -n shop-operator-system deployment/shop-operator-controller-manager",
                "kubectl get lease -n shop-operator-system shop",
            ],
            tmp_path,
            helm,
        )
        async with connect(load_config(tmp_path / "kubeconfig")) as client:
            await until(partial(_is_deployed, client), patience=60)


def test_the_rule_to_add_to_a_role_of_operator_sdk_is_that_of_our_events(tmp_path: Path) -> None:
    shutil.copytree(readme.ROOT / "tests/charts/shop", tmp_path / "shop")
    (tmp_path / "watches.yaml").write_text(WATCHES, encoding="utf-8")
    (shown,) = read_yaml(readme.block("events.k8s.io", PAGE, "yaml"))[0]

    objects = load_delivery(str(tmp_path / "watches.yaml"), rules=False).objects()

    (role,) = [each for each in objects if each["metadata"]["name"] == "shop-operator-manager-role"]
    assert shown in role["rules"]


def stand_in(folder: Path) -> None:
    """Make a program that does what a container of the generated Dockerfile does, in this folder."""
    steps = dict(line.split(maxsplit=1) for line in (folder / "Dockerfile").read_text().splitlines())
    entrypoint = " ".join(json.loads(steps["ENTRYPOINT"]))
    assert steps["WORKDIR"] == "/opt/helm"
    program = folder / "entrypoint"
    program.write_text(f'#!/bin/sh\ncd "{folder}" && exec {entrypoint} "$@"\n', encoding="utf-8")
    program.chmod(0o755)


def operator_sdk_objects(folder: Path) -> list[dict[str, object]]:
    """Our objects, with the Deployment of operator-sdk's scaffold: no command, bare flags, no variables of ours."""
    objects = load_delivery(str(folder / "watches.yaml"), rules=False).objects()
    metrics, health = _free_ports()
    (shown,) = read_yaml(readme.block("args:", PAGE, "yaml"))
    (manager,) = [each for each in objects if each["kind"] == "Deployment"]
    (container,) = manager["spec"]["template"]["spec"]["containers"]
    container |= {
        "image": "example.com/shop:v0.0.1",
        "args": [
            each.replace(":8081", f":{health}").replace(":8080", f":{metrics}") for each in shown["args"]
        ],
        "ports": [],
        "env": [],
    }
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        container[probe]["httpGet"]["port"] = health
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "shop-operator"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [
            {
                "kind": "ServiceAccount",
                "name": "shop-operator-controller-manager",
                "namespace": "shop-operator-system",
            }
        ],
    }
    return [*objects, binding]


def _free_ports() -> tuple[int, int]:
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        first, second = (each.getsockname()[1] for each in held)
    return first, second


async def _is_deployed(client: Client) -> bool:
    kind = await find_kind(client, "demo.example.com/v1", "Shop")
    (shop,) = await client.list(kind, "default")
    told = (shop.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Deployed" and each["status"] == "True" for each in told)
