"""What the guide to operators from charts shows beside its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import readme
from polling import until
from windlass.api import read_yaml
from windlass.client import Client, find_kind
from windlass.cluster import Cluster
from windlass.errors import Invalid
from windlass.helm import read_watches
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.operators.minimart import CHART

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/helm.md"


async def test_the_rule_of_the_guide_refuses_names_that_helm_does_not_take(tmp_path: Path) -> None:
    readme.write_files(tmp_path, PAGE, "crd.yaml")
    (definition,) = read_yaml((tmp_path / "crd.yaml").read_bytes())
    (rules,) = read_yaml(readme.block("optionalOldSelf", PAGE, "yaml"))
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] |= rules

    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await client.create(CustomResourceDefinition.from_wire(definition))
        kind = await until(lambda: find_kind(client, "demo.example.com/v1", "Shop"))
        for length in (53, 54):
            shop = kind.from_wire({"metadata": {"name": "x" * length, "namespace": "default"}})
            if length == 53:
                await client.create(shop)
                continue
            with pytest.raises(Invalid, match=r"metadata\.name must have at most 53 characters"):
                await client.create(shop)


def test_the_charts_of_the_guide_that_are_fetched_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "watches.yaml"
    file.write_text(readme.block("oci://registry.example.com", PAGE, "yaml"), encoding="utf-8")
    fetched: list[object] = []

    def fetch(chart: object) -> Path:
        fetched.append(chart)
        return CHART

    watches = read_watches(file, fetch)

    assert len(fetched) == len(watches) == len(read_yaml(file.read_bytes())[0])
