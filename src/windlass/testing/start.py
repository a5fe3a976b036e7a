from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.cluster import Access
from windlass.testing import command
from windlass.testing.port import hold_port
from windlass.testing.readiness import await_answers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.testing.options import ControlPlaneOptions
    from windlass.testing.processes import Processes

_READY = ("/readyz", "/api/v1/namespaces/default", "/api/v1/namespaces/default/services/kubernetes")
_LONG = timedelta(days=365)
_ACCOUNT = "/api/v1/namespaces/default/serviceaccounts/default"


def start(options: ControlPlaneOptions, processes: Processes) -> Access:
    """Start the programs of a control plane, each as early as it can be of use, and wait until all are ready.

    Raises:
        ToolError: a program is missing, ended, or did not get ready in time.
    """
    from windlass.tools import find_control_plane

    deadline = time.monotonic() + options.start_timeout.total_seconds()
    tools = options.tools or find_control_plane(controllers=options.controllers)
    processes.start("etcd", command.etcd(tools))
    with ExitStack() as held:
        ports = command.Ports(*(held.enter_context(hold_port()).getsockname()[1] for _ in range(3)))
        access = _prepare(options, processes.folder, ports)  # takes as long as etcd needs to come up
        processes.start("kube-apiserver", command.apiserver(tools, options, ports.apiserver))
        await_apiserver(access, processes, deadline)
        if options.controllers:
            manager = command.controller_manager(tools, options, ports.controller_manager)
            processes.start("kube-controller-manager", manager)
            processes.start("kube-scheduler", command.scheduler(tools, options, ports.scheduler))
        if options.simulates:
            processes.start("nodes", command.nodes(options.simulated, storage=options.controllers))
        if options.controllers:
            await_answers(_controllers_ready(access, ports), access, processes, deadline)
        joined = [f"{access.server}/api/v1/nodes/{each}" for each in options.simulated.all_names]
        await_answers(joined, access, processes, deadline)
    return access


def await_apiserver(access: Access, processes: Processes, deadline: float) -> None:
    """Return when kube-apiserver serves, and its first objects exist.

    Raises:
        ToolError: a program ended meanwhile, or `deadline` (on the monotonic clock) passed.
    """
    await_answers([access.server + path for path in _READY], access, processes, deadline)


def _controllers_ready(access: Access, ports: command.Ports) -> list[str]:
    from windlass.cluster.controller.volume import STORAGE_CLASS

    return [
        f"https://{command.HOST}:{ports.controller_manager}/healthz",
        f"https://{command.HOST}:{ports.scheduler}/readyz",
        access.server + _ACCOUNT,
        f"{access.server}/apis/storage.k8s.io/v1/storageclasses/{STORAGE_CLASS}",
    ]


def _prepare(options: ControlPlaneOptions, folder: Path, ports: command.Ports) -> Access:
    """Write the files that the programs read: keys, certificates, tokens, kubeconfig."""
    import secrets

    from windlass.pki import authority, client_certificate, serving_certificate, signing_key

    ca = authority("windlass")
    serving = serving_certificate(ca, [command.HOST, "localhost"])
    to_kubelets = client_certificate(ca, "kube-apiserver-kubelet-client", ["system:masters"], _LONG)
    accounts = signing_key()
    tokens = {user: secrets.token_urlsafe(24) for user in options.everyone}
    access = Access(
        server=f"https://{command.HOST}:{ports.apiserver}",
        tokens=tokens,
        authority=ca,
        folder=folder,
        controllers=options.controllers,
    )
    contents = {
        command.CA_CERTIFICATE: ca.certificate,
        command.CA_KEY: ca.key,
        command.SERVING_CERTIFICATE: serving.certificate,
        command.SERVING_KEY: serving.key,
        command.KUBELET_CLIENT_CERTIFICATE: to_kubelets.certificate,
        command.KUBELET_CLIENT_KEY: to_kubelets.key,
        command.ACCOUNT_PUBLIC_KEY: accounts.certificate,
        command.ACCOUNT_KEY: accounts.key,
        command.EGRESS: command.EGRESS_SELECTOR,
        command.TOKENS: token_file(tokens, options.everyone),
        access.kubeconfig.name: access.kubeconfig_for(),
    }
    for name, text in contents.items():
        (folder / name).touch(mode=0o600)  # the folder is closed to others, but helm looks at the kubeconfig
        (folder / name).write_text(text, encoding="utf-8")
    return access


def token_file(tokens: Mapping[str, str], groups: Mapping[str, tuple[str, ...]]) -> str:
    """The users as kube-apiserver reads them: a line each of token, name, uid, and groups if any."""

    def line(user: str, token: str) -> str:
        fields = [token, user, user]
        if groups[user]:  # an empty field would be a group with an empty name
            fields.append(f'"{",".join(groups[user])}"')
        return ",".join(fields) + "\n"

    return "".join(line(user, token) for user, token in tokens.items())
