"""`windlass helm run`: a chart and a watches.yaml are an operator, as a person runs it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from free_form import free_form, is_created
from polling import until
from servers import embedded_fixture, server_fixture
from started import started
from windlass.api import Kind, ObjectMeta, Untyped, read_yaml
from windlass.client import MergePatch, connect, load_config, request_token
from windlass.errors import NotFound, ToolError
from windlass.kinds.core.v1 import ConfigMap, ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, Role, RoleBinding
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from servers import Server
    from started import Operator
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture

PATIENCE = 45.0
TEMPLATE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}"}
data:
  size: {{ .Values.size | quote }}
  tag: {{ .Values.image.tag | quote }}
  owner: {{ .Values.cr.name | quote }}
"""
WATCHES = """
- group: GROUP
  version: v1
  kind: Shop
  chart: shop
  overrideValues: {image.tag: '{{ "$TAG" | upper }}'}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a chart and, to be filled in, a `watches.yaml`."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    (tmp_path / "shop" / "templates").mkdir(parents=True)
    (tmp_path / "shop" / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    (tmp_path / "shop" / "values.yaml").write_text("size: 1\nimage: {tag: x}\ncr: {name: nobody}\n")
    (tmp_path / "shop" / "templates" / "shop.yaml").write_text(TEMPLATE)
    return tmp_path


def shop_kind(server: Server) -> Kind:
    """A kind of the test's own, as definitions belong to the whole server."""
    return Kind(f"{server.namespace}.example.com", "v1", "Shop", "shops", subresources=("status",))


async def allow(server: Server, project: Path, client: Client, *arguments: str) -> Path:
    """The kubeconfig of an account that may do what `windlass helm rules` prints, and nothing more."""
    file = f"--watches-file={project / 'watches.yaml'}"
    namespace = server.namespace
    subject = {"kind": "ServiceAccount", "name": "operator", "namespace": namespace}
    account = ServiceAccount(metadata=ObjectMeta(name="operator", namespace=namespace))
    await client.create(account)
    for role in read_yaml(await printed("helm", "rules", file, *arguments)):
        reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": namespace}
        metadata = {"name": namespace, "namespace": role["metadata"].get("namespace", "")}
        is_cluster = role["kind"] == "ClusterRole"
        made, binding = (ClusterRole, ClusterRoleBinding) if is_cluster else (Role, RoleBinding)
        await client.create(made.model_validate({**role, "metadata": metadata}))
        bound = {"metadata": metadata, "roleRef": reference, "subjects": [subject]}
        await client.create(binding.model_validate(bound))
    token = (await request_token(client, "operator", namespace)).token
    kubeconfig = project / "kubeconfig"
    text = server.access.kubeconfig_for("nobody").replace(server.access.token("nobody"), token)
    kubeconfig.write_text(text)
    return kubeconfig


async def printed(*arguments: str) -> bytes:
    """What `windlass` prints."""
    command = (sys.executable, "-c", "from windlass.cli import main; main()", *arguments)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert process.returncode == 0
    return out


@asynccontextmanager
async def operating(server: Server, project: Path, *rules: str) -> AsyncIterator[tuple[Operator, Client]]:
    (project / "watches.yaml").write_text(WATCHES.replace("GROUP", shop_kind(server).group))
    async with connect(load_config(server.access.kubeconfig)) as client:
        operator = await started(
            "helm", "run", f"--watches-file={project / 'watches.yaml'}", "--reconcile-period=1s",
            "--metadata-key=cr", "--metrics-bind-address=0", "--health-probe-bind-address=0",
            "--zap-encoder=json", f"--kubeconfig={await allow(server, project, client, *rules)}",
            env={"TAG": "v2", "WATCH_NAMESPACE": server.namespace},
        )  # fmt: skip
        try:
            yield operator, client
        finally:
            await operator.stop()


@pytest.mark.parametrize("namespaced", [False, True], ids=["cluster-wide", "namespaced"])
async def test_a_chart_is_an_operator_under_exactly_the_role_that_is_printed_for_it(
    server: Server, project: Path, *, namespaced: bool
) -> None:
    kind, namespace = shop_kind(server), server.namespace
    shops = Untyped.of(kind)

    async def data() -> dict[str, str]:
        try:
            return dict((await client.get(ConfigMap, "a", namespace)).data)
        except NotFound:
            return {}

    rules = [f"--watch-namespace={namespace}"] if namespaced else []
    async with operating(server, project, *rules) as (operator, client):
        waits = await operator.line("The server serves no Shop")
        await client.create(free_form(kind))
        shop = shops(metadata=ObjectMeta(name="a", namespace=namespace))
        shop["spec"] = {"size": 3}
        await until(lambda: is_created(client, shop), every=0.1, patience=PATIENCE)
        deployed = await until(data, every=0.1, patience=PATIENCE)
        template = project / "shop" / "templates" / "shop.yaml"
        template.write_text(TEMPLATE + "  more: edited\n")
        edited = await until(data, lambda found: "more" in found, every=0.1, patience=PATIENCE)
        await client.patch(shops, "a", MergePatch({"spec": {"size": 4}}), namespace)
        changed = await until(data, lambda found: found.get("size") == "4", every=0.1, patience=PATIENCE)
        live = await client.get(shops, "a", namespace)
        await client.delete(shops, "a", namespace)
        await until(data, lambda found: not found, every=0.1, patience=PATIENCE)
        code = await operator.stop()

    assert f"shops.{kind.group}" in waits["msg"]
    assert deployed == {"size": "3", "tag": "V2", "owner": "a"}
    assert edited == {**deployed, "more": "edited"}
    assert changed == {**edited, "size": "4"}
    assert {each["type"]: each["status"] for each in live["status"]["conditions"]}["Deployed"] == "True"
    assert code == 0
