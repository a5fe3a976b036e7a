"""Places at which the helm program deploys: a server in this process, and the control plane of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from helm_contract import Site
from windlass.client import Client, connect, load_config
from windlass.errors import ToolError
from windlass.helm import HelmProgram
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.testing import Access


@pytest.fixture(params=["in-process", "control-plane"])
async def site_fixture(request: pytest.FixtureRequest) -> AsyncIterator[Site]:
    """A site, unless there is no helm."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    if request.param == "in-process":
        cluster = request.getfixturevalue("api_server")
        yield Site(HelmProgram, Client(cluster.transport()), "default")
        return
    access: Access = request.getfixturevalue("control_plane")
    namespace: str = request.getfixturevalue("namespace")
    async with connect(load_config(access.kubeconfig)) as client:
        yield Site(HelmProgram, client, namespace)
