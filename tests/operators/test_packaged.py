"""An operator that is made of charts, as `windlass deploy watches.yaml` deploys it, and its definition."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from delivered import has_condition, printed_by, windlass
from polling import until
from windlass.api import ObjectMeta, Untyped, read_yaml
from windlass.cli.installer import Installer
from windlass.client import MergePatch, find_kind, read_logs
from windlass.errors import Invalid, NotFound
from windlass.helm import HelmWatch, watch_definitions
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json
    from windlass.client import Client
    from windlass.testing import Access

pytestmark = [pytest.mark.timeout(240), pytest.mark.xdist_group("nodes"), pytest.mark.deployed]
SHOP = Path(__file__).resolve().parents[1] / "charts" / "shop"
SCHEMA = {
    "type": "object",
    "required": ["size", "image"],
    "additionalProperties": False,
    "properties": {
        "size": {"type": "integer", "minimum": 1},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "image": {"type": "object", "required": ["tag"], "properties": {"tag": {"type": "string"}}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "port": {"type": ["integer", "string"]},
        "hosts": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
        "either": {"oneOf": [{"type": "string"}, {"type": "object"}]},
        "global": {"type": "object"},
    },
}
DEFAULTS = "size: 1\nmode: fast\nimage: {tag: latest}\nlabels: {a: b}\n"
ACCEPTED: list[Any] = [
    {},
    {"size": 2},
    {"mode": None},
    {"labels": {"a": None}},
    {"image": {"tag": "1"}},
    {"image": {}},
    {"image": {"tag": "1", "more": [1]}},
    {"port": 80},
    {"port": "http"},
    {"hosts": [{"name": "a", "more": True}, {}]},
    {"either": "text"},
    {"either": {"a": 1}},
]
REJECTED: list[Any] = [
    {"size": "2"},
    {"size": 0},
    {"mode": "slower"},
    {"image": "nginx"},
    {"labels": {"a": 1}},
    {"port": True},
    {"hosts": [{"name": 1}]},
]


async def test_an_operator_of_charts_runs_under_the_role_that_is_found_for_them(
    client: Client, control_plane: Access, helm: Path, tmp_path: Path, namespace: str
) -> None:
    file, group = tmp_path / "watches.yaml", f"{namespace}.example.com"
    entry = f"- {{group: {group}, version: v1, kind: Shop, chart: {SHOP}}}\n"
    file.write_text(entry, encoding="utf-8")
    await client.create(ConfigMap(metadata=ObjectMeta(name="watches"), data={file.name: entry}))
    place = (str(file), f"--namespace={namespace}")
    printed = await windlass(control_plane, "deploy", *place, f"--watch-namespace={namespace}", "--dry-run")
    objects = read_yaml("\n".join(printed))
    (deployment,) = [each for each in objects if each["kind"] == "Deployment"]
    in_place_of_image(deployment["spec"]["template"]["spec"])
    await Installer(client, print).apply(objects)
    sample = {
        "apiVersion": f"{group}/v1",
        "kind": "Shop",
        "metadata": {"name": "corner", "namespace": namespace},
        "spec": {"replicas": 1},
    }
    kind = await served(client, f"{group}/v1", "Shop")
    await client.create(kind.from_wire(sample))
    await until(lambda: has_condition(client, sample, "Deployed"), patience=60)

    (pod,) = await client.list(Pod, namespace, labels="control-plane=controller-manager")
    told = [line async for line in read_logs(client, pod.metadata.name)]
    refusal = await windlass(control_plane, "undeploy", *place, code=1)
    await client.delete(kind, "corner")
    await until(lambda: client.list(kind, namespace), lambda left: not left.items, patience=60)
    removed = await windlass(control_plane, "undeploy", *place, "--crds")

    assert any("Shop" in line or "shop" in line for line in told)
    assert not [line for line in told if "forbidden" in line]
    assert any(f"shops.{group} {namespace}/corner (helm.sdk" in line for line in refusal)
    assert "deployment.apps/shop-operator-controller-manager deleted" in removed
    assert f"customresourcedefinition.apiextensions.k8s.io/shops.{group} deleted" in removed


async def test_a_definition_from_a_schema_accepts_what_helm_accepts_and_rejects_what_it_rejects(
    client: Client, control_plane: Access, helm: Path, tmp_path: Path, namespace: str
) -> None:
    chart = tmp_path / "shop"
    chart.mkdir()
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n", encoding="utf-8")
    (chart / "values.yaml").write_text(DEFAULTS, encoding="utf-8")
    (chart / "values.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    async with defined(client, watch(chart, namespace)) as kind:
        for accepted, specs in ((True, ACCEPTED), (False, REJECTED)):
            for number, spec in enumerate(specs):
                given = tmp_path / "given.json"
                given.write_text(json.dumps(spec), encoding="utf-8")
                await printed_by(helm, "template", "any", chart, "--values", given, code=0 if accepted else 1)
                shop = kind.from_wire({"metadata": {"name": f"{accepted}-{number}".lower()}, "spec": spec})
                if accepted:
                    assert (await client.create(shop))["spec"] == spec
                else:
                    with pytest.raises(Invalid):
                        await client.create(shop)


async def test_a_name_that_no_release_can_have_is_rejected_unless_the_object_is_there(
    client: Client, control_plane: Access, namespace: str
) -> None:
    long, shortest = "x" * 54, "x" * 53
    entry = watch(SHOP, namespace)
    async with defined(client, entry, checked=False) as kind:
        old = await client.create(kind(metadata=ObjectMeta(name=long, finalizers=["example.com/held"])))
        await Installer(client, print).apply(watch_definitions([entry]))

        async def refused() -> bool:
            try:
                await client.create(kind(metadata=ObjectMeta(name="x" * 55)))
            except Invalid as error:
                assert "at most 53 characters" in str(error)  # noqa: PT017 - how long a server takes is not known
                return True
            await client.delete(kind, "x" * 55)
            return False

        await until(refused)
        await client.create(kind(metadata=ObjectMeta(name=shortest)))
        await client.status.patch(kind, long, MergePatch({"status": {"seen": True}}))
        await client.patch(kind, long, MergePatch({"metadata": {"finalizers": None}}))
        await client.delete(kind, long)
        assert old.metadata.name not in [each.metadata.name for each in await client.list(kind, namespace)]


def in_place_of_image(pod: Json) -> None:
    """Have the image of Windlass itself do what one does that is built from it, with the file in a volume."""
    (container,) = pod["containers"]
    container["image"] = "windlass:any"
    container["args"] = ["helm", "run", "--watches-file=/opt/helm/watches.yaml", *container["args"]]
    container["volumeMounts"].append({"name": "watches", "mountPath": "/opt/helm"})
    pod["volumes"].append({"name": "watches", "configMap": {"name": "watches"}})


def watch(chart: Path, namespace: str) -> HelmWatch:
    return HelmWatch(group=f"{namespace}.example.com", version="v1", kind="Shop", chart=chart)


@asynccontextmanager
async def defined(client: Client, entry: HelmWatch, *, checked: bool = True) -> AsyncIterator[type[Untyped]]:
    """The kind of an entry, for the length of the block; `checked` is whether names are."""
    (made,) = watch_definitions([entry])
    if not checked:
        del made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["x-kubernetes-validations"]
    await Installer(client, print).apply([made])
    yield await served(client, entry.api_version, entry.kind)
    await client.delete(CustomResourceDefinition, made["metadata"]["name"])


async def served(client: Client, api_version: str, name: str) -> type[Untyped]:
    """A kind, once the server serves it."""

    async def found() -> type[Untyped] | None:
        try:
            return await find_kind(client, api_version, name)
        except NotFound:
            return None

    kind = await until(found)
    assert kind
    return kind
