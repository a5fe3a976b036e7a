"""Peer pods inside of somebody else's operator, as the example has them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from peer_pods import offering
from windlass.api import read_yaml
from windlass.client import MergePatch
from windlass.codegen import load_module
from windlass.kinds.core.v1 import ConfigMap, Node, Secret
from windlass.operators.peerpod import PeerPodConfig
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from windlass.testing import Starter

pytestmark = [pytest.mark.timeout(180), pytest.mark.xdist_group("nodes"), pytest.mark.deployed]
EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "sandbox" / "sandbox.py"
NODE = "node-1"
PATIENCE = timedelta(seconds=90)


@pytest.fixture
def sandbox() -> Any:
    """The module of the example."""
    return load_module(str(EXAMPLE))


async def test_a_kind_of_ones_own_brings_a_peer_pod_config_and_follows_it(
    operator: Starter, sandbox: Any
) -> None:
    async with operator(sandbox.add_to, options=TrialOptions(whole=True)) as trial:
        client = trial.client
        await client.create(Secret.from_wire({"metadata": {"name": "peer-pods-secret"}}))
        settings = {"metadata": {"name": "peer-pods-cm"}, "data": {"CLOUD_PROVIDER": "libvirt"}}
        await client.create(ConfigMap.from_wire(settings))
        (sample,) = read_yaml(EXAMPLE.with_suffix(".yaml").read_text("utf-8"))
        made = sandbox.Sandbox.from_wire(sample)
        made.spec.nodes = {"kubernetes.io/hostname": NODE}
        await client.create(made)

        done = await trial.ready(sandbox.Sandbox, "blue", within=PATIENCE)
        assert done.status.machines == 10
        await trial.until(Node, NODE, offering(10))
        await client.patch(sandbox.Sandbox, "blue", MergePatch({"spec": {"machines": 3}}))
        await trial.until(Node, NODE, offering(3))
        await trial.ready(sandbox.Sandbox, "blue", within=PATIENCE)
        await client.delete(sandbox.Sandbox, "blue")
        await trial.gone(PeerPodConfig, "blue", within=PATIENCE)
        await trial.until(Node, NODE, offering(None))


def test_what_is_to_be_installed_has_all_kinds_and_one_role(sandbox: Any) -> None:
    *definitions, role = sandbox.manifests()

    assert [each["metadata"]["name"] for each in definitions] == [
        "sandboxes.example.com",
        "peerpods.confidentialcontainers.org",
        "peerpodconfigs.confidentialcontainers.org",
    ]
    granted = {
        (resource, verb) for rule in role["rules"] for resource in rule["resources"] for verb in rule["verbs"]
    }
    assert role["metadata"]["name"] == "sandbox-operator-manager-role"
    assert {("nodes/status", "patch"), ("sandboxes", "watch"), ("peerpodconfigs", "create")} <= granted
