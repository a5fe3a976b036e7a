"""What the guide to deploying says of images; its commands are typed by tests/real."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import readme

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/deploy.md"


def test_an_image_of_ones_own_finds_its_module(tmp_path: Path) -> None:
    """Done to a folder, since building images takes minutes; `make test-image` builds the one below it."""
    (layer,) = readme.blocks("dockerfile", PAGE)
    steps = dict(line.split(maxsplit=1) for line in layer.splitlines())
    source, target = steps["COPY"].split()
    name, value = steps["ENV"].split("=")
    image = tmp_path / "image"
    (tmp_path / source).mkdir()
    shutil.copy(readme.ROOT / "examples" / "minimal.py", tmp_path / source / "operator.py")
    shutil.copytree(tmp_path / source, image / target.removeprefix("/"))
    command = [sys.executable, "-m", "windlass", "generate", "all", f"{source}.operator"]

    done = subprocess.run(
        command,
        cwd=image,
        env={**os.environ, name: f"{image}{value}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (image / "config" / "crd" / "bases" / "demo.example.com_greetings.yaml").is_file()
    assert f"docker-push IMG={steps['FROM']}`" in readme.text_of(PAGE)
    assert f"`windlass deploy {source}.operator --image" in readme.text_of(PAGE)
