"""What the demo says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.cli.demo.stage import Stage


def introduction(stage: Stage, *, real: bool) -> str:
    """Where everything is, and what to try."""
    at = stage.addresses
    broken = '{"spec":{"collector":{"configuration":"YTogW2I="}}}'
    server = "pkill -9 kube-apiserver" if real else f"pkill -9 -f 'windlass up --port {at.server}'"
    larger = '{"spec":{"replicaCount":3}}'
    return f"""\
All operators run on a control plane of their own. Use it with:

    export KUBECONFIG={stage.kubeconfig}

PagerDuty    http://127.0.0.1:{at.simulator}/        the simulated account
metrics      http://127.0.0.1:{at.metrics}/metrics
health       http://127.0.0.1:{at.health}/readyz?verbose

To try:
 1  kubectl patch minimart minimart-sample --type merge -p '{larger}'
 2  edit a service on PagerDuty's page, and see it put back
 3  windlass nodes --prefix more --kubeconfig {stage.kubeconfig}
 4  kubectl patch collector okta-main --type merge -p '{broken}'
 5  {server}   # the API server comes back, and nothing is lost

Ctrl-C stops all of it and leaves nothing.
"""
