"""Operators that are limited to namespaces by their roles, and what their removal would leave behind."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from delivered import deployed, has_condition, made, printed_by, samples, walked_through, windlass
from kubectl import Tool
from polling import until
from scraping import forwarded, reader, scraped
from windlass.aio import SystemClock
from windlass.api import ObjectMeta, Untyped
from windlass.client import MergePatch, find_kind
from windlass.errors import NotFound, ToolError
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.authorization.v1 import ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec
from windlass.kinds.core.v1 import Namespace
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from windlass.operators.minimart import Minimart
from windlass.operators.pagerduty.simulator import Account, furnish
from windlass.operators.pagerduty.simulator.server import serving
from windlass.operators.ptemplate import OPERATOR
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

pytestmark = [pytest.mark.timeout(240), pytest.mark.xdist_group("nodes"), pytest.mark.deployed]
ROOT = Path(__file__).resolve().parents[2]
FINALIZER = "helm.sdk.operatorframework.io/uninstall-release"


async def test_a_limited_minimart_operator_installs_and_makes_no_forbidden_request(
    client: Client, control_plane: Access, helm: Path, tmp_path: Path
) -> None:
    async with deployed(control_plane, client, "minimart"):
        assert await may(client, "minimart", client.options.namespace)
        assert not await may(client, "minimart", "kube-system")
        await walked_through(client, "minimart", "charts.samutup.com", "Deployed")
        assert await refused(client, control_plane, "minimart", tmp_path) == []


async def test_a_limited_operator_of_pagerduty_makes_no_forbidden_request(
    client: Client, control_plane: Access, tmp_path: Path
) -> None:
    account = Account(clock=SystemClock(), random=Random(4711))
    account.allow("simulated")
    furnish(account)
    async with serving(account, host="127.0.0.1", port=0) as url:
        known = (f"--env=PAGERDUTY_API_URL={url}", "--env=PAGERDUTY_TOKEN=simulated")
        async with deployed(control_plane, client, "pagerduty", *known):
            assert not await may(client, "pagerduty", "kube-system")
            await walked_through(client, "pagerduty", "pagerduty.platform.share-now.com", "Ready")
            assert await refused(client, control_plane, "pagerduty", tmp_path) == []


async def test_a_chart_with_watch_namespaces_runs_the_operator_in_those_alone(
    client: Client, control_plane: Access, helm: Path
) -> None:
    namespace = client.options.namespace
    call = (helm, f"--kubeconfig={control_plane.kubeconfig}", f"--namespace={namespace}")
    values = f"watchNamespaces={{{namespace}}},fullnameOverride={namespace},crds.enabled=false"
    await windlass(control_plane, "install", "minimart")
    chart = ROOT / "charts/minimart"
    await printed_by(*call, "install", "any", chart, "--set", values, "--wait", "--timeout=60s")
    try:
        assert await may(client, namespace, namespace)
        assert not await may(client, namespace, "kube-system")
        await made(client, documents := samples("minimart", namespace))
        await until(lambda: has_condition(client, documents[0], "Deployed"), patience=60)
        await client.delete(Minimart, documents[0]["metadata"]["name"])
        await until(lambda: client.list(Minimart, namespace), lambda left: not left.items, patience=60)
    finally:
        await printed_by(*call, "uninstall", "any", "--wait")
    assert not [each for each in await client.list(RoleBinding, namespace) if "watch" in each.metadata.name]


async def test_another_deployment_takes_the_roles_of_the_one_before(
    client: Client, control_plane: Access, namespace: str
) -> None:
    other = f"{namespace}-other"
    await client.create(Namespace(metadata=ObjectMeta(name=other)))
    place = ("ptemplate", f"--namespace={namespace}", "--no-wait", "--replicas=0")

    await windlass(control_plane, "deploy", *place)
    assert await granted(client, OPERATOR) == {("ClusterRole", "", f"{OPERATOR}-manager-role")}
    await windlass(control_plane, "deploy", *place, f"--watch-namespace={namespace},{other}")
    limited = await granted(client, OPERATOR)
    await windlass(control_plane, "deploy", *place, f"--watch-namespace={other}")
    narrowed = await granted(client, OPERATOR)
    removed = await windlass(control_plane, "undeploy", *place[:2])

    role = f"{OPERATOR}-watch-role"
    assert limited == {("Role", namespace, role), ("Role", other, role)}
    assert narrowed == {("Role", other, role)}
    assert await granted(client, OPERATOR) == set()
    assert f"role.rbac.authorization.k8s.io/{role} deleted" in removed
    for kind, name in (
        (ClusterRole, f"{OPERATOR}-manager-role"),
        (ClusterRoleBinding, f"{OPERATOR}-manager-rolebinding"),
    ):
        with pytest.raises(NotFound):
            await client.get(kind, name)
    assert not [each for each in await client.list(Role, other) if each.metadata.name == role]
    await client.delete(Namespace, other)


async def test_objects_that_need_the_operator_keep_it_from_being_undeployed_unless_forced(
    client: Client, control_plane: Access, namespace: str
) -> None:
    place = ("minimart", f"--namespace={namespace}")
    await windlass(control_plane, "deploy", *place, "--no-wait", "--replicas=0")
    await client.create(Minimart(metadata=ObjectMeta(name="shop", finalizers=[FINALIZER])))
    await client.create(Minimart(metadata=ObjectMeta(name="free", finalizers=["example.com/other"])))
    try:
        refusal = "\n".join(await windlass(control_plane, "undeploy", *place, code=1))
        await windlass(control_plane, "undeploy", *place, "--crds", "--no-wait", code=1)
        await client.get(Deployment, "minimart-controller-manager")  # nothing was removed
        forced = await windlass(control_plane, "undeploy", *place, "--force")
    finally:
        for name in ("shop", "free"):
            await client.patch(Minimart, name, MergePatch({"metadata": {"finalizers": None}}))
            await client.delete(Minimart, name)

    listed = f"minimarts.charts.samutup.com {namespace}/shop ({FINALIZER})"
    release = f"kubectl patch minimarts.charts.samutup.com shop -n {namespace} --type merge -p "
    assert f"  {listed}" in refusal
    assert "Nothing was removed" in refusal
    assert release in refusal
    assert "free" not in refusal
    (line,) = [each for each in forced if each.startswith(listed)]
    assert release in line
    assert "deployment.apps/minimart-controller-manager deleted" in forced


async def may(client: Client, operator: str, namespace: str) -> bool:
    """Whether the account of an operator may read Secrets of a namespace."""
    spec = SubjectAccessReviewSpec(
        user=f"system:serviceaccount:{client.options.namespace}:{operator}-controller-manager",
        resource_attributes=ResourceAttributes(namespace=namespace, verb="list", resource="secrets"),
    )
    return (await client.create(SubjectAccessReview(spec=spec))).status.allowed


async def refused(client: Client, control_plane: Access, operator: str, home: Path) -> list[str]:
    """The requests of an operator that the server answered with 403, as its metrics count them."""
    try:
        kubectl = Tool(find_kubectl(), control_plane, client.options.namespace, home)
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")
    async with (
        reader(client, f"{operator}-metrics-reader") as token,
        forwarded(kubectl, f"{operator}-controller-manager-metrics-service", 8443) as port,
    ):
        _, text = await until(lambda: scraped(port, token), lambda answer: answer[0] == 200)
    counted = [line for line in text.splitlines() if line.startswith("rest_client_requests_total{")]
    assert any('code="200"' in line for line in counted)
    return [line for line in counted if 'code="403"' in line]


async def granted(client: Client, operator: str) -> set[tuple[str, str, str]]:
    """The roles that are bound to the account of an operator of the test's namespace, but not those of leases and metrics."""
    account = (client.options.namespace, f"{operator}-controller-manager")
    found: set[tuple[str, str, str]] = set()
    for kind in ("RoleBinding", "ClusterRoleBinding"):
        binding: type[Untyped] = await find_kind(client, "rbac.authorization.k8s.io/v1", kind)
        for each in await client.list(binding):
            subjects = [(one.get("namespace"), one["name"]) for one in each.get("subjects") or ()]
            if account in subjects and not {"leader", "metrics"} & set(each.metadata.name.split("-")):
                role = each["roleRef"]
                found.add((role["kind"], each.metadata.namespace or "", role["name"]))
    return found
