"""What is generated, on the real API server: samples, roles, models of a live cluster, and the check for drift."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from allowed import account, becomes_allowed, may
from everything import everything
from installed import PATIENCE, installed
from marker_page import app
from modelled import load
from sampled import sampled
from windlass.api import Untyped, read_yaml
from windlass.cli import main
from windlass.client import Request, connect, find_kind, load_config, stale_definitions
from windlass.codegen import custom_resource_definitions, from_crds, sample
from windlass.errors import Forbidden, NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from windlass.api import Resource
    from windlass.client import Client
    from windlass.testing import Access

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def group(namespace: str) -> str:
    """A group that no other test has."""
    return f"{namespace}.example.com"


async def published(client: Client, kind: type[Resource]) -> None:
    """Wait until the server's OpenAPI document has a kind."""
    known = kind.__kind__
    wanted = {"group": known.group, "version": known.version, "kind": known.name}
    path = f"/openapi/v3/apis/{known.group}/{known.version}"
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                document = await client.json(Request(method="GET", path=path))
            except NotFound:
                document = {}
            schemas = document.get("components", {}).get("schemas", {}).values()
            if any(wanted in each.get("x-kubernetes-group-version-kind", ()) for each in schemas):
                return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("name", sampled("demo.example.com"))
async def test_a_sample_is_accepted(name: str, control_plane: Access, namespace: str, group: str) -> None:
    kind = sampled(group)[name]
    made = Untyped.of(kind.__kind__).from_wire(sample(kind))
    if kind.__kind__.namespaced:
        made.metadata.namespace = namespace

    async with installed(control_plane, kind) as client:
        stored = await client.using(field_validation="Strict").create(made)

    assert kind.from_wire(stored.to_wire()).metadata.uid


async def test_a_type_with_every_marker_is_not_stale(control_plane: Access, group: str) -> None:
    kind = everything(group)

    async with installed(control_plane, kind) as client:
        await published(client, kind)
        assert await stale_definitions(client, [kind]) == []


OLDER = "size: int = 1\nold: str | None = None\nmode: int = 1\nport: Port | None = None"
NEWER = "size: int = 1\nfresh: str | None = None\nmode: str = 'a'\nport: Wider | None = None"


async def test_a_stale_definition_is_found_by_whoever_may_do_no_more_than_discovery(
    control_plane: Access, group: str, tmp_path: Path
) -> None:
    config = write(tmp_path / "kubeconfig", control_plane.kubeconfig_for("nobody"))
    older = app(group, fields=OLDER)
    wider = "class Wider(Port): weight: int = 1\n"
    newer = app(group, fields=wider + NEWER)

    async with installed(control_plane, older) as admin, connect(load_config(config)) as nobody:
        await published(admin, older)
        with pytest.raises(Forbidden):
            await nobody.get(CustomResourceDefinition, f"apps.{group}")
        assert await stale_definitions(nobody, [older]) == []
        (stale,) = await stale_definitions(nobody, [newer])

    assert stale.drift.unknown == (".spec.fresh", ".spec.port.weight")
    assert stale.drift.extra == (".spec.old",)
    assert stale.drift.different == (".spec.mode",)
    assert "`windlass generate crds MODULE`" in str(stale)
    assert f"`kubectl apply -f config/crd/bases/{group}_apps.yaml`" in str(stale)


async def test_a_kind_that_is_not_served_is_not_stale(control_plane: Access, group: str) -> None:
    served, other = app(group, version="v1"), app(group, version="v2")

    async with installed(control_plane, served) as client:
        await published(client, served)
        assert await stale_definitions(client, [other, app(f"absent.{group}")]) == []


