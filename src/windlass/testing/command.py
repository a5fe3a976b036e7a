"""The command lines of the programs: options in, arguments out.

Every program runs in the control plane's folder, so file names are relative. That also keeps the path of
etcd's socket below the hundred characters that a Unix socket allows, wherever the folder may be.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster import KUBECONFIG

if TYPE_CHECKING:
    from windlass.cluster.node import NodeOptions, Program
    from windlass.testing.options import ControlPlaneOptions
    from windlass.tools import ControlPlaneTools

HOST = "127.0.0.1"
CA_CERTIFICATE, CA_KEY = "ca.crt", "ca.key"
SERVING_CERTIFICATE, SERVING_KEY = "serving.crt", "serving.key"
KUBELET_CLIENT_CERTIFICATE, KUBELET_CLIENT_KEY = "kubelet-client.crt", "kubelet-client.key"
ACCOUNT_PUBLIC_KEY, ACCOUNT_KEY = "service-account.pub", "service-account.key"
TOKENS = "tokens.csv"
EGRESS, GATEWAY = "egress.yaml", "gateway.sock"
EGRESS_SELECTOR = f"""\
apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport:
      uds:
        udsName: {GATEWAY}
"""
"""No network leads kube-apiserver to pods and Services; what simulates the nodes connects it to them."""

# etcd has neither passwords nor certificates here, so it listens where the folder's permissions protect it.
ETCD_SOCKET = "etcd-clients:0"
_ETCD_CLIENTS = f"unix://{ETCD_SOCKET}"
_ETCD_PEERS = "unix://etcd-peers:0"


class Ports(NamedTuple):
    """The port of each program that listens on one."""

    apiserver: int
    controller_manager: int
    scheduler: int


def etcd(tools: ControlPlaneTools) -> list[str]:
    """etcd, alone in its cluster, and in no hurry to write to the disk."""
    return [
        str(tools.etcd),
        "--name=etcd",
        "--data-dir=etcd",
        "--unsafe-no-fsync",
        f"--listen-client-urls={_ETCD_CLIENTS}",
        f"--advertise-client-urls={_ETCD_CLIENTS}",
        f"--listen-peer-urls={_ETCD_PEERS}",
        f"--initial-advertise-peer-urls={_ETCD_PEERS}",
        f"--initial-cluster=etcd={_ETCD_PEERS}",
    ]


def apiserver(tools: ControlPlaneTools, options: ControlPlaneOptions, port: int) -> list[str]:
    """kube-apiserver, as clusters run it: TLS, tokens and client certificates, RBAC."""
    with_accounts = options.controllers or options.service_accounts
    return [
        str(tools.kube_apiserver),
        f"--etcd-servers={_ETCD_CLIENTS}",
        *_serving(port),
        f"--advertise-address={HOST}",
        "--endpoint-reconciler-type=none",  # no pod looks for the server, and Endpoints refuse loopback
        f"--client-ca-file={CA_CERTIFICATE}",
        f"--token-auth-file={TOKENS}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={ACCOUNT_PUBLIC_KEY}",
        f"--service-account-signing-key-file={ACCOUNT_KEY}",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--allow-privileged=true",
        f"--kubelet-certificate-authority={CA_CERTIFICATE}",
        f"--kubelet-client-certificate={KUBELET_CLIENT_CERTIFICATE}",
        f"--kubelet-client-key={KUBELET_CLIENT_KEY}",
        "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",  # nodes have no names in DNS
        # Nobody makes the ServiceAccount that this plugin demands of a pod, unless controllers do.
        *([] if with_accounts else ["--disable-admission-plugins=ServiceAccount"]),
        *([f"--egress-selector-config-file={EGRESS}"] if options.simulates else []),
        *_feature_gates(options),
        *options.apiserver_flags,
    ]


def controller_manager(tools: ControlPlaneTools, options: ControlPlaneOptions, port: int) -> list[str]:
    """kube-controller-manager with every controller that is on by default."""
    return [
        str(tools.kube_controller_manager),
        *_serving(port),
        *_client(),
        f"--root-ca-file={CA_CERTIFICATE}",
        f"--service-account-private-key-file={ACCOUNT_KEY}",
        f"--cluster-signing-cert-file={CA_CERTIFICATE}",
        f"--cluster-signing-key-file={CA_KEY}",
        "--use-service-account-credentials=true",
        *_feature_gates(options),
    ]


def scheduler(tools: ControlPlaneTools, options: ControlPlaneOptions, port: int) -> list[str]:
    """kube-scheduler."""
    return [str(tools.kube_scheduler), *_serving(port), *_client(), *_feature_gates(options)]


def nodes(options: NodeOptions, *, storage: bool = False) -> list[str]:
    """Simulated nodes, in a process of their own, with the way to their pods, and perhaps storage."""
    import shlex
    import sys

    from windlass.api import format_duration

    return [
        sys.executable,
        "-c",
        "from windlass.cli import main; main()",
        "nodes",
        f"--kubeconfig={KUBECONFIG}",
        f"--count={len(options.all_names)}",
        f"--prefix={options.prefix}",
        f"--heartbeat={format_duration(options.heartbeat or timedelta())}",
        f"--moment={format_duration(options.moment)}",
        f"--backoff={format_duration(options.backoff)}",
        f"--kubelet-certificate={SERVING_CERTIFICATE}",
        f"--kubelet-key={SERVING_KEY}",
        f"--kubelet-client-ca={CA_CERTIFICATE}",
        f"--gateway={GATEWAY}",
        *(["--storage"] if storage else []),
        *(f"--capacity={name}={amount}" for name, amount in options.capacity.items()),
        *(f"--label={name}={value}" for name, value in options.labels.items()),
        *(f"--taint={each}" for each in options.taints),
        *(f"--zone={each}" for each in options.zones),
        *([f"--project={options.project}"] if options.project else ()),
        *(f"--image={pattern}={shlex.join(each.command)}" for pattern, each in _programs(options).items()),
    ]


def _programs(options: NodeOptions) -> dict[str, Program]:
    from windlass.cluster.node import Program

    return {pattern: each for pattern, each in options.images.items() if isinstance(each, Program)}


def _serving(port: int) -> list[str]:
    return [
        f"--bind-address={HOST}",
        f"--secure-port={port}",
        "--permit-port-sharing=true",  # the port is held by whoever chose it, see windlass.testing.port
        f"--tls-cert-file={SERVING_CERTIFICATE}",
        f"--tls-private-key-file={SERVING_KEY}",
    ]


def _client() -> list[str]:
    return [
        f"--kubeconfig={KUBECONFIG}",
        "--leader-elect=false",
        "--kube-api-qps=1000",  # the default, 20 a second, is for clusters where others need the server too
        "--kube-api-burst=1000",
    ]


def _feature_gates(options: ControlPlaneOptions) -> list[str]:
    if not options.feature_gates:
        return []
    gates = ",".join(f"{name}={str(on).lower()}" for name, on in options.feature_gates.items())
    return [f"--feature-gates={gates}"]
