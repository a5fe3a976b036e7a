from __future__ import annotations

import csv
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.errors import ToolError
from windlass.testing import ControlPlaneOptions
from windlass.testing.control_plane import start_control_plane
from windlass.testing.start import token_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def envtest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with etcd and kube-apiserver alone, as setup-envtest leaves it; both can tell their version."""
    says = {"etcd": "etcd Version: 3.6.16", "kube-apiserver": "Kubernetes v1.36.3"}
    for name, version in says.items():
        (tmp_path / name).write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" || exit 7\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("WINDLASS_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize(
    ("controllers", "said"), [(False, "exit code 7"), (True, "missing: kube-controller-manager")]
)
def test_the_binaries_of_setup_envtest_are_started_unless_controllers_are_wanted(
    envtest: Path, controllers: bool, said: str  # noqa: FBT001
) -> None:  # fmt: skip
    options = ControlPlaneOptions(controllers=controllers, start_timeout=timedelta(seconds=20))
    with pytest.raises(ToolError, match=said):
        start_control_plane(options)


def test_the_token_file_reads_back_as_token_user_uid_and_groups() -> None:
    text = token_file(
        {"admin": "s3cret", "nobody": "n0thing"}, {"admin": ("system:masters", "ops"), "nobody": ()}
    )

    assert list(csv.reader(text.splitlines())) == [
        ["s3cret", "admin", "admin", "system:masters,ops"],
        ["n0thing", "nobody", "nobody"],
    ]
