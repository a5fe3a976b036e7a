"""Each operator as people deploy it: `windlass deploy`, its samples, `windlass undeploy`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from delivered import deployed, walked_through, windlass
from kubectl import Tool
from polling import until
from scraping import forwarded, reader, scraped
from windlass.aio import SystemClock
from windlass.api import ObjectMeta
from windlass.errors import ToolError
from windlass.kinds.core.v1 import Namespace, Pod
from windlass.operators.pagerduty.simulator import Account, furnish
from windlass.operators.pagerduty.simulator.server import serving
from windlass.operators.ptemplate.kmm import Module
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client
    from windlass.testing import Access

pytestmark = [pytest.mark.timeout(240), pytest.mark.xdist_group("nodes"), pytest.mark.deployed]


async def test_the_minimart_operator_runs_as_a_pod_and_its_samples_become_ready(
    client: Client, control_plane: Access, helm: Path
) -> None:
    async with deployed(control_plane, client, "minimart") as printed:
        assert printed[-1] == "deployment.apps/minimart-controller-manager created"
        await walked_through(client, "minimart", "charts.samutup.com", "Deployed")


async def test_the_collector_operator_runs_as_a_pod_and_its_samples_become_ready(
    client: Client, control_plane: Access, helm: Path
) -> None:
    tenant = f"{client.options.namespace}-tenant"  # Collectors stay out of the operator's own namespace
    await client.create(Namespace(metadata=ObjectMeta(name=tenant)))
    async with deployed(control_plane, client, "collector", watched=tenant):
        await walked_through(client, "collector", "example.com", "Available", tenant)
    await client.delete(Namespace, tenant)


async def test_the_operator_of_pagerduty_runs_as_a_pod_and_its_samples_become_ready(
    client: Client, control_plane: Access
) -> None:
    account = Account(clock=SystemClock(), random=Random(4711))
    account.allow("simulated")
    furnish(account)
    async with serving(account, host="127.0.0.1", port=0) as url:
        known = (f"--env=PAGERDUTY_API_URL={url}", "--env=PAGERDUTY_TOKEN=simulated")
        async with deployed(control_plane, client, "pagerduty", *known):
            await walked_through(client, "pagerduty", "pagerduty.platform.share-now.com", "Ready")


async def test_the_operator_of_peer_pods_runs_as_a_pod_and_its_samples_become_ready(
    client: Client, control_plane: Access
) -> None:
    own_class = f"--env=TARGET_RUNTIMECLASS={client.options.namespace}"
    async with deployed(control_plane, client, "peerpod", own_class):
        await walked_through(client, "peerpod", "confidentialcontainers.org", "Ready")


async def test_the_operator_of_kernel_modules_runs_as_a_pod_beside_what_stands_in_for_kmm(
    client: Client, control_plane: Access
) -> None:
    async def modules() -> list[str]:
        return [each.metadata.name for each in await client.list(Module, client.options.namespace)]

    async with deployed(control_plane, client, "windlass.operators.ptemplate.simulator"):
        async with deployed(control_plane, client, "ptemplate"):
            await walked_through(client, "ptemplate", "pt.example.com", "Ready")
        await until(modules, lambda left: not left)  # whom the simulator has to let go


async def test_a_second_deployment_changes_nothing_and_another_image_rolls_it_out(
    client: Client, control_plane: Access
) -> None:
    place, watched = (
        f"--namespace={client.options.namespace}",
        f"--watch-namespace={client.options.namespace}",
    )
    async with deployed(control_plane, client, "pagerduty", "--env=PAGERDUTY_TOKEN=x"):
        again = ("deploy", "pagerduty", place, watched, "--env=PAGERDUTY_TOKEN=x")
        same = await windlass(control_plane, *again)
        other = await windlass(control_plane, *again, "--image=windlass:other")
        pods = await client.list(Pod, client.options.namespace, labels="control-plane=controller-manager")

    assert {line.rpartition(" ")[2] for line in same} == {"unchanged"}
    changed = [line for line in other if not line.endswith(" unchanged")]
    assert changed == ["deployment.apps/pagerduty-controller-manager configured"]
    kept = [each for each in pods if each.metadata.deletion_timestamp is None]
    assert [each.spec.containers[0].image for each in kept] == ["windlass:other"]


async def test_the_metrics_answer_through_their_service_to_whom_their_role_is_bound(
    client: Client, control_plane: Access, tmp_path: Path
) -> None:
    kubectl = _kubectl(control_plane, client.options.namespace, tmp_path)
    async with (
        deployed(control_plane, client, "pagerduty", "--env=PAGERDUTY_TOKEN=x"),
        reader(client, "pagerduty-metrics-reader") as token,
        forwarded(kubectl, "pagerduty-controller-manager-metrics-service", 8443) as port,
    ):
        assert (await scraped(port, "made-up"))[0] == 401
        _, text = await until(lambda: scraped(port, token), lambda answer: answer[0] == 200)

    assert "leader_election_master_status" in text


def _kubectl(control_plane: Access, namespace: str, home: Path) -> Tool:
    try:
        return Tool(find_kubectl(), control_plane, namespace, home)
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")
