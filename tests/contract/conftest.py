"""The contract suite runs on any API server; `--control-plane` says which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import Api
from contract_crd import crds_fixture
from contract_reads import neighbour_fixture
from windlass.client import HttpTransport, load_config

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.testing import Access


crds = crds_fixture
neighbour = neighbour_fixture


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    """Plain requests as an administrator."""
    transport = HttpTransport(load_config(control_plane.kubeconfig))
    yield Api(transport)
    await transport.close()


@pytest.fixture
def config_maps(namespace: str) -> str:
    """The path of the ConfigMaps in this test's namespace."""
    return f"/api/v1/namespaces/{namespace}/configmaps"


@pytest.fixture
def deployments(namespace: str) -> str:
    """The path of the Deployments in this test's namespace."""
    return f"/apis/apps/v1/namespaces/{namespace}/deployments"


@pytest.fixture
def pods(namespace: str) -> str:
    """The path of the Pods in this test's namespace."""
    return f"/api/v1/namespaces/{namespace}/pods"
