"""What the README shows works on a real control plane."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.client import connect, load_config
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.testing import Access


async def test_the_client_example_runs(
    control_plane: Access, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme.write_files(tmp_path, "README.md", "shop.py")
    (tmp_path / "example_of_the_readme.py").write_text(readme.block("async def main("), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(control_plane.kubeconfig))
    module = importlib.import_module("example_of_the_readme")

    async with connect(load_config(control_plane.kubeconfig)) as client:
        await install_kinds(client, [module.WebApp])
        try:
            await module.main()
            stored = await client.get(module.WebApp, "shop", "default")
        finally:
            await client.delete(CustomResourceDefinition, "webapps.demo.example.com")

    assert stored.status.ready_replicas == 1
    assert 'deployments.apps "shop" not found' in capsys.readouterr().out


@pytest.mark.timeout(120)
async def test_its_commands_generate_run_and_serve(tmp_path: Path) -> None:
    readme.write_files(tmp_path, "README.md", "shop.py", "shop_operator.py")
    demo, tests, generate, check, operate, up, with_nodes = (command for command, _ in readme.dialogue())
    (run,) = guided.on_free_ports([(operate, [])], "windlass run shop_operator.py")
    walk = [
        "export KUBECONFIG=$PWD/kubeconfig",
        *(generate, check),
        "kubectl apply -f config/crd/bases && kubectl wait --for condition=Established crd --all",
        "kubectl create namespace shop",
        f"{run} & kubectl apply -n shop -f config/samples/demo_v1_webapp.yaml",
        "kubectl wait -n shop webapps --all --for condition=Ready --timeout 60s",
        "kubectl get lease shop-operator -o name",
    ]

    async with guided.cluster(up, tmp_path):
        *_, lease = await guided.typed(walk, tmp_path)
    async with guided.cluster(f"{with_nodes} --kubeconfig kubeconfig", tmp_path):
        (nodes,) = await guided.typed(["kubectl --kubeconfig kubeconfig get nodes -o name"], tmp_path)

    assert "lease.coordination.k8s.io/shop-operator" in lease.splitlines()
    assert len(nodes.splitlines()) == 3
    assert (demo.split()[:2], tests.split()[:2]) == (["make", "run"], ["make", "test"])  # see test_demo.py
