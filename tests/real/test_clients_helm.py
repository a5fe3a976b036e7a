"""helm does its ordinary work on the embedded server, and prints what it prints on the real one.

Nothing runs on either server: the tests say of workloads that they are well, as controllers and nodes would.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kubectl import Both, Tool, both_fixture
from playing import played
from servers import embedded_fixture
from windlass.errors import ToolError
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.testing import Access

embedded = embedded_fixture
both = both_fixture

SHOP = str(Path(__file__).parents[1] / "charts" / "shop")
WAIT = ("--wait", "--timeout=30s")
# The definition that the chart brings belongs to the whole server, so the tests come one after the other.
pytestmark = [pytest.mark.xdist_group("helm"), pytest.mark.timeout(180)]


@pytest.fixture
async def helm(both: Both, embedded: Access, control_plane: Access, tmp_path: Path) -> AsyncIterator[Both]:
    """helm on both servers, where everything that is to run is said to run."""
    try:
        program = find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    namespace = both.namespace
    ours = Tool(program, embedded, namespace, tmp_path / "embedded")
    theirs = Tool(program, control_plane, namespace, tmp_path / "real")
    async with played(embedded, control_plane, namespace=namespace):
        yield Both(ours, theirs, namespace)


async def test_a_chart_is_installed_and_told_about(helm: Both, both: Both) -> None:
    said = await helm.run("install", "web", SHOP, *WAIT)

    assert "STATUS: deployed" in said.lines
    assert "shop 1.2.3 says hello, revision 1." in said.lines
    for command in ("manifest", "values", "notes", "hooks", "all", "metadata"):
        await helm.run("get", command, "web")
    for words in (("list", "-o", "yaml"), ("status", "web", "-o", "yaml"), ("history", "web")):
        await helm.run(*words)
    found = await both.get(
        "deployment,statefulset,service,serviceaccount,configmap,secret,coupon",
        "-l",
        "app.kubernetes.io/managed-by=Helm",
    )
    assert {each["kind"] for each in found["items"]} >= {"Deployment", "StatefulSet", "Coupon"}


async def test_a_dry_run_on_the_server_renders_and_leaves_nothing(helm: Both, both: Both) -> None:
    await helm.run("install", "web", SHOP)  # brings the definition, without which a dry run fails
    dry = await helm.run("install", "other", SHOP, "--dry-run=server")
    upgrade = await helm.run("upgrade", "web", SHOP, "--dry-run=server", "--set=greeting=bye")
    releases = await helm.run("list", "-q")
    found = await both.get("configmap", "web")

    assert "shop 1.2.3 says hello, revision 1." in dry.lines
    assert "shop 1.2.3 says bye, revision 2." in upgrade.lines
    assert releases.lines == ["web"]
    assert found["data"]["greeting"] == "hello"


async def test_a_release_is_upgraded_rolled_back_tested_and_uninstalled(helm: Both, both: Both) -> None:
    await helm.run("install", "web", SHOP, *WAIT)
    await helm.run("upgrade", "web", SHOP, "--set=greeting=bye,replicas=3,cache.enabled=false", *WAIT)
    secret = await both.get("secret", "web")
    await helm.run("get", "values", "web")
    tested = await helm.run("test", "web", "--timeout=30s")
    await helm.run("rollback", "web", "1", *WAIT)
    history = await helm.run("history", "web")
    web = await both.get("deployment", "web")
    await helm.run("uninstall", "web", "--keep-history", *WAIT)
    gone = await helm.run("list", "--uninstalled")
    await helm.run("uninstall", "web", *WAIT)
    left = await both.run("get", "deployment,statefulset,service,secret,job,pod", "-o", "name")

    assert secret["metadata"]["labels"]["first-seen-by"] == "release-1"
    assert "Phase:  Succeeded" in tested.lines
    assert [line.split()[0] for line in history.lines[1:]] == ["1", "2", "3"]
    assert web["spec"]["replicas"] == 2
    assert gone.lines[1:] != []
    assert left.lines == ["pod/web-test"]


async def test_what_the_server_refuses_is_a_failed_revision(helm: Both, both: Both) -> None:
    await helm.run("install", "web", SHOP)
    refused = await helm.run("upgrade", "web", SHOP, "--set=failing=true", code=1)
    failed = await helm.run("history", "web")
    await helm.run("upgrade", "web", SHOP, "--set=failing=true", "--rollback-on-failure", *WAIT, code=1)
    restored = await helm.run("history", "web")

    assert "spec.percent" in refused.err
    assert "failed" in failed.lines[-1]
    assert "deployed" in restored.lines[-1]


async def test_a_field_of_somebody_else_is_a_conflict(helm: Both, both: Both) -> None:
    await helm.run("install", "web", SHOP)
    both.write(
        "mine.yaml",
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"greeting": "mine"}},
    )
    await both.run("apply", "-f", "mine.yaml", "--server-side", "--force-conflicts", "--field-manager=me")
    conflict = await helm.run("upgrade", "web", SHOP, "--set=greeting=yours", code=1)
    await helm.run("upgrade", "web", SHOP, "--set=greeting=yours", "--force-conflicts")
    await both.get("configmap", "web")
    await helm.run(
        "upgrade", "web", SHOP, "--set=greeting=ours", "--server-side=false", "--force-conflicts=false"
    )
    found = await both.get("configmap", "web")

    assert 'conflict with "me"' in conflict.err
    assert found["data"]["greeting"] == "ours"


async def test_what_somebody_else_made_is_not_taken_over_unasked(helm: Both, both: Both) -> None:
    await both.run("create", "configmap", "web", "--from-literal=greeting=mine")
    refused = await helm.run("install", "web", SHOP, code=1)
    await helm.run("install", "web", SHOP, "--take-ownership", "--force-conflicts")
    await both.get("configmap", "web")

    assert "invalid ownership metadata" in refused.err


async def test_a_chart_can_be_installed_without_server_side_apply(helm: Both, both: Both) -> None:
    await helm.run("upgrade", "web", SHOP, "--install", "--server-side=false", *WAIT)
    await helm.run("upgrade", "web", SHOP, "--server-side=false", "--set=replicas=4", *WAIT)
    found = await both.get("deployment", "web")

    assert found["spec"]["replicas"] == 4
