"""The objects of releases, of which charts make all sorts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from polling import until
from shop_release import Mall, Shop, Shops, chart_folder, deployed, shop
from windlass.api import ObjectMeta, find_condition, write_yaml
from windlass.client import MergePatch
from windlass.helm import HelmOptions, ReleaseRecord, packed, read_manifest, unpacked
from windlass.kinds.core.v1 import ConfigMap, Secret, Service
from windlass.manager import ManagerOptions
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.testing import Starter, Trial

RULES = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    return chart_folder(tmp_path)


def odd(blueprint: Any, _: int) -> Sequence[Json]:
    """What real charts have, and no server stores as it was sent."""
    namespace, name = blueprint.release
    cluster_wide = {"name": f"{namespace}-{name}", "namespace": namespace}  # where there are no namespaces
    labels = {"app": name}
    pod = {"metadata": {"labels": labels, "creationTimestamp": None}}
    container = {"name": "web", "image": "web:1", "resources": {"limits": {"cpu": "1000m"}}, "env": None}
    return [
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRole",
            "metadata": cluster_wide,
            "rules": RULES,
        },
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": f"{name}-words", "annotations": None},
            "stringData": {"word": "secret"},
        },
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": name, "creationTimestamp": None},
            "spec": {
                "selector": {"matchLabels": labels},
                "template": {**pod, "spec": {"containers": [container]}},
            },
            "status": {"replicas": 3},
        },
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": name},
            "spec": {"selector": labels, "ports": [{"port": 80}]},
            "status": {"loadBalancer": {}},
        },
    ]


async def test_what_the_server_writes_otherwise_is_no_drift(operator: Starter, chart: Path) -> None:
    async with operator(Shops(chart, templates=odd)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.client.patch(Shop, "web", MergePatch({"metadata": {"labels": {"look": "again"}}}))
        await trial.rest()

        await trial.settled()

        await trial.client.patch(Secret, "web-words", MergePatch({"data": {"word": "b3RoZXI="}}))
        await trial.client.patch(Service, "web", MergePatch({"spec": {"selector": {"app": "other"}}}))
        await trial.until(Secret, "web-words", lambda found: found.data["word"] == b"secret")
        await trial.until(Service, "web", lambda found: found.spec.selector == {"app": "web"})


async def test_an_object_that_cannot_be_repaired_keeps_no_other_from_it(
    operator: Starter, chart: Path
) -> None:
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web", {"maps": ["a", "b", "c"]}))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        for name in ("web-a", "web-b"):
            await trial.client.delete(ConfigMap, name)
            data = {"size": "9", "added": "which a new one would not have"}
            fixed = ConfigMap(metadata=ObjectMeta(name=name), data=data, immutable=True)
            await trial.client.create(fixed)
        await trial.client.patch(ConfigMap, "web-c", MergePatch({"data": {"size": "9"}}))

        Shops(chart)(trial.manager)

        await trial.until(ConfigMap, "web-c", lambda found: found.data["size"] == "1")
        found = await trial.until(
            Shop, "web", lambda found: find_condition(found.status.conditions, "Irreconcilable") is not None
        )
        condition = find_condition(found.status.conditions, "Irreconcilable")
        assert condition is not None
        assert "web-a" in condition.message
        assert "web-b" in condition.message


async def test_an_object_whose_name_the_server_found_is_left_alone(operator: Starter, chart: Path) -> None:
    """Helm 3 makes such objects, and nobody can tell later which they are."""
    async with operator(Shops(chart)) as trial:
        await trial.client.create(shop("web"))
        await trial.until(Shop, "web", deployed)
        await trial.rest()
        await trial.manager.remove(trial.manager.controllers[0])
        name = "sh.helm.release.v1.web.v1"
        found = unpacked(await trial.client.get(ReleaseRecord, name))
        nameless = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "web-"}}
        manifest = write_yaml([*read_manifest(found["manifest"]), nameless])
        content = MergePatch({"data": packed({**found, "manifest": manifest})})
        await trial.client.patch(ReleaseRecord, name, content)

        Shops(chart)(trial.manager)

        status = (await trial.until(Shop, "web", lambda found: "generateName" in _manifest(found))).status
        assert find_condition(status.conditions, "Irreconcilable") is None
        await trial.settled()


def _manifest(found: Shop) -> str:
    return found.status.deployed_release.manifest if found.status.deployed_release else ""


async def test_an_object_in_no_namespace_has_its_release_where_the_options_say(
    operator: Starter, chart: Path
) -> None:
    name, namespace = "mall", "default"
    shops = Shops(chart, HelmOptions(namespace=namespace), of=Mall)
    options = TrialOptions(manager=ManagerOptions(name="malls"))
    async with operator(shops, options=options) as trial:
        await trial.client.create(Mall(metadata=ObjectMeta(name=name), spec={"maps": ["main"], "role": True}))
        await trial.until(Mall, name, deployed)
        made = await trial.client.get(ConfigMap, f"{name}-main", namespace)
        assert [(each.kind, each.name) for each in made.metadata.owner_references] == [("Mall", name)]
        await trial.settled()

        await trial.client.delete(ConfigMap, f"{name}-main", namespace)
        await trial.client.delete(ReleaseRecord, f"sh.helm.release.v1.{name}.v1", namespace)
        await until(lambda: _has(trial, f"{name}-main", namespace))
        await trial.settled()
        assert shops.helm.runs["deploy"] == 2

        await trial.client.delete(Mall, name)
        await trial.gone(Mall, name)
        assert not await _has(trial, f"{name}-main", namespace)
        assert list(await trial.client.list(ReleaseRecord, namespace, labels="owner=helm")) == []


async def _has(trial: Trial, name: str, namespace: str) -> bool:
    found = await trial.client.list(ConfigMap, namespace, fields=f"metadata.name={name}")
    return bool(list(found))
