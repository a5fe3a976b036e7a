"""Which files are part of a chart: Helm packs the same ones that we read."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ChartError, ToolError
from windlass.helm import Chart
from windlass.helm.chart_files import read_files
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

FILES = (
    "templates/a.yaml", "templates/_b.tpl", "templates/.hidden", "templates/deep/.c.yaml", "files/a.txt",
    "files/b.bin", "files/deep/a.txt", "files/deep/b.bin", "a.txt", "ab.txt", "[x].txt", ".dot", ".git/config",
    "files/.git/config", "notes/README", "README", "a-b.txt", "charts/sub/Chart.yaml", "charts/sub/a.txt",
)  # fmt: skip
ABOUT = "apiVersion: v2\nname: shop\nversion: 1.0.0\n"


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    for name in FILES:
        file = tmp_path / "shop" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a: b\n")
    for name in ("Chart.yaml", "charts/sub/Chart.yaml"):
        (tmp_path / "shop" / name).write_text(ABOUT if name == "Chart.yaml" else ABOUT.replace("shop", "sub"))
    return tmp_path / "shop"


def helm(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        program = find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "rules",
    [
        "", "*.txt", "/*.txt", "*/a.txt", "files/*", "files/", "files", "deep/", "/deep/", "*/deep", ".git",
        ".git/", "[a-b]*.txt", "[^a]*", "[!a]*", r"\[x\].txt", "?.txt", "a[-b]*", "!*.yaml", "!files/",
        "README", "notes/README", "# a.txt", " a.txt ", "a.txt\n!a.txt", "\ufeffa.txt", "*/*/*.bin", "*",
        ".*", "charts/*/a.txt", "a\\-b.txt", "[b-a]*", "[^b-a]*", "[a\\-]*", "files[/]a.txt",
    ],
)  # fmt: skip
def test_helm_packs_what_we_read(chart: Path, rules: str) -> None:
    (chart / ".helmignore").write_text(rules)
    packed = helm("package", str(chart), "--destination", str(chart.parent))

    if packed.returncode:
        with pytest.raises(ChartError):
            Chart.read(chart)
    else:
        assert set(read_files(chart)) == set(read_files(chart.parent / "shop-1.0.0.tgz"))


@pytest.mark.parametrize("rules", ["**/a.txt", "[", "[]", "[]a]", "a[", "a\\", "[b-a]", "[-]", "[^]", "[a-]"])
def test_helm_refuses_what_we_refuse(chart: Path, rules: str) -> None:
    (chart / ".helmignore").write_text(rules)
    refused = helm("package", str(chart), "--destination", str(chart.parent)).returncode != 0
    try:
        read_files(chart)
    except ChartError:
        assert refused
    else:
        assert not refused
