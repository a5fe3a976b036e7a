"""A server in this process for each test."""

from __future__ import annotations

import pytest

from contract import Api
from windlass.cluster import Cluster, InProcessTransport


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def api(cluster: Cluster) -> Api:
    """Plain requests as an administrator."""
    headers = {"authorization": f"Bearer {cluster.access.token()}"}
    return Api(InProcessTransport(cluster.server, headers))
