"""What `deploy` checks before it changes anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from windlass.api import ObjectMeta, Resource
from windlass.cli.installer import Installer
from windlass.cli.preconditions import check_kinds, check_namespaces, run_locally
from windlass.client import Client, Impersonation, MergePatch
from windlass.cluster import Cluster
from windlass.codegen import Delivery, Project
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Namespace, Node
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from windlass.api import Json


class Cart(Resource, group="shop.example.com", version="v1"):
    pass


class Sign(Resource, group="shop.example.com", version="v1"):
    pass


class Shelf(Resource, group="shop.example.com", version="v1"):
    pass


SHOP = Project(operator="shop", kinds=(Cart, Shelf), module="shop.operator")
OTHER = replace(SHOP, operator="other", kinds=(Shelf,))


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with Cluster() as cluster:
        yield Client(cluster.transport())


def deployment(project: Project) -> Json:
    (found,) = [each for each in Delivery(project=project).objects() if each["kind"] == "Deployment"]
    return found


async def deploy(client: Client, project: Project) -> None:
    await client.create(Namespace(metadata=ObjectMeta(name=project.place)))
    await Installer(client, print).apply([deployment(project)])


async def test_a_second_operator_of_a_kind_is_refused(client: Client) -> None:
    await deploy(client, SHOP)

    with pytest.raises(ConfigError) as refused:
        await check_kinds(client, deployment(OTHER))

    said = str(refused.value)
    assert said.splitlines()[0] == (
        "Deployment shop-system/shop-controller-manager serves Shelf.shop.example.com already; "
        "nothing was changed"
    )
    assert "add --operator shop to this command" in said
    assert "`windlass undeploy` with --operator shop" in said


async def test_the_same_operator_in_another_namespace_is_a_second_one(client: Client) -> None:
    await deploy(client, replace(SHOP, namespace="till"))

    with pytest.raises(ConfigError, match="add --operator shop -n till to this command"):
        await check_kinds(client, deployment(SHOP))


async def test_an_operator_may_be_deployed_again_and_beside_those_of_other_kinds(client: Client) -> None:
    await deploy(client, SHOP)

    await check_kinds(client, deployment(SHOP))
    await check_kinds(client, deployment(replace(OTHER, kinds=(Sign,))))


async def test_operators_of_a_kind_that_watch_different_namespaces_are_let_be(client: Client) -> None:
    await deploy(client, replace(SHOP, watch_namespaces=("a", "b")))

    await check_kinds(client, deployment(replace(OTHER, watch_namespaces=("c",))))
    for watched in (("b", "c"), ()):
        with pytest.raises(ConfigError, match=r"serves Shelf\.shop\.example\.com already"):
            await check_kinds(client, deployment(replace(OTHER, watch_namespaces=watched)))


async def test_where_deployments_cannot_be_listed_a_warning_says_so(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    nobody = client.acting_as(Impersonation.service_account("default", "nobody"))

    await check_kinds(nobody, deployment(SHOP))

    said = capsys.readouterr().err
    assert said.startswith("warning: not checked whether another operator serves the same kinds: ")


async def test_namespaces_that_are_to_be_watched_must_be_there(client: Client) -> None:
    await check_namespaces(client, replace(SHOP, watch_namespaces=("default", "shop-system")))

    with pytest.raises(ConfigError, match="the cluster has no namespace a or b; create it"):
        await check_namespaces(client, replace(SHOP, watch_namespaces=("a", "default", "b")))


async def node(client: Client, name: str, *, project: str = "", runtime: str = "windlass://1.0") -> None:
    """A node that runs programs for some images, and the modules of a project."""
    notes = {"node.windlass.dev/programs": '["windlass:*", "example.com/*"]'}
    if project:
        notes["node.windlass.dev/project"] = project
    await client.create(Node(metadata=ObjectMeta(name=name, annotations=notes)))
    status = {
        "status": {"nodeInfo": {**dict.fromkeys(_NODE_INFO, "any"), "containerRuntimeVersion": runtime}}
    }
    await client.status.patch(Node, name, MergePatch(status))


_NODE_INFO = (
    "architecture",
    "bootID",
    "kernelVersion",
    "kubeProxyVersion",
    "kubeletVersion",
    "machineID",
    "operatingSystem",
    "osImage",
    "systemUUID",
)


@pytest.fixture
def shop_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the file of an operator, to work in."""
    write(tmp_path / "project/shop.py", "")
    with working_in(tmp_path / "project"):
        yield tmp_path / "project"


