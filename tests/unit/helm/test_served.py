"""What a cluster serves, as charts and manifests ask for it."""

from __future__ import annotations

import asyncio

import pytest

from discovering import NODES, PODS, Discovery, app, group, version
from windlass.client import Client
from windlass.errors import ConnectionFailedError, NotFound
from windlass.helm.served import Served


async def test_charts_are_told_versions_and_kinds() -> None:
    server = Discovery(groups=[group("demo.example.com", version("v2", app("App")), version("v1"))])

    found = await Served(Client(server)).capabilities()

    assert found.kube_version == "v1.36.3"
    assert found.api_versions == {"v1", "v1/Pod", "v1/Node", "demo.example.com/v2", "demo.example.com/v2/App"}


async def test_a_kind_has_its_scope_and_its_subresources() -> None:
    # A group of its own: there is one class for a kind in a process, with the subresources that it had first.
    server = Discovery(groups=[group("scope.example.com", version("v1", PODS, NODES))])
    served = Served(Client(server))

    pod, node = [await served.kind("scope.example.com/v1", each) for each in ("Pod", "Node")]

    assert pod.__kind__.namespaced
    assert {"log", "status"} <= set(pod.__kind__.subresources)  # another server of this process may have more
    assert (node.__kind__.plural, node.__kind__.namespaced) == ("nodes", False)


async def test_many_callers_share_one_look_and_later_ones_need_none() -> None:
    server = Discovery()
    served = Served(Client(server))

    await asyncio.gather(*(served.capabilities() for _ in range(5)), served.kind("v1", "Pod"))
    await served.capabilities()

    assert server.looks == 1


async def test_a_kind_that_is_not_known_is_looked_for_once_more_by_all_who_ask() -> None:
    server = Discovery()
    served = Served(Client(server))
    await served.capabilities()
    server.groups = [group("demo.example.com", version("v1", app("App")))]

    found = await asyncio.gather(*(served.kind("demo.example.com/v1", "App") for _ in range(5)))

    assert {each.__kind__.plural for each in found} == {"apps"}
    assert server.looks == 2


async def test_a_kind_that_nobody_serves_is_not_found() -> None:
    server = Discovery()

    with pytest.raises(NotFound, match=r"no App of demo\.example\.com/v1; is its definition"):
        await Served(Client(server)).kind("demo.example.com/v1", "App")

    assert server.looks == 2


async def test_what_is_outdated_is_looked_at_again() -> None:
    server = Discovery()
    served = Served(Client(server))
    before = await served.capabilities()
    server.groups = [group("demo.example.com", version("v1", app("App")))]
    assert await served.capabilities() == before

    served.outdate()

    assert "demo.example.com/v1/App" in (await served.capabilities()).api_versions


async def test_what_is_outdated_while_it_is_looked_at_is_looked_at_again() -> None:
    server = Discovery()
    served = Served(Client(server))
    server.during.append(served.outdate)

    await served.capabilities()
    await served.capabilities()

    assert server.looks == 2


async def test_an_extension_server_that_is_down_leaves_its_kinds_as_they_were() -> None:
    server = Discovery(groups=[group("metrics.k8s.io", version("v1beta1", app("Metric")))])
    served = Served(Client(server))
    before = await served.capabilities()

    server.groups = [group("metrics.k8s.io", version("v1beta1", fresh=False))]
    served.outdate()
    assert await served.capabilities() == before
    assert (await served.kind("metrics.k8s.io/v1beta1", "Metric")).__kind__.plural == "metrics"

    server.groups = []
    served.outdate()
    assert "metrics.k8s.io/v1beta1" not in (await served.capabilities()).api_versions


async def test_a_look_that_failed_is_tried_again_by_the_next_caller() -> None:
    server = Discovery(failures=1)
    served = Served(Client(server))
    with pytest.raises(ConnectionFailedError):
        await served.capabilities()

    assert (await served.capabilities()).kube_version == "v1.36.3"
