"""A server in this process for each test."""

from __future__ import annotations

import pytest

from contract import Api
from windlass.cluster import Cluster


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def api(cluster: Cluster) -> Api:
    """Plain requests as an administrator."""
    return Api(cluster.transport())


@pytest.fixture
def config_maps() -> str:
    """The path of the ConfigMaps in the default namespace."""
    return "/api/v1/namespaces/default/configmaps"
