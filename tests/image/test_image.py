"""The Dockerfile, built by buildah on a base image that is made of Debian's packages: no registry is asked.

Python packages and helm are those that this machine can obtain; inside of the build there is no way out.
It takes minutes, so that `make test-image` runs it and `make test-real` does not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from windlass._version import __version__
from windlass.cli.shipped import shipped
from windlass.helm import read_watches, watches_image
from windlass.tools import find_helm

ROOT = Path(__file__).resolve().parents[2]
BASE = """\
FROM scratch
ADD base.tar /
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
"""
pytestmark = [pytest.mark.timeout(900), pytest.mark.xdist_group("image")]


@dataclass(frozen=True)
class Builder:
    """buildah with a store of its own, without privileges that a build does not need."""

    folder: Path

    def run(self, *words: str) -> str:
        """What a command prints, which has to succeed."""
        store = ("--root", str(self.folder / "store"), "--runroot", str(self.folder / "run"))
        command = ["buildah", *store, "--storage-driver", "vfs", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def build(self, *words: str) -> None:
        """Build an image."""
        self.run("bud", "--isolation", "chroot", "--quiet", *words)

    def inside(self, container: str, *words: str) -> str:
        """What a command prints in a container, as its user."""
        return self.run("run", "--isolation", "chroot", container, "--", *words)


def base_archive(folder: Path) -> Path:
    """A root file system with Python and nothing else, of Debian's packages."""
    made = folder / "base.tar"
    packages = "--include=python3,python3-venv,ca-certificates"
    done = subprocess.run(
        ["mmdebstrap", "--variant=apt", packages, "bookworm", str(made)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no base image can be made: {done.stderr.strip().splitlines()[-1]}")
    return made


def wheels(folder: Path) -> Path:
    """What the two locks name, as this machine has it or can obtain it."""
    made = folder / "wheels"
    for lock in ("build", "run"):
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--require-hashes",
            "--only-binary=:all:",
        ]
        subprocess.run([*command, "-r", f"requirements/{lock}.txt", "-d", str(made)], cwd=ROOT, check=True)
    return made


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """A builder that has built the image, as `windlass:test`."""
    for program in ("buildah", "mmdebstrap"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}, a package of Debian")
    folder = tmp_path_factory.mktemp("image")
    base = base_archive(folder)
    (folder / "Containerfile").write_text(BASE, encoding="utf-8")
    builder = Builder(folder)
    builder.build("--tag", "base", "--file", str(folder / "Containerfile"), str(folder))
    base.unlink()
    mounts = [f"{wheels(folder)}:/wheels:ro", f"{find_helm()}:/usr/local/bin/helm:ro"]
    volumes = [word for each in mounts for word in ("--volume", each)]
    builder.build("--tag", "windlass:test", "--build-arg", "BASE=localhost/base", *volumes, str(ROOT))
    return builder


@pytest.fixture(scope="module")
def container(builder: Builder) -> str:
    """A container of the image, to run commands in."""
    return builder.run("from", "windlass:test").strip()


def test_the_image_runs_windlass_as_a_user_without_rights(builder: Builder) -> None:
    config = json.loads(builder.run("inspect", "--type", "image", "windlass:test"))["OCIv1"]["config"]

    assert config["Entrypoint"] == ["windlass"]
    assert config["User"] == "65532:65532"


def test_windlass_and_helm_are_in_it_and_nothing_to_install_more_with(
    builder: Builder, container: str
) -> None:
    assert builder.inside(container, "windlass", "version").strip() == __version__
    assert builder.inside(container, "id", "-u").strip() == "65532"
    assert "helm" in builder.inside(container, "windlass", "tools", "list")
    assert builder.inside(container, "helm", "version", "--short").startswith("v")
    assert builder.inside(container, "ls", "/opt/windlass/bin").split().count("pip") == 0


@pytest.mark.parametrize("operator", shipped())
def test_each_operator_can_be_deployed_from_what_is_in_it(
    operator: str, builder: Builder, container: str
) -> None:
    printed = builder.inside(container, "windlass", "deploy", operator, "--dry-run")

    assert f"windlass.operators.{operator}" in printed


def test_an_image_of_charts_has_them_and_takes_bare_flags(builder: Builder, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/charts/shop", tmp_path / "shop")
    file = tmp_path / "watches.yaml"
    file.write_text(
        f"- {{group: example.com, version: v1, kind: Shop, chart: {tmp_path}/shop}}\n", encoding="utf-8"
    )
    text = watches_image(file, read_watches(file), "shop", "localhost/windlass:test")
    (tmp_path / "Dockerfile").write_text(text, encoding="utf-8")

    builder.build("--tag", "shop:test", "--file", str(tmp_path / "Dockerfile"), str(tmp_path))

    config = json.loads(builder.run("inspect", "--type", "image", "shop:test"))["OCIv1"]["config"]
    container = builder.run("from", "shop:test").strip()
    assert config["WorkingDir"] == "/opt/helm"
    assert builder.inside(container, "ls", "/opt/helm").split() == ["shop", "watches.yaml"]
    assert "Usage" in builder.inside(container, *config["Entrypoint"], "--leader-elect", "--help")


def test_its_user_can_write_to_the_temporary_folder_alone(builder: Builder, container: str) -> None:
    where = "find / -xdev -type d -writable -not -path '/proc/*' -not -path '/dev/*' 2>/dev/null || true"
    found = builder.inside(container, "sh", "-c", where).split()
    shared = ("/tmp", "/var/tmp", "/run/lock")  # noqa: S108 - of everybody in the container

    assert [path for path in found if not path.startswith(shared)] == []
