from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from windlass.aio import ManualClock
from windlass.client import Client, Request, Response, Stream, Transport
from windlass.cluster import Cluster
from windlass.errors import ConnectionFailedError, NotFound
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import Metrics

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager


class Unreachable(Transport):
    """A server that never answers."""

    @override
    async def send(self, request: Request) -> Response:
        raise ConnectionFailedError("refused")

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        raise ConnectionFailedError("refused")

    @override
    async def close(self) -> None: ...


def counted(metrics: Metrics) -> list[str]:
    lines = metrics.expose().body.decode().splitlines()
    return [line.partition("{")[2] for line in lines if line.startswith("rest_client_requests_total{")]


async def test_requests_are_counted_by_code_method_and_host() -> None:
    metrics = Metrics(ManualClock())
    async with Cluster() as cluster:
        client = Client(metrics.counting(cluster.transport(), "kubernetes:443"))
        await client.list(ConfigMap, "default")
        await client.list(ConfigMap, "default")
        with pytest.raises(NotFound):
            await client.get(ConfigMap, "none", "default")

    assert counted(metrics) == [
        'code="200",host="kubernetes:443",method="GET"} 2.0',
        'code="404",host="kubernetes:443",method="GET"} 1.0',
    ]


async def test_a_watch_is_counted_when_it_opens() -> None:
    metrics = Metrics(ManualClock())
    async with Cluster() as cluster:
        transport = metrics.counting(cluster.transport(), "kubernetes:443")
        request = Request(method="GET", path="/api/v1/configmaps", query=(("watch", "true"),))
        async with transport.stream(request):
            during = counted(metrics)

    assert during == ['code="200",host="kubernetes:443",method="GET"} 1.0'] == counted(metrics)


async def test_a_request_without_an_answer_is_counted_as_client_go_counts_it() -> None:
    metrics = Metrics(ManualClock())
    transport = metrics.counting(Unreachable(), "kubernetes:443")
    with pytest.raises(ConnectionFailedError):
        await transport.send(Request(method="POST", path="/api/v1/pods"))
    with pytest.raises(ConnectionFailedError):
        async with transport.stream(Request(method="GET", path="/api/v1/pods")):
            pass

    assert counted(metrics) == [
        'code="<error>",host="kubernetes:443",method="POST"} 1.0',
        'code="<error>",host="kubernetes:443",method="GET"} 1.0',
    ]


async def test_a_watch_that_breaks_off_is_still_one_request() -> None:
    metrics = Metrics(ManualClock())
    async with Cluster() as cluster:
        transport = metrics.counting(cluster.transport(), "kubernetes:443")
        with pytest.raises(ConnectionFailedError):
            async with transport.stream(Request(method="GET", path="/api/v1/configmaps")):
                raise ConnectionFailedError("cut")

    assert counted(metrics) == ['code="200",host="kubernetes:443",method="GET"} 1.0']
