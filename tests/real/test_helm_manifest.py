"""What we make of a manifest is what Helm makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from branching import write_chart
from helm_sites import site_fixture
from windlass.client import find_kind
from windlass.errors import NotFound
from windlass.helm import Deploying, Retreat, helm_metadata, is_kept, read_manifest
from windlass.helm.manifest import differences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from helm_contract import Site
    from windlass.api import Json

site = site_fixture
pytestmark = pytest.mark.xdist_group("helm-manifest")  # the definition belongs to the whole server

DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: oddities.odd.example.com}
spec:
  group: odd.example.com
  scope: Namespaced
  names: {kind: Oddity, plural: oddities}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""
ODDITY = """
apiVersion: odd.example.com/v1
kind: Oddity
metadata:
  name: odd
  labels: {app.kubernetes.io/managed-by: Me, version: "1"}
  annotations: {empty: null}
spec:
  words: [yes, y, off, "yes", ~, null, =, TRUE]
  numbers: [0777, 0o17, 08, 1e3, 1.0, .5, 1_000, 0x1F, 0b11, -0, 9007199254740993, 1.5e300]
  times: [1:30, 2001-01-01, 2001-01-01T00:00:00Z, 12:30:45]
  twice: 1
  twice: 2
  1: a number
  true: a switch
  text: |
    a: b
    ---
  anchor: &anchor {a: 1}
  alias: *anchor
  merged: {<<: *anchor, b: 2}
---
# nothing
---
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: in-list}}
---
apiVersion: v1
kind: ConfigMapList
items:
  - {metadata: {name: in-typed-list}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kept, annotations: {helm.sh/resource-policy: " Keep "}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: misspelt, annotations: {helm.sh/resource-policy: keeps}}
"""
FILES = {
    "Chart.yaml": "apiVersion: v2\nname: odd\nversion: 0.1.0\n",
    "crds/odd.yaml": DEFINITION,
    "templates/odd.yaml": ODDITY,
}


async def live(site: Site, obj: Json) -> Json | None:
    """An object of a manifest as it is in the cluster, without what the server adds."""
    kind = await find_kind(site.client, obj["apiVersion"], obj["kind"])
    try:
        found = (await site.client.get(kind, obj["metadata"]["name"], site.namespace)).to_wire()
    except NotFound:
        return None
    kept = {name: found["metadata"].get(name) for name in ("name", "labels", "annotations")}
    return {**{name: value for name, value in found.items() if name != "status"}, "metadata": kept}


async def deployed(site: Site, folder: Path) -> Sequence[Json]:
    blueprint = replace(site.blueprint(), chart=write_chart(folder, FILES))
    return read_manifest((await site.helm.deploy(blueprint, Deploying())).manifest)


async def test_a_manifest_is_read_and_marked_as_helm_does(site: Site, tmp_path: Path) -> None:
    objects = await deployed(site, tmp_path)

    assert len(objects) == 5
    for obj in objects:
        found = await live(site, obj)
        assert found is not None
        assert differences([found], [helm_metadata(obj, site.blueprint().release)]) == []


async def test_what_has_a_policy_and_nothing_else_is_left_by_an_uninstall(site: Site, tmp_path: Path) -> None:
    objects = await deployed(site, tmp_path)
    await site.helm.uninstall(site.blueprint().release, Retreat())

    left = {obj["metadata"]["name"] for obj in objects if await live(site, obj)}
    assert left == {obj["metadata"]["name"] for obj in objects if is_kept(obj)} == {"kept", "misspelt"}