def container(document: Json) -> Json:
    (found,) = document["spec"]["template"]["spec"]["containers"]
    only: Json = found
    return only


async def test_simulated_nodes_without_the_project_are_refused_before_anything_changes(
    client: Client, shop_folder: Path
) -> None:
    await node(client, "node-1")

    with pytest.raises(ConfigError) as refused:
        await run_locally(client, deployment(SHOP), "shop.py")

    said = str(refused.value)
    assert "node node-1 is simulated and has no image shop:latest" in said
    assert said.endswith(f"windlass up --project {shop_folder}")


async def test_simulated_nodes_of_another_project_are_refused(client: Client, shop_folder: Path) -> None:
    await node(client, "node-1", project=str(shop_folder.parent / "elsewhere"))

    with pytest.raises(ConfigError, match="would not run"):
        await run_locally(client, deployment(SHOP), "shop.py")


async def test_simulated_nodes_of_the_project_run_its_module(client: Client, shop_folder: Path) -> None:
    await node(client, "node-1", project=str(shop_folder))

    made = await run_locally(client, deployment(SHOP), "shop.py")

    notes = made["spec"]["template"]["metadata"]["annotations"]
    assert (notes["node.windlass.dev/run-in"], notes["node.windlass.dev/entrypoint"]) == (
        str(shop_folder),
        "",
    )
    assert container(made)["args"] == container(deployment(SHOP))["args"]


async def test_a_file_is_named_as_seen_from_where_it_is_run(client: Client, shop_folder: Path) -> None:
    await node(client, "node-1", project=str(shop_folder))
    absolute = str(shop_folder / "shop.py")
    project = replace(SHOP, module=absolute)

    with working_in(shop_folder.parent):
        made = await run_locally(client, deployment(project), absolute)

    assert made["spec"]["template"]["metadata"]["annotations"]["node.windlass.dev/run-in"] == str(shop_folder)
    assert container(made)["args"][:2] == ["run", "shop.py"]


async def test_a_watches_file_is_what_the_entrypoint_runs(client: Client, shop_folder: Path) -> None:
    await node(client, "node-1", project=str(shop_folder))
    watches = write(shop_folder / "watches.yaml", "- kind: Shop")

    made = await run_locally(client, deployment(SHOP), "watches.yaml")

    notes = made["spec"]["template"]["metadata"]["annotations"]
    assert notes["node.windlass.dev/entrypoint"] == "helm run --watches-file=watches.yaml"
    write(watches, "- kind: Till")
    changed = await run_locally(client, deployment(SHOP), "watches.yaml")
    assert changed["spec"]["template"] != made["spec"]["template"]  # so that the pods are replaced
    write(shop_folder / "helm-charts/shop/Chart.yaml", "name: shop")
    charted = await run_locally(client, deployment(SHOP), "watches.yaml")
    assert charted["spec"]["template"] != changed["spec"]["template"]
    write(shop_folder / ".venv/lib/module.py", "")  # of no chart
    assert await run_locally(client, deployment(SHOP), "watches.yaml") == charted


@pytest.mark.parametrize(
    ("image", "runtime"), [("example.com/shop:1", "windlass://1.0"), ("shop:latest", "containerd://2.0")]
)
async def test_an_image_that_a_node_runs_is_left_as_it_is(
    client: Client, shop_folder: Path, image: str, runtime: str
) -> None:
    await node(client, "node-1", runtime=runtime)
    document = deployment(SHOP)
    container(document)["image"] = image

    assert await run_locally(client, document, "shop.py") == document
