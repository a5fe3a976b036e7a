from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from windlass.client.config import ClusterConfig
from windlass.client.in_cluster import in_cluster_config, is_in_cluster
from windlass.client.kubeconfig import Kubeconfig, read_kubeconfig
from windlass.client.kubeconfig_cluster import authority_of, proxy_of, server_name_of, server_of
from windlass.client.kubeconfig_user import credentials_of, impersonation_of
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping


def load_config(
    path: str | os.PathLike[str] | None = None,
    *,
    context: str | None = None,
    environment: Mapping[str, str] | None = None,
    home: Path | None = None,
    service_account: Path | None = None,
) -> ClusterConfig:
    """Find out which cluster is meant, as kubectl does.

    The first of these that exists: `path`; the files in `KUBECONFIG`, merged; `~/.kube/config`; the
    service account of the pod that this runs in. `context` chooses another context than the current one.
    `environment` is this process's own unless it is given; `home` is what its `HOME` says. Where no home is
    known, as in many pods, there is no file in it either. `service_account` is the folder that Kubernetes
    mounts into each pod, unless it is given.

    Raises:
        ConfigError: nothing was found, or what was found cannot be used; the message says where and why.
    """
    given = os.environ if environment is None else environment
    if path is not None:
        return _from_kubeconfig(read_kubeconfig([Path(path)]), context, environment)
    candidates = _candidates(given, home or _home(given))
    kubeconfig = read_kubeconfig(candidates, skip_missing=True)
    if kubeconfig:
        return _from_kubeconfig(kubeconfig, context, environment)
    if context is None and is_in_cluster(given):
        return in_cluster_config(given, service_account)
    tried = ", ".join(map(str, candidates)) or "KUBECONFIG, no home folder is known"
    raise ConfigError(
        f"no cluster is configured: there is nothing in {tried}, and this is not a pod; "
        "set KUBECONFIG to a kubeconfig, or pass its path"
        if context is None
        else f'context "{context}" cannot be used: there is no kubeconfig in {tried}; '
        "set KUBECONFIG to the file that holds it, or pass its path"
    )


def _home(environment: Mapping[str, str]) -> Path | None:
    named = environment.get("HOME") or environment.get("USERPROFILE")  # the latter on Windows
    return Path(named) if named else None


def _candidates(environment: Mapping[str, str], home: Path | None) -> list[Path]:
    listed = environment.get("KUBECONFIG", "")
    if not listed:
        return [home / ".kube" / "config"] if home else []
    # The same file twice would be merged with itself, to no effect; an empty item names nothing.
    return [Path(item) for item in dict.fromkeys(listed.split(os.pathsep)) if item]


def _from_kubeconfig(
    kubeconfig: Kubeconfig, name: str | None, environment: Mapping[str, str] | None
) -> ClusterConfig:
    context = kubeconfig.context(name)
    cluster, user = kubeconfig.cluster(context), kubeconfig.user(context)
    return ClusterConfig(
        server=server_of(cluster),
        ca=authority_of(cluster),
        verify=not cluster.flag("insecure-skip-tls-verify"),
        tls_server_name=server_name_of(cluster),
        proxy=proxy_of(cluster, os.environ if environment is None else environment),
        namespace=context.text("namespace") or "default",
        credentials=credentials_of(user, cluster, environment),
        impersonate=impersonation_of(user),
        compression=not cluster.flag("disable-compression"),
        origin=f'context "{context.name}" of {context.file}',
    )
