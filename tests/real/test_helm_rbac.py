"""Under exactly the rules that are found for a chart, all of it can be deployed."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from allowed import becomes_allowed
from branching import FILES, write_chart
from windlass.api import Key, ObjectMeta
from windlass.client import Impersonation, connect, load_config
from windlass.codegen import manager_roles
from windlass.errors import HelmError, ToolError
from windlass.helm import Blueprint, Capabilities, Deploying, HelmProgram, Retreat, read_manifest
from windlass.helm.rbac import chart_rules
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, RoleRef, Subject
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.client import Client
    from windlass.codegen import Rule
    from windlass.helm import Chart
    from windlass.testing import Access

# The chart's definition and its ClusterRole belong to the whole server.
pytestmark = [pytest.mark.xdist_group("helm-rbac"), pytest.mark.timeout(120)]

ON: Json = {
    "ingress": {"enabled": True},
    "fold": {"enabled": True, "gate": {"open": True}},
    "token": "x",
    "extra": {"rules": ["x"]},
}
VALUES: list[Json] = [{}, ON, {**ON, "kind": "StatefulSet", "account": False}]
# What nobody may grant who is not allowed to escalate.
LAWFUL = {name: text.replace(", escalate, bind", "") for name, text in FILES.items() if "binding" not in name}


@pytest.fixture
async def client(control_plane: Access) -> AsyncIterator[Client]:
    """The control plane, for whoever may do everything."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    async with connect(load_config(control_plane.kubeconfig)) as made:
        yield made


@asynccontextmanager
async def operator(
    client: Client, control_plane: Access, rules: Sequence[Rule], namespace: str
) -> AsyncIterator[HelmProgram]:
    """Helm in the hands of somebody who has one role, made of these rules."""
    user = f"operator-of-{namespace}"
    (role,) = [ClusterRole.from_wire(each) for each in manager_roles(namespace, rules)]
    group = "rbac.authorization.k8s.io"
    binding = ClusterRoleBinding(
        metadata=ObjectMeta(name=role.metadata.name),
        role_ref=RoleRef(api_group=group, kind="ClusterRole", name=role.metadata.name),
        subjects=[Subject(kind="User", name=user, api_group=group)],
    )
    for each in (role, binding):
        await client.create(each)
    try:
        await becomes_allowed(client, user, "create", "configmaps")
        config = replace(load_config(control_plane.kubeconfig), impersonate=Impersonation(user=user))
        async with connect(config) as limited:
            yield HelmProgram(limited)
    finally:
        for each in (role, binding):
            await client.delete(type(each), each.metadata.name)


def blueprint(namespace: str, chart: Chart, values: Json) -> Blueprint:
    """A release that has the name of its namespace, since its ClusterRole is everybody's."""
    capabilities = Capabilities(kube_version="v1.36.3")
    return Blueprint(release=Key(namespace, namespace), chart=chart, values=values, capabilities=capabilities)


async def test_every_branch_that_can_be_rendered_is_found(client: Client, tmp_path: Path) -> None:
    found = await chart_rules(write_chart(tmp_path), HelmProgram(client))
    resources = {resource for rule in found.rules for resource in rule.resources}

    assert resources == {
        "clusterroles",
        "configmaps",
        "cronjobs",
        "customresourcedefinitions",
        "events",
        "ingresses",
        "limitranges",
        "nodes",
        "persistentvolumeclaims",
        "pods",
        "rolebindings",
        "roles",
        "secrets",
        "serviceaccounts",
        "servicemonitors",
        "sheep",
        "statefulsets",
    }
    assert [note for note in found.notes if "rendering has" in note] == [
        "CronJob of batch/v1 is allowed, since a template names it, but no rendering has it"
    ]
    assert "broken=True: execution error" in "\n".join(found.notes)


async def test_the_chart_is_deployed_in_all_its_forms_under_exactly_its_rules(
    client: Client, control_plane: Access, namespace: str, tmp_path: Path
) -> None:
    chart = write_chart(tmp_path, LAWFUL)
    rules = (await chart_rules(chart, HelmProgram(client))).rules

    async with operator(client, control_plane, rules, namespace) as helm:
        made = [await helm.deploy(blueprint(namespace, chart, values), Deploying()) for values in VALUES]
        await helm.uninstall(made[-1].release, Retreat())

    assert {obj["kind"] for obj in read_manifest(made[-1].manifest)} >= {"ClusterRole", "Ingress", "Sheep"}


@pytest.mark.parametrize("missing", ["ingresses", "statefulsets", "limitranges", "pods"])
async def test_without_one_of_its_rules_the_chart_is_refused(
    client: Client, control_plane: Access, namespace: str, tmp_path: Path, missing: str
) -> None:
    chart = write_chart(tmp_path, LAWFUL)
    rules = (await chart_rules(chart, HelmProgram(client))).rules
    fewer = [rule for rule in rules if missing not in rule.resources]

    async with operator(client, control_plane, fewer, namespace) as helm:
        with pytest.raises(HelmError, match=missing):
            await helm.deploy(blueprint(namespace, chart, VALUES[-1]), Deploying())
