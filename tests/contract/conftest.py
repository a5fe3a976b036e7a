"""The contract suite runs on any API server; `--control-plane` says which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import Api
from contract_crd import crds_fixture
from contract_reads import neighbour_fixture
from contract_target import AS_BARE, in_process, make_namespace, transport_to
from hooking import hooked_fixture
from kubelet_site import embedded_site, real_site
from limits import by_test
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from kubelet_site import Site
    from windlass.testing import Access


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On the embedded server, what shows a limit must fail: once it passes, the limit is gone."""
    if config.getoption("--control-plane") == "real":
        return
    limited = by_test()
    for item in items:
        name = item.nodeid.rpartition("tests/contract/")[2]
        if name in limited:
            item.add_marker(pytest.mark.xfail(reason=limited[name], strict=True))


crds = crds_fixture
hooked = hooked_fixture
neighbour = neighbour_fixture


@pytest.fixture(scope="session")
def control_plane(request: pytest.FixtureRequest) -> Iterator[Access]:
    """The server of this run: the one that `--control-plane` names, or one in this process."""
    match request.config.getoption("--control-plane"):
        case "real":
            yield request.getfixturevalue("shared_control_plane")
        case "embedded":
            served = EmbeddedControlPlane(AS_BARE)
            yield served.access
            served.stop()
        case _:
            with in_process() as access:
                yield access


@pytest.fixture
def namespace(control_plane: Access) -> Iterator[str]:
    """The name of a namespace that is this test's alone."""
    name = make_namespace(control_plane)
    if name:
        yield name
        return
    name = create_namespace(control_plane)
    yield name
    delete_namespace(control_plane, name)


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    """Plain requests as an administrator."""
    transport = transport_to(control_plane)
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


@pytest.fixture
async def site(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Site]:
    """A pod on a node with a kubelet, on the server of this run or one like it."""
    match request.config.getoption("--control-plane"):
        case "real":
            opened = real_site(request.getfixturevalue("control_plane"), tmp_path)
        case mode:
            opened = embedded_site(tmp_path, port=mode == "embedded")
    async with opened as made:
        yield made
