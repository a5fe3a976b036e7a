"""`windlass helm rules`: the role of a watches.yaml, with values, by namespace, and as a cluster knows kinds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from branching import write_chart
from free_form import free_form
from polling import until
from servers import embedded_fixture, server_fixture
from windlass.api import Kind, read_yaml
from windlass.cli import main
from windlass.client import connect, load_config, survey
from windlass.errors import ToolError
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from servers import Server
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
pytestmark = pytest.mark.timeout(120)

OBJECT = "apiVersion: {}\nkind: {}\nmetadata: {{name: a}}\n"
PICKY = {
    "Chart.yaml": "apiVersion: v2\nname: picky\nversion: 0.1.0\n",
    "values.yaml": "mode: ''\nretries: 0\n",
    "templates/check.yaml": """
{{- if not (has .Values.mode (list "plain" "large")) }}{{ fail "mode must be plain or large" }}{{ end }}
{{- if ne (int .Values.retries) 3 }}{{ fail "retries must be 3" }}{{ end }}
""",
    "templates/plain.yaml": "{{ if eq .Values.mode `plain` }}\n"
    + OBJECT.format("v1", "ConfigMap")
    + "{{ end }}",
    "templates/composed.yaml": "{{ if eq .Values.mode `large` }}\n"
    + OBJECT.format('{{ printf "batch/%s" "v1" }}', '{{ "Cron" }}Job')
    + "{{ end }}",
}
NEEDY = {
    "Chart.yaml": "apiVersion: v2\nname: needy\nversion: 0.1.0\n",
    "templates/a.yaml": OBJECT.format("policy/v1", '{{ required "kindOf is needed" .Values.kindOf }}')
    + "---\n"
    + OBJECT.format("v1", "ConfigMap"),
}
OPAQUE = {
    "Chart.yaml": "apiVersion: v2\nname: opaque\nversion: 0.1.0\n",
    "templates/a.yaml": '{{ fail "never" }}\nkind: {{ "Secret" }}\n',
}
SIMPLE = {
    "Chart.yaml": "apiVersion: v2\nname: simple\nversion: 0.1.0\n",
    "templates/a.yaml": OBJECT.format("apps/v1", "Deployment") + "---\n" + OBJECT.format("v1", "Namespace"),
}


@pytest.fixture(autouse=True)
def _helm() -> None:
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")


def write_watches(folder: Path, **charts: dict[str, str]) -> Path:
    """Write charts, and an entry for each, by its kind."""
    for kind, files in charts.items():
        write_chart(folder / kind, files)
    lines = [
        f"- {{group: a.example.com, version: v1, kind: {kind}, chart: {folder / kind}}}\n" for kind in charts
    ]
    (folder / "watches.yaml").write_text("".join(lines))
    return folder / "watches.yaml"


def rules(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["helm", "rules", f"--watches-file={file}", *arguments])


def resources(result: Result) -> dict[str, set[str]]:
    """The resources of each role, by its namespace; empty for the ClusterRole."""
    found: dict[str, set[str]] = {}
    for role in read_yaml(result.stdout):
        names = {name for rule in role["rules"] for name in rule["resources"]}
        found[role["metadata"].get("namespace", "")] = names
    return found


def test_a_chart_that_does_not_render_does_not_stop_the_others(tmp_path: Path) -> None:
    result = rules(write_watches(tmp_path, Picky=PICKY, Simple=SIMPLE))

    assert result.exit_code == 0
    assert {"configmaps", "deployments", "simples"} <= resources(result)[""]
    assert "warning: Picky: chart picky does not render with any values that were tried" in result.stderr
    assert "mode must be plain or large" in result.stderr


def test_a_chart_of_which_nothing_is_known_is_an_exit_code_of_its_own(tmp_path: Path) -> None:
    result = rules(write_watches(tmp_path, Opaque=OPAQUE, Simple=SIMPLE))

    assert result.exit_code == 3
    assert {"deployments", "opaques", "simples"} <= resources(result)[""]
    assert "Error: no rules for the objects of Opaque" in result.stderr


def test_a_kind_that_the_chart_does_not_state_is_told_and_given(tmp_path: Path) -> None:
    file = write_watches(tmp_path, Needy=NEEDY)

    unknown = rules(file)
    known = rules(file, "--set", "kindOf=PodDisruptionBudget")

    assert resources(unknown)[""].isdisjoint({"examples", "anothers"})
    assert "Needy: example of policy/v1: its kind or apiVersion depends on a value" in unknown.stderr
    assert "filled in (kindOf); not allowed" in unknown.stderr
    assert "poddisruptionbudgets" in resources(known)[""]
    assert "filled in" not in known.stderr


@pytest.mark.parametrize("command", ["all", "rbac", "chart"])
def test_files_are_generated_for_all_charts_and_the_exit_code_tells_of_one_without_rules(
    tmp_path: Path, command: str
) -> None:
    file = write_watches(tmp_path, Opaque=OPAQUE, Simple=SIMPLE)
    flag = "--output" if command == "chart" else "--config"

    result = CliRunner().invoke(main, ["generate", command, str(file), flag, str(tmp_path / "out")])

    (role,) = [*tmp_path.glob("out/rbac/role.yaml"), *tmp_path.glob("out/templates/rbac/role.yaml")]
    assert result.exit_code == 3
    assert "warning: Opaque: chart opaque does not render with any values" in result.stderr
    assert "by --set or --values" in result.stderr
    assert "deployments" in role.read_text()


def test_with_values_the_role_of_a_chart_is_generated(tmp_path: Path) -> None:
    file = write_watches(tmp_path, Picky=PICKY)
    words = ["--set", "Picky:mode=large,retries=3", "--config", str(tmp_path / "config")]

    result = CliRunner().invoke(main, ["generate", "rbac", str(file), *words])

    assert result.exit_code == 0, result.output
    assert "cronjobs" in (tmp_path / "config/rbac/role.yaml").read_text()
    assert "does not render" not in result.stderr


def test_values_that_do_not_parse_end_it_with_one_line(tmp_path: Path) -> None:
    file = write_watches(tmp_path, Simple=SIMPLE)
    (tmp_path / "list.yaml").write_text("[1]")

    for words, said in (
        (["--set", "Smple:a=b"], "Error: Smple:a=b: no entry is for the kind Smple; use Simple"),
        (["--set", "a"], "Error: --set and --set-string cannot be parsed: "),
        (["-f", str(tmp_path / "gone.yaml")], "gone.yaml: No such file or directory"),
        (["-f", str(tmp_path / "list.yaml")], "list.yaml must be one mapping of values"),
    ):
        result = rules(file, *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert said in result.stderr


def test_with_values_a_chart_renders_and_only_the_chart_of_a_kind_has_its_own(tmp_path: Path) -> None:
    strict = SIMPLE | {"values.schema.json": '{"type": "object", "properties": {"mode": {"enum": ["no"]}}}'}
    file = write_watches(tmp_path, Picky=PICKY, Strict=strict)
    (tmp_path / "values.yaml").write_text("retries: 3\n")

    result = rules(file, "-f", f"Picky:{tmp_path / 'values.yaml'}", "--set", "Picky:mode=large")
    refused = rules(file, "--set", "mode=large,retries=3")
    as_text = rules(file, "--set", "Picky:mode=large", "--set-string", "Picky:retries=3")

    for each in (result, as_text):
        assert each.exit_code == 0
        assert {"cronjobs", "deployments"} <= resources(each)[""]
        assert "does not render" not in each.stderr
    assert "Strict: chart simple does not render with any values" in refused.stderr


def test_by_namespace_roles_hold_what_is_namespaced(tmp_path: Path) -> None:
    file = write_watches(tmp_path, Simple=SIMPLE)

    found = resources(rules(file, "--watch-namespace", "a", "--watch-namespace", "b"))

    assert found.keys() == {"", "a", "b"}
    assert found[""] == {"namespaces"}
    assert found["a"] == found["b"] >= {"deployments", "secrets", "simples", "simples/status"}


async def is_served(client: Client, kinds: list[Kind]) -> bool:
    served = [each.kind for each in (await survey(client)).served]
    return all(kind in served for kind in kinds)


async def test_a_cluster_is_asked_for_plurals_and_scopes(server: Server, tmp_path: Path) -> None:
    group = f"{server.namespace}.example.com"
    kinds = [Kind(group, "v1", "Ox", "oxen"), Kind(group, "v1", "Goose", "geese", namespaced=False)]
    chart = SIMPLE | {"templates/a.yaml": OBJECT.format(f"{group}/v1", "Goose")}
    write_chart(tmp_path, chart)
    (tmp_path / "watches.yaml").write_text(
        f"- {{group: {group}, version: v1, kind: Ox, chart: {tmp_path}}}\n"
    )
    async with connect(load_config(server.access.kubeconfig)) as client:
        definitions = [free_form(kind) for kind in kinds]
        for each in definitions:
            await client.create(each)
        try:
            await until(lambda: is_served(client, kinds))
            arguments = ["--watch-namespace=a", f"--kubeconfig={server.access.kubeconfig}"]
            asked = await asyncio.to_thread(rules, tmp_path / "watches.yaml", *arguments)
        finally:
            for each in definitions:
                await client.delete(type(each), each.metadata.name)
    guessed = await asyncio.to_thread(rules, tmp_path / "watches.yaml", "--watch-namespace=a")

    assert asked.exit_code == guessed.exit_code == 0
    assert asked.stderr == ""
    assert resources(asked)[""] == {"geese"}
    assert {"oxen", "oxen/status"} <= resources(asked)["a"]
    assert {"oxes", "gooses"} <= resources(guessed)["a"]
    assert f"assumed to be the namespaced resource oxes.{group}, since no cluster was asked" in guessed.stderr
    assert f"assumed to be the namespaced resource gooses.{group}, since its CRD is unknown" in guessed.stderr
