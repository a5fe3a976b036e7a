from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from windlass.client.certificate import check_authority
from windlass.client.config import ClusterConfig
from windlass.client.credentials import TokenFile, read_file
from windlass.client.proxy import proxy_from_environment
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_HOST, _PORT = "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT"
_ROOT = "WINDLASS_POD_ROOT"
_WHERE = "in-cluster configuration"


def is_in_cluster(environment: Mapping[str, str]) -> bool:
    """Whether the environment is that of a pod."""
    return bool(environment.get(_HOST) and environment.get(_PORT))


def service_account_of(environment: Mapping[str, str]) -> Path:
    """The folder of a pod's service account; that of a process in the place of a pod lies below its root."""
    return Path(environment.get(_ROOT) or "/") / SERVICE_ACCOUNT.relative_to("/")


def pod_namespace(environment: Mapping[str, str]) -> str:
    """The namespace of the pod whose environment this is; empty outside a pod."""
    if not is_in_cluster(environment):
        return ""
    return _namespace(environment, service_account_of(environment))


def in_cluster_config(environment: Mapping[str, str], folder: Path | None = None) -> ClusterConfig:
    """The configuration that Kubernetes gives each pod: its service account.

    Raises:
        ConfigError: this is no pod, or its service account is not mounted.
    """
    if not is_in_cluster(environment):
        raise ConfigError(
            f"{_WHERE}: {_HOST} and {_PORT} are not set, so this is not a pod; use a kubeconfig instead"
        )
    folder = folder or service_account_of(environment)
    if not folder.is_dir():
        raise ConfigError(
            f"{_WHERE}: there is no service account in {folder}; "
            "remove automountServiceAccountToken: false from the pod and its service account"
        )
    host = environment[_HOST]
    server = f"https://{f'[{host}]' if ':' in host else host}:{environment[_PORT]}"
    authority = folder / "ca.crt"
    check_authority(read_file(authority, _WHERE, "ca.crt"), f"{_WHERE}: {authority}")
    token = TokenFile(path=folder / "token", where=_WHERE)
    token.read()
    return ClusterConfig(
        server=server,
        ca=authority,
        credentials=token,
        proxy=proxy_from_environment(server, environment),
        namespace=_namespace(environment, folder),
        origin="the pod's service account",
    )


def _namespace(environment: Mapping[str, str], folder: Path) -> str:
    try:
        written = (folder / "namespace").read_text().strip()
    except FileNotFoundError:
        written = ""
    return environment.get("POD_NAMESPACE") or written or "default"
