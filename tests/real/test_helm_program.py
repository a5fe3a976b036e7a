"""What only the helm program does: every feature of charts works, and nothing leaks into it or out of it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from helm_sites import site_fixture
from windlass.api import Key, ObjectMeta
from windlass.client import find_kind
from windlass.errors import HelmError, ToolError
from windlass.helm import Capabilities, Chart, Deploying, HelmProgram, ReleaseRecord, Retreat, Served
from windlass.helm.release import TERMINATING
from windlass.kinds.core.v1 import ConfigMap, Namespace

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
    looked = f'(lookup "v1" "Namespace" "" "{site.namespace}" | len)'
    wanted = blueprint(site, written({"templates/a.yaml": PROBE % looked}))
    (blind,) = await site.helm.render(wanted, is_upgrade=False)
    (seeing,) = await site.helm.render(wanted, is_upgrade=False, lookup=True)
    await site.helm.deploy(wanted, Deploying())

    assert wanted.chart.asks.lookup
    assert blind["data"]["said"] == "0"
    assert seeing["data"]["said"] == await said(site) != "0"


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
    chart = written({"templates/a.yaml": PROBE % asked})
    wanted = replace(blueprint(site, chart), capabilities=await Served(site.client).capabilities())
    (rendered,) = await site.helm.render(wanted, is_upgrade=False)
    await site.helm.deploy(wanted, Deploying())

    assert rendered["data"]["said"] == await said(site)


async def test_what_a_group_of_others_serves_can_be_made_up(site: Site, written: Written) -> None:
    asked = '.Capabilities.APIVersions.Has "monitoring.example.com/v1"'
    wanted = blueprint(site, written({"templates/a.yaml": PROBE % asked}))
    made_up = Capabilities(kube_version="v1.36.3", api_versions=frozenset({"monitoring.example.com/v1"}))
    (without,) = await site.helm.render(wanted, is_upgrade=False)
    (with_it,) = await site.helm.render(replace(wanted, capabilities=made_up), is_upgrade=False)

    assert (without["data"]["said"], with_it["data"]["said"]) == ("false", "true")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"templates/a.yaml": PROBE % 'fail "no good"'}, "no good"),
        ({"templates/a.yaml": "a: [b"}, "error converting YAML to JSON"),
        ({"templates/a.yaml": PROBE % "nothing"}, 'function "nothing" not defined'),
        ({"values.schema.json": '{"required": ["size"]}'}, "missing property 'size'"),
        ({"templates/a.yaml": "apiVersion: v1\nkind: Nonsense\nmetadata: {name: a}"}, "no matches for kind"),
    ],
)
async def test_what_is_wrong_with_a_chart_is_said_in_few_words(
    site: Site, written: Written, files: Mapping[str, str], words: str
) -> None:
    with pytest.raises(HelmError) as caught:
        await site.helm.deploy(blueprint(site, written(files)), Deploying())

    message = str(caught.value)
    assert words in message
    assert not any(noise in message for noise in ("Error:", "level=", "Usage", "--debug", "127.0.0.1"))
    assert await site.records() == []


async def test_in_a_namespace_that_is_being_deleted_hooks_fail_in_words_that_are_known(
    site: Site, written: Written
) -> None:
    hook = PROBE.replace("\ndata:", "\n  annotations: {helm.sh/hook: pre-delete}\ndata:")
    chart = written({"templates/hook.yaml": (hook % "1").replace("Release.Name }}", "Release.Name }}-bye")})
    namespace = f"{site.namespace}-ends"
    await site.client.create(Namespace(metadata=ObjectMeta(name=namespace)))
    planned = replace(blueprint(site, chart), release=Key(namespace, "web"))
    await site.helm.deploy(planned, Deploying())
    await site.client.delete(Namespace, namespace)

    with pytest.raises(HelmError, match=TERMINATING):
        await site.helm.uninstall(planned.release, Retreat())

    await site.helm.uninstall(planned.release, Retreat(hooks=False))
    left = await site.client.list(ReleaseRecord, namespace, labels="owner=helm")
    assert list(left) == []


async def test_values_and_the_way_to_the_cluster_are_on_no_command_line(site: Site) -> None:
    lines: list[str] = []

    async def look(_: Request) -> None:
        lines.extend(await asyncio.to_thread(_command_lines_of_children))

    await site.meddled(look).deploy(site.blueprint(text="a-secret-word"), Deploying())

    assert any("--reset-values" in line for line in lines)
    assert not any("a-secret-word" in line or "127.0.0.1" in line for line in lines)


async def test_a_cancelled_deployment_leaves_no_process_and_no_folder(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    reached = asyncio.Event()

    async def hold(request: Request) -> None:
        if request.method == "POST":
            reached.set()
            await asyncio.Event().wait()

    def change(objects: Sequence[Json]) -> Sequence[Json]:
        return objects

    deploying = asyncio.create_task(site.meddled(hold).deploy(site.blueprint(), Deploying(change=change)))
    await reached.wait()
    (folder,) = _entries(tmp_path)
    during = _processes_in(folder)
    deploying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deploying

    assert len(during) == 1
    assert _processes_in(folder) == []
    assert _entries(tmp_path) == []


async def test_where_there_is_no_helm_the_message_has_the_command_that_installs_it(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("WINDLASS_CACHE", str(tmp_path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)

    with pytest.raises(ToolError, match="windlass tools install helm"):
        await site.helm.deploy(site.blueprint(), Deploying())


@pytest.mark.parametrize(
    ("program", "words"), [("/bin/true", "it tells no version"), ("/nowhere/helm", "No such file")]
)
async def test_another_program_is_not_taken_for_helm(site: Site, program: str, words: str) -> None:
    with pytest.raises(ToolError, match=f"{program} is no helm: .*{words}"):
        await HelmProgram(site.client, program=Path(program)).render(site.blueprint(), is_upgrade=False)


def _command_lines_of_children() -> list[str]:
    children = [process for process in Path("/proc").glob("[0-9]*") if _parent(process) == os.getpid()]
    return [(child / "cmdline").read_bytes().decode() for child in children]


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def _processes_in(folder: Path) -> list[int]:
    """The processes whose home is a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            surroundings = (process / "environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if f"HOME={folder}".encode() in surroundings.split(b"\0"):
            found.append(int(process.name))
    return found
