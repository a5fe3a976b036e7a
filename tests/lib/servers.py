"""The embedded control plane over HTTPS, and the real one beside it, for tests that run foreign clients on both."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from windlass.cluster import ClusterOptions
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.testing.https import request
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.testing import Access


@dataclass(frozen=True)
class Server:
    """A server, and a namespace of it that is a test's alone."""

    access: Access
    namespace: str


@pytest.fixture(scope="session")
def embedded_fixture() -> Iterator[Access]:
    """The embedded control plane of this test process, over HTTPS.

    It recounts no quotas: nobody does on a real server without controllers.
    """
    running = EmbeddedControlPlane(ClusterOptions(upkeep=False))
    yield running.access
    running.stop()


@pytest.fixture(params=["embedded", "control_plane"])
def server_fixture(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The embedded server, and then the real one, which says that the test is right."""
    access: Access = request.getfixturevalue(request.param)
    namespace = create_namespace(access)
    yield Server(access, namespace)
    delete_namespace(access, namespace)


@contextmanager
def shared_namespace(embedded: Access, real: Access) -> Iterator[str]:
    """The name of a namespace that both servers have, for the length of the block."""
    name = create_namespace(real)
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    request(embedded, "POST", f"{embedded.server}/api/v1/namespaces", body)
    yield name
    for access in (real, embedded):
        delete_namespace(access, name)
