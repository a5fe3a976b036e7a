"""Commands that take a `watches.yaml` in place of a module, as far as they need no `helm` and no cluster."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from windlass.api import read_yaml
from windlass.cli import main
from windlass.codegen import Rule
from windlass.helm import ChartRules, GivenValues
from workspace import working_in, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.helm import FetchOptions, RemoteChart


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a chart and a file of watches, and no `helm` to find."""
    write(tmp_path / "charts/shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    write(tmp_path / "charts/shop/values.yaml", "size: 1\n")
    entry = "- {group: demo.example.com, version: v1, kind: Shop, chart: charts/shop}\n"
    write(tmp_path / "watches.yaml", entry)
    write(tmp_path / "watch.yml", entry.replace("Shop,", "Mart,"))
    with working_in(tmp_path):
        yield tmp_path


def run(command: str) -> Result:
    return CliRunner().invoke(main, shlex.split(command))


@pytest.mark.parametrize(("file", "name"), [("watches.yaml", "shops"), ("./watch.yml", "marts")])
def test_install_prints_the_definitions_without_helm(file: str, name: str) -> None:
    result = run(f"install {file} --dry-run")

    (definition,) = read_yaml(result.output)
    assert definition["metadata"]["name"] == f"{name}.demo.example.com"


def test_samples_and_definitions_are_generated_without_helm(folder: Path) -> None:
    for command in ("crds", "samples"):
        assert run(f"generate {command} watches.yaml").exit_code == 0

    assert (folder / "config/crd/bases/demo.example.com_shops.yaml").is_file()
    (sample,) = read_yaml((folder / "config/samples/demo_v1_shop.yaml").read_text())
    assert sample["spec"] == {"size": 1}


def test_a_dockerfile_lies_beside_its_file_and_is_checked(folder: Path) -> None:
    assert run("generate dockerfile watches.yaml --base example.com/windlass:1").exit_code == 0
    assert run("generate dockerfile watches.yaml --base example.com/windlass:1 --check").exit_code == 0
    assert "COPY charts/shop ./charts/shop" in (folder / "Dockerfile").read_text()

    result = run("generate dockerfile watches.yaml --check")

    assert result.exit_code == 1
    assert "to mend it: windlass generate dockerfile watches.yaml" in result.output

    result = run("generate dockerfile watches.yaml --check --plain-http --no-allow-charts-without-digest")

    assert "--no-allow-charts-without-digest --plain-http" in result.output


@pytest.mark.parametrize("command", ["install", "generate crds", "undeploy"])
def test_a_file_that_is_not_there_is_named(command: str) -> None:
    result = run(f"{command} absent.yaml")

    assert result.exit_code == 1
    assert "Error: cannot read absent.yaml: No such file or directory\n" in result.output


def test_a_deployment_is_limited_by_a_flag_or_by_a_variable() -> None:
    result = run("deploy minimart --dry-run --watch-namespace a --env WATCH_NAMESPACE=b")

    assert result.exit_code == 2
    assert "give --watch-namespace or --env WATCH_NAMESPACE" in result.output


def find(monkeypatch: pytest.MonkeyPatch, found: ChartRules) -> list[GivenValues]:
    """Have these rules found, without `helm`; the values are collected that they were found with."""
    asked: list[GivenValues] = []

    async def find_rules(
        _watches: object, _program: object, _options: object, values: GivenValues
    ) -> ChartRules:
        asked.append(values)
        return found

    monkeypatch.setattr("windlass.cli.delivery.find_rules", find_rules)
    monkeypatch.setattr("windlass.tools.find_helm", lambda: Path("helm"))
    return asked


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("generate all", "config/rbac/role.yaml"),
        ("generate rbac", "config/rbac/role.yaml"),
        ("generate chart", "chart/Chart.yaml"),
    ],
)
def test_where_a_chart_has_no_rules_all_else_is_written_and_the_exit_code_tells(
    command: str, written: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = (Rule(resources=("pods",), verbs=("get",)),)
    find(monkeypatch, ChartRules(rules=rules, notes=("Shop: chart shop does not render",), unknown=("Shop",)))

    result = run(f"{command} watches.yaml")

    assert result.exit_code == 3
    assert result.stderr.startswith("warning: Shop: chart shop does not render\nError: no rules for the")
    assert (folder / written).is_file()


def test_a_deployment_without_the_rules_of_a_chart_is_printed_and_the_exit_code_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find(monkeypatch, ChartRules(rules=(), unknown=("Shop",)))

    result = run("deploy watches.yaml --dry-run")

    assert result.exit_code == 3
    assert "Deployment" in {each["kind"] for each in read_yaml(result.stdout)}


@pytest.mark.parametrize("command", ["generate all", "generate rbac", "generate chart", "deploy --dry-run"])
def test_values_to_find_the_rules_with_reach_the_charts(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = find(monkeypatch, ChartRules(rules=()))

    result = run(f"{command} watches.yaml -f a.yaml --set Shop:mode=large --set-string b=1")

    assert result.exit_code == 0, result.output
    assert asked == [GivenValues(files=("a.yaml",), sets=("Shop:mode=large",), set_strings=("b=1",))]


def test_values_of_charts_are_refused_for_a_module() -> None:
    result = run("deploy minimart --dry-run --set a=b")

    assert result.exit_code == 1
    assert "--values, --set and --set-string are for the charts of a watches.yaml: minimart" in result.output


def test_the_name_of_the_operator_stays_when_an_entry_is_appended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find(monkeypatch, ChartRules(rules=()))
    with (folder / "watches.yaml").open("a") as file:
        file.write("- {group: demo.example.com, version: v1, kind: Booth, chart: charts/shop}\n")

    deployments = [
        each
        for each in read_yaml(run("deploy watches.yaml --dry-run").output)
        if each["kind"] == "Deployment"
    ]

    (deployment,) = deployments
    assert deployment["metadata"]["name"] == "shop-operator-controller-manager"
    assert deployment["metadata"]["annotations"] == {
        "windlass.dev/kinds": "Booth.demo.example.com,Shop.demo.example.com"
    }


def test_one_flag_names_the_operator_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find(monkeypatch, ChartRules(rules=()))
    flag = "watches.yaml --operator market"

    made = {each["kind"]: each for each in read_yaml(run(f"deploy --dry-run {flag}").output)}
    installed = run(f"install --dry-run {flag}")
    for command in ("all", "chart", "dockerfile", "crds"):
        assert run(f"generate {command} {flag}").exit_code == 0

    (container,) = made["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert made["Deployment"]["metadata"]["name"] == "market-controller-manager"
    assert container["args"][0] == "--name=market"
    assert installed.exit_code == 0
    assert "for market;" in (folder / "Dockerfile").read_text()
    assert "name: market\n" in (folder / "chart/Chart.yaml").read_text()
    manager = (folder / "chart/templates/manager/manager.yaml").read_text()
    assert '- --name={{ include "market.fullname" . }}' in manager
    assert "windlass helm run --help" in (folder / "chart/values.yaml").read_text()


@pytest.mark.parametrize("command", ["undeploy", "uninstall"])
def test_what_is_removed_is_that_of_the_operator_that_is_named(command: str) -> None:
    result = run(f"{command} watches.yaml --operator Bad_Name")

    assert result.exit_code == 1
    assert "'Bad_Name' cannot be an operator's name" in result.output


def test_a_binary_file_beside_the_file_of_watches_is_left_alone(folder: Path) -> None:
    content = b"\x89PNG\r\n\xff\xfe"
    for name in ("logo.png", "shop-1.0.0.tgz"):
        (folder / name).write_bytes(content)

    for flag in ("", "--check"):
        result = run(f"generate dockerfile watches.yaml {flag}")
        assert result.exit_code == 0, result.output

    assert (folder / "logo.png").read_bytes() == content


def test_run_points_to_the_command_that_runs_charts() -> None:
    result = run("run watches.yaml")

    assert result.exit_code == 1
    assert "run charts by `windlass helm run --watches-file watches.yaml`" in result.output


@pytest.mark.parametrize("command", ["install", "run", "generate crds"])
@pytest.mark.parametrize("target", [".", "..", "./shop", "''"])
def test_a_target_that_is_neither_a_module_nor_a_file_is_named(command: str, target: str) -> None:
    result = run(f"{command} {target}")

    assert result.exit_code == 1
    assert "is neither a module nor a file: name a module (demo.operator)" in result.output


@pytest.mark.parametrize("command", ["undeploy", "uninstall"])
@pytest.mark.parametrize("chart", ["absent", "oci://charts.invalid/shop, chartVersion: 1.0.0"])
def test_removal_needs_no_chart(command: str, chart: str, folder: Path) -> None:
    write(
        folder / "watches.yaml", f"- {{group: demo.example.com, version: v1, kind: Shop, chart: {chart}}}\n"
    )
    write(folder / "config", "apiVersion: v1\nkind: Config\n")

    result = run(f"{command} watches.yaml --kubeconfig config --context missing")

    assert result.exit_code == 1
    assert "missing" in result.output
    assert "chart" not in result.output


@pytest.mark.parametrize(
    "command", ["generate all", "generate chart", "generate rbac", "deploy --dry-run", "undeploy"]
)
def test_a_name_that_is_none_of_a_namespace_is_refused(command: str) -> None:
    result = run(f"{command} watches.yaml --namespace Bad_NS")

    assert result.exit_code == 1
    assert "--namespace: 'Bad_NS' is no name of a namespace" in result.output


def test_flags_of_charts_reach_the_fetch_and_the_deployment(monkeypatch: pytest.MonkeyPatch) -> None:
    find(monkeypatch, ChartRules(rules=()))
    flags = "--allow-charts-without-digest --plain-http --registry-config credentials.json --arg --zap-devel"

    result = run(f"deploy watches.yaml --dry-run {flags}")

    (deployment,) = [each for each in read_yaml(result.output) if each["kind"] == "Deployment"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["args"][-3:] == ["--allow-charts-without-digest", "--plain-http", "--zap-devel"]


@pytest.mark.parametrize(
    "command", ["install --dry-run", "generate crds", "generate samples", "generate dockerfile"]
)
def test_commands_fetch_charts_as_helm_run_does(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[FetchOptions] = []

    async def fetch_chart(chart: RemoteChart, options: FetchOptions) -> Path:
        asked.append(options)
        return folder / "charts/shop"

    monkeypatch.setattr("windlass.helm.fetch_chart", fetch_chart)
    chart = "oci://charts.invalid/shop, chartVersion: 1.0.0"
    write(
        folder / "watches.yaml", f"- {{group: demo.example.com, version: v1, kind: Shop, chart: {chart}}}\n"
    )

    result = run(
        f"{command} watches.yaml --allow-charts-without-digest --plain-http --registry-config auth.json"
    )

    assert result.exit_code == 0, result.output
    (options,) = asked
    assert (options.allow_without_digest, options.plain_http) == (True, True)
    assert options.registry_config == Path("auth.json")