@pytest.fixture
def folder(tmp_path: Path, control_plane: Access, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, with the control plane as the cluster that is meant."""
    monkeypatch.setenv("KUBECONFIG", str(control_plane.kubeconfig))
    with working_in(tmp_path):
        yield tmp_path


async def windlass(*words: str) -> str:
    """What a command prints that must succeed."""
    result = await asyncio.to_thread(CliRunner().invoke, main, words)
    assert result.exit_code == 0, result.output
    return result.output


def contents(folder: Path) -> dict[str, str]:
    """The files in a folder and below it, sorted by their paths."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


async def test_models_of_a_live_cluster_are_those_of_its_files(
    control_plane: Access, namespace: str, group: str, folder: Path
) -> None:
    kinds = [everything(group), *sampled(group).values()]
    expected = from_crds(custom_resource_definitions(kinds))

    async with installed(control_plane, *kinds):
        await windlass("generate", "models", "--cluster", "--group", group, "--output", "models")

    assert contents(folder / "models") == expected
    assert {"everything_v1.py", "scalar_v1.py"} <= expected.keys()


async def test_a_generated_model_reads_what_the_server_stores(
    control_plane: Access, namespace: str, group: str
) -> None:
    kind = sampled(group)["Scalar"]
    made = sample(kind)
    made["metadata"]["namespace"] = namespace
    model: type[Resource] = load(from_crds(custom_resource_definitions([kind]))["scalar_v1.py"]).Scalar

    async with installed(control_plane, kind) as client:
        stored = await client.create(model.from_wire(made))
        read = await client.get(model, stored.metadata.name, namespace)

    assert read.to_wire()["spec"] == made["spec"]


OPERATOR = """
from windlass.api import Field, Resource, Spec, Status
from windlass.codegen import Rule

class CartSpec(Spec):
    size: int = Field(default=1, ge=1)

class CartStatus(Status):
    total: int = 0

class Cart(Resource, group="{group}", version="v1"):
    spec: CartSpec = Field(default_factory=CartSpec)
    status: CartStatus = Field(default_factory=CartStatus)

RULES = (
    Rule(resources=("configmaps",), verbs=("get",)),
    Rule(resources=("secrets",), verbs=("get",), namespace="{namespace}"),
)
"""


@asynccontextmanager
async def applied(access: Access, text: str, namespace: str) -> AsyncIterator[Client]:
    """A client, while the documents of a text are on the server, applied in their order."""
    made: list[Any] = []
    async with connect(load_config(access.kubeconfig)) as client:
        try:
            for document in read_yaml(text):
                kind = await find_kind_soon(client, document["apiVersion"], document["kind"])
                resource = kind.from_wire(document)
                resource.metadata.namespace = resource.metadata.namespace or namespace
                made.append(await client.using(field_validation="Strict").apply(resource))
            yield client
        finally:
            for each in reversed(made):
                await client.delete(type(each), each.metadata.name, each.metadata.namespace)


async def find_kind_soon(client: Client, api_version: str, name: str) -> type[Untyped]:
    """A kind that is, or is about to be, served."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await find_kind(client, api_version, name)
            except NotFound:
                await asyncio.sleep(0.02)


async def test_all_that_is_generated_for_an_operator_is_accepted_and_works(
    control_plane: Access, namespace: str, group: str, folder: Path
) -> None:
    write(folder / "till.py", OPERATOR.format(group=group, namespace=namespace))
    await windlass("generate", "all", "till.py", "--operator", namespace, "--namespace", namespace)
    text = "---\n".join(contents(folder / "config").values())
    operator = account(namespace, f"{namespace}-controller-manager")

    async with applied(control_plane, text, namespace) as client:
        for verb in ("get", "list", "watch", "create", "delete", "patch", "update"):
            await becomes_allowed(client, operator, verb, f"{group}/carts")
        await becomes_allowed(client, operator, "patch", f"{group}/carts", subresource="status")
        await becomes_allowed(client, operator, "update", f"{group}/carts", subresource="finalizers")
        await becomes_allowed(client, operator, "get", "configmaps", namespace="default")
        await becomes_allowed(client, operator, "get", "secrets", namespace=namespace)
        await becomes_allowed(client, operator, "update", "coordination.k8s.io/leases", namespace=namespace)

        assert not await may(client, operator, "get", "secrets", namespace="default")
        assert not await may(client, operator, "update", "coordination.k8s.io/leases", namespace="default")
        assert not await may(client, operator, "delete", "configmaps", namespace="default")


def test_the_committed_kinds_are_what_the_server_says(control_plane: Access) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "generate_kinds.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)

    assert checked.returncode == 0, checked.stdout + checked.stderr
