from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster.node.outfit import ApiAddress


def kubeconfig(server: ApiAddress, token: Path, namespace: str) -> str:
    """A kubeconfig with which a program is the service account of its pod; JSON is YAML too."""
    name = "pod"
    cluster = {
        "server": server.url,
        "certificate-authority-data": base64.b64encode(server.authority.encode()).decode(),
    }
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": name, "cluster": cluster}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name, "namespace": namespace}}],
        "users": [{"name": name, "user": {"tokenFile": str(token)}}],
    }
    return json.dumps(config, indent=2)
