"""The operator of tests/oracle/operator, which is written with controller-runtime, and what one asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oracle import SOURCE, build
from polling import until
from program import running
from real import administrator, settled
from site_kind import Site, SiteSpec
from windlass.api import ObjectMeta
from windlass.errors import NotFound
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from program import Program
    from servers import Server
    from windlass.client import Client

PATIENCE = 40


@pytest.fixture(scope="module")
def program_fixture(request: pytest.FixtureRequest) -> Path:
    """The operator, built."""
    return build(request.config.cache.mkdir("operator"), SOURCE / "operator")


@pytest.fixture
async def client_fixture(server: Server) -> AsyncIterator[Client]:
    """A client of ours, once the kind of the operator is served."""
    async with settled(), administrator(server.access, server.namespace) as client:
        await install_kinds(client, [Site])
        yield client


def operator(program: Path, server: Server, *options: str) -> AbstractAsyncContextManager[Program]:
    """The operator, running."""
    reach = (f"--kubeconfig={server.access.kubeconfig}", f"--namespace={server.namespace}")
    return running(str(program), *reach, *options)


def site(name: str, **spec: Any) -> Site:
    """A Site to create."""
    return Site(metadata=ObjectMeta(name=name), spec=SiteSpec(image="nginx:1", **spec))


async def becomes(client: Client, kind: Any, name: str, accept: Callable[[Any], bool]) -> Any:
    """An object, once it is as wanted."""

    async def found() -> Any:
        try:
            return await client.get(kind, name)
        except NotFound:
            return None

    return await until(found, lambda obj: obj is not None and accept(obj), patience=PATIENCE)


def reason(obj: Site) -> str:
    """Why a Site is ready, or is not."""
    return next((each.reason or "" for each in obj.status.conditions if each.type == "Ready"), "")
