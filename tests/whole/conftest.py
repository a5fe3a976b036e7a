"""The suite of what a whole cluster does: with our controllers on our server, with the real ones on the real one.

Tests share the cluster: each works in a `namespace` of its own, and on nodes of its own where it harms them.
"""

from __future__ import annotations

import pytest

from limits import by_test
from whole_cluster import client, control_plane  # noqa: F401 - fixtures

_ON_NODES = {
    "test_daemon_set.py",
    "test_deployed_operator.py",
    "test_deployed_webhook.py",
    "test_node_lifecycle.py",
    "test_nodes.py",
    "test_pods.py",
    "test_processes.py",
    "test_scheduler.py",
    "test_scheduler_preemption.py",
    "test_scheduler_volumes.py",
    "test_set_rollout.py",
    "test_simulated_streams.py",
    "test_volumes.py",
}
"""Their pods lie on nodes, or their nodes take pods: of anybody, so on one cluster they run one after another."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On the embedded cluster, what shows a limit must fail: once it passes, the limit is gone."""
    if config.getoption("--control-plane") == "real":
        for item in items:
            if item.path.name in _ON_NODES:
                item.add_marker(pytest.mark.xdist_group("nodes"))
        return
    limited = by_test()
    for item in items:
        name = item.nodeid.rpartition("tests/")[2]
        if name in limited:
            item.add_marker(pytest.mark.xfail(reason=limited[name], strict=True))
