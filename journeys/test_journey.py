"""The pages of the journeys, command by command, with Windlass as it is installed from its wheel."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.tools import find_helm, find_kubectl

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASE = readme.ROOT / "journeys" / "database"
PAGE = "journeys/database/README.md"
READY = 120.0

pytestmark = [pytest.mark.timeout(900), pytest.mark.xdist_group("journeys")]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a virtual environment that has the wheel, and nothing of the repository."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=readme.ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    pinned = re.findall(r"^[\w.-]+(?:\[[\w,]+\])?==[\w.]+", _requirements(), re.MULTILINE)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pinned), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    programs = folder / "venv" / "bin"
    install = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--constraint", str(constraints), f"{wheel}[test]"], check=True)
    return programs


def _requirements() -> str:
    return (readme.ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")


@contextmanager
def cluster(command: list[str], folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """A cluster in the foreground of another terminal, from when it has written its kubeconfig on."""
    kubeconfig = folder / "kubeconfig"
    with (folder / "cluster.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, f"--kubeconfig={kubeconfig}"], cwd=folder / "project", env=environment,
            stdout=subprocess.PIPE, stderr=log,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if b"KUBECONFIG" in line:
                    break
            assert kubeconfig.is_file(), (folder / "cluster.log").read_text(encoding="utf-8")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=READY)
    assert process.returncode == 0
    assert "Traceback" not in (folder / "cluster.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("control_plane", ["up", "control-plane --nodes=1"])
async def test_a_database_operator_is_developed_deployed_upgraded_and_kept_alive(
    installed: Path, tmp_path: Path, control_plane: str
) -> None:
    for release in ("release-1", "release-2"):
        shutil.copytree(DATABASE / release, tmp_path / release)
    shutil.copytree(tmp_path / "release-1", tmp_path / "project")
    path = [str(installed), str(find_kubectl().parent), str(find_helm().parent), os.environ["PATH"]]
    environment = {
        **{
            name: os.environ[name]
            for name in ("WINDLASS_CACHE", "HOME", "KUBEBUILDER_ASSETS")
            if name in os.environ
        },
        "PATH": os.pathsep.join(path),
        "KUBECONFIG": str(tmp_path / "kubeconfig"),
    }
    entry, *more = readme.dialogue(PAGE)
    dialogue = [entry, *more]
    commands = guided.on_free_ports(dialogue, "windlass run dbop")
    program = [str(installed / "windlass"), *control_plane.split()]

    with cluster(program, tmp_path, environment):
        answers = await guided.typed_in(commands, tmp_path, environment, patience=600.0)

    guided.check(dialogue, answers)
