"""What the README shows works on a real control plane."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import readme
from windlass.client import connect, load_config
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from windlass.testing import Access


async def test_the_client_example_runs(
    control_plane: Access, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme.write_files(tmp_path)
    (example,) = [block for block in readme.blocks("python") if "async def main" in block]
    (tmp_path / "example_of_the_readme.py").write_text(example, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(control_plane.kubeconfig))
    module = importlib.import_module("example_of_the_readme")

    async with connect(load_config(control_plane.kubeconfig)) as client:
        await install_kinds(client, [module.WebApp])
        try:
            await module.main()
            stored = await client.get(module.WebApp, "shop", "default")
        finally:
            await client.delete(CustomResourceDefinition, "webapps.demo.example.com")

    assert stored.status.ready_replicas == 1
    assert 'deployments.apps "shop" not found' in capsys.readouterr().out


def test_the_test_example_runs(control_plane: Access, tmp_path: Path) -> None:
    readme.write_files(tmp_path)
    (settings,) = readme.blocks("ini")
    (tmp_path / "pytest.ini").write_text(settings)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "--control-plane",
        "real",
        "--control-plane-controllers",
        "test_shop.py",
    ]

    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed" in ran.stdout
