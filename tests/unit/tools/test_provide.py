from __future__ import annotations

from pathlib import Path

import pytest

from windlass.errors import ToolError
from windlass.tools import (
    ControlPlaneTools,
    Origin,
    find_control_plane,
    find_helm,
    find_kubectl,
    install_control_plane,
    install_helm,
    install_kubectl,
    look_up,
)

SAYS = {
    "etcd": "etcd Version: 3.6.16",
    "kube-apiserver": "Kubernetes v1.36.3",
    "kube-controller-manager": "Kubernetes v1.36.3",
    "kube-scheduler": "Kubernetes v1.36.3",
    "helm": "v4.3.1",
    "kubectl": "Client Version: v1.36.3",
}


@pytest.fixture
def assets(tmp_path: Path, env: dict[str, str]) -> Path:
    """A folder with all six programs, which the environment names as `KUBEBUILDER_ASSETS`."""
    folder = tmp_path / "assets"
    folder.mkdir()
    for name, says in SAYS.items():
        (folder / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (folder / name).chmod(0o755)
    env["KUBEBUILDER_ASSETS"] = str(folder)
    return folder


def test_all_programs_of_a_control_plane_are_found(assets: Path, env: dict[str, str]) -> None:
    expected = ControlPlaneTools(
        etcd=assets / "etcd",
        kube_apiserver=assets / "kube-apiserver",
        kube_controller_manager=assets / "kube-controller-manager",
        kube_scheduler=assets / "kube-scheduler",
    )
    assert find_control_plane(env) == expected
    assert install_control_plane(pytest.fail, env) == expected


def test_without_controllers_two_programs_are_enough(assets: Path, env: dict[str, str]) -> None:
    for name in ("kube-controller-manager", "kube-scheduler"):
        (assets / name).unlink()
    expected = ControlPlaneTools(etcd=assets / "etcd", kube_apiserver=assets / "kube-apiserver")
    assert find_control_plane(env, controllers=False) == expected
    with pytest.raises(ToolError, match=r"missing: kube-controller-manager .*, kube-scheduler "):
        find_control_plane(env)


def test_helm_is_found(assets: Path, env: dict[str, str]) -> None:
    assert find_helm(env) == assets / "helm"
    assert install_helm(pytest.fail, env) == assets / "helm"


def test_kubectl_is_found(assets: Path, env: dict[str, str]) -> None:
    assert find_kubectl(env) == assets / "kubectl"
    assert install_kubectl(pytest.fail, env) == assets / "kubectl"


def test_finding_reads_the_environment_of_the_process_by_default(
    assets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))
    assert find_helm() == assets / "helm"


def test_what_is_missing_is_named_with_the_command_that_installs_it(
    assets: Path, env: dict[str, str]
) -> None:
    (assets / "etcd").unlink()
    (assets / "kube-scheduler").write_text("#!/bin/sh\necho Kubernetes v1.30.0\n")
    with pytest.raises(ToolError) as caught:
        find_control_plane(env)
    assert str(caught.value) == (
        "missing: etcd 3.6.16, kube-scheduler 1.36.3\n"
        f"kube-scheduler 1.36.3: passed over {assets}/kube-scheduler: it is 1.30.0, and 1.36 is needed\n"
        "Run: windlass tools install control-plane"
    )


def test_missing_helm_is_named_with_the_command_that_installs_it(env: dict[str, str]) -> None:
    with pytest.raises(ToolError, match=r"missing: helm 4\.3\.1\nRun: windlass tools install helm"):
        find_helm(env)


def test_finding_makes_nothing(env: dict[str, str]) -> None:
    with pytest.raises(ToolError):
        find_control_plane(env)
    assert not Path(env["WINDLASS_CACHE"]).exists()


def test_a_look_up_tells_of_every_program(assets: Path, env: dict[str, str]) -> None:
    (assets / "helm").unlink()
    looked = look_up(pytest.fail, env)
    assert [program.name for program, _ in looked] == list(SAYS)
    assert [found and found.origin for _, found in looked] == [Origin.ASSETS] * 4 + [None, Origin.ASSETS]
