"""A chart under another name than the operator's: its webhooks and its conversion are reached all the same."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.tools import cache_folder, find_helm

if TYPE_CHECKING:
    from pathlib import Path

DATABASE = readme.ROOT / "journeys" / "database"
COMMANDS = {
    "windlass generate chart dbop --image example.com/dbop:1": "",
    "helm install till chart --namespace tills --create-namespace --set fullnameOverride=till": "deployed",
    "kubectl -n tills rollout status deployment/till-controller-manager --timeout 90s": "successfully rolled out",
    "kubectl apply -f shop.yaml": "database.data.example.com/shop created",
    "kubectl get databases.v2.data.example.com shop -o jsonpath='{.spec.storage}'": "2Gi",
    "kubectl wait database/shop --for condition=Ready --timeout 90s": "condition met",
    'kubectl patch database shop --type merge -p \'{"spec": {"replicas": 1}}\' 2>&1 || true': "cannot be removed",
    "kubectl get validatingwebhookconfigurations -o name": "till-validating-webhook-configuration",
    "kubectl get lease -n tills -o name": "lease.coordination.k8s.io/till",
}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("control_plane", ["up", "control-plane --nodes 1"])
async def test_an_operator_that_a_chart_installs_has_its_webhooks(tmp_path: Path, control_plane: str) -> None:
    for release in ("release-1", "release-2"):
        shutil.copytree(DATABASE / release, tmp_path, dirs_exist_ok=True)
    image = f'"example.com/dbop:*=env PYTHONPATH={tmp_path} windlass"'
    programs = f"env WINDLASS_CACHE={cache_folder(os.environ)}"
    up = f"{programs} windlass {control_plane} --kubeconfig kubeconfig --image {image}"
    async with guided.cluster(up, tmp_path, find_helm()):
        commands = ["export KUBECONFIG=$PWD/kubeconfig", *COMMANDS]
        _, *answers = await guided.typed(commands, tmp_path, find_helm())

    for (command, shown), answer in zip(COMMANDS.items(), answers, strict=True):
        assert shown in answer, command
