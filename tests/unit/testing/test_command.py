from __future__ import annotations

from pathlib import Path

import pytest

from windlass.testing import ControlPlaneOptions, command
from windlass.tools import ControlPlaneTools

BIN = Path("/opt/kube/bin")
TOOLS = ControlPlaneTools(
    etcd=BIN / "etcd",
    kube_apiserver=BIN / "kube-apiserver",
    kube_controller_manager=BIN / "kube-controller-manager",
    kube_scheduler=BIN / "kube-scheduler",
)
PLAIN = ControlPlaneOptions()
WITH_CONTROLLERS = ControlPlaneOptions(controllers=True)


def kubernetes_commands(options: ControlPlaneOptions) -> dict[str, list[str]]:
    return {
        "apiserver": command.apiserver(TOOLS, options, 1001),
        "controller_manager": command.controller_manager(TOOLS, options, 1002),
        "scheduler": command.scheduler(TOOLS, options, 1003),
    }


def test_each_command_starts_the_program_of_the_tools() -> None:
    programs = [line[0] for line in kubernetes_commands(PLAIN).values()]

    assert command.etcd(TOOLS)[0] == "/opt/kube/bin/etcd"
    assert programs == [
        str(BIN / name) for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
    ]


def test_etcd_listens_on_sockets_in_its_folder_only() -> None:
    urls = [flag.rpartition("=")[2] for flag in command.etcd(TOOLS) if "-urls=" in flag]

    assert len(urls) == 4
    assert all(url.startswith("unix://") and "/" not in url.removeprefix("unix://") for url in urls)


def test_the_apiserver_talks_to_that_etcd() -> None:
    (clients,) = (flag for flag in command.etcd(TOOLS) if flag.startswith("--listen-client-urls="))
    address = clients.partition("=")[2]

    assert f"--etcd-servers={address}" in command.apiserver(TOOLS, PLAIN, 1)


@pytest.mark.parametrize(
    ("name", "port"), [("apiserver", 1001), ("controller_manager", 1002), ("scheduler", 1003)]
)
def test_every_kubernetes_program_listens_on_loopback_and_shares_the_port_that_is_held(
    name: str, port: int
) -> None:
    line = kubernetes_commands(PLAIN)[name]

    assert {"--bind-address=127.0.0.1", f"--secure-port={port}", "--permit-port-sharing=true"} <= set(line)


def test_without_controllers_a_pod_needs_no_service_account_unless_that_is_wanted() -> None:
    disabled = "--disable-admission-plugins=ServiceAccount"

    assert disabled in command.apiserver(TOOLS, PLAIN, 1)
    assert disabled not in command.apiserver(TOOLS, WITH_CONTROLLERS, 1)
    assert disabled not in command.apiserver(TOOLS, ControlPlaneOptions(service_accounts=True), 1)


def test_the_apiserver_reaches_pods_by_a_gateway_where_one_runs() -> None:
    flag = "--egress-selector-config-file=egress.yaml"

    assert flag not in command.apiserver(TOOLS, PLAIN, 1)
    assert flag in command.apiserver(TOOLS, WITH_CONTROLLERS, 1)
    assert flag in command.apiserver(TOOLS, ControlPlaneOptions(nodes=1), 1)


@pytest.mark.parametrize("name", ["apiserver", "controller_manager", "scheduler"])
def test_feature_gates_reach_every_kubernetes_program(name: str) -> None:
    options = ControlPlaneOptions(feature_gates={"WatchList": False, "MutatingAdmissionPolicy": True})

    assert (
        "--feature-gates=WatchList=false,MutatingAdmissionPolicy=true" in kubernetes_commands(options)[name]
    )


def test_own_flags_come_last_so_that_they_win() -> None:
    options = ControlPlaneOptions(apiserver_flags=("--authorization-mode=AlwaysAllow", "--event-ttl=5m"))

    assert command.apiserver(TOOLS, options, 1)[-2:] == ["--authorization-mode=AlwaysAllow", "--event-ttl=5m"]
