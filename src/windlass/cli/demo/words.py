"""What the demo says of itself."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from windlass.cli.demo.stage import LABELS

if TYPE_CHECKING:
    from windlass.cli.demo.stage import Stage


def introduction(stage: Stage, *, real: bool) -> str:
    """Where everything is, and what to try."""
    at = stage.addresses
    labels = " ".join(f"--label {name}={value}" for name, value in LABELS.items())
    larger = '{"spec":{"replicaCount":3}}'
    broken = '{"spec":{"collector":{"configuration":"YTogW2I="}}}'
    server = "pkill -9 kube-apiserver" if real else f"pkill -9 -f '[w]indlass up --port {at.server}'"
    return f"""\
All operators run on a control plane of their own. Use it with:

    export KUBECONFIG={shlex.quote(str(stage.kubeconfig))}

PagerDuty    http://127.0.0.1:{at.simulator}
metrics      http://127.0.0.1:{at.metrics}/metrics
health       http://127.0.0.1:{at.health}/readyz?verbose
logs         {stage.logs}/*.log

Things to try:

    # three shops instead of one
    kubectl patch minimart minimart-sample --type merge -p '{larger}'

    # edit the service on PagerDuty's page: it is put back within seconds

    # one more node, and capacity for machines moves there: kubectl get ppc -o yaml
    windlass nodes --prefix more {labels}

    # a configuration that is no YAML
    kubectl patch collector okta-main -n globex --type merge -p '{broken}'

    # the API server comes back, and nothing is lost
    {server}

Ctrl-C stops all of it and leaves nothing.
"""
