"""Quotas that are kept up to date, seen from outside: by requests to a server."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from contract import Api, Object, config_map, pod
from contract_crd import CRDS, definition
from contract_objects import service
from contract_quota import container
from windlass.apiserver import World
from windlass.apiserver.store import Store
from windlass.cluster import Cluster, ClusterOptions

SPACE = "/api/v1/namespaces/default"
QUOTAS = f"{SPACE}/resourcequotas"
MAPS = "count/configmaps"


@pytest.fixture
def api() -> Api:
    return Api(Cluster().transport())


async def limit(api: Api, name: str = "most", **hard: str) -> Object:
    named = {key.replace("__", "/").replace("_", "."): value for key, value in hard.items()}
    return (await api.create(QUOTAS, {"metadata": {"name": name}, "spec": {"hard": named}})).ok()


async def used(api: Api, name: str = "most") -> Any:
    return (await api.get(f"{QUOTAS}/{name}")).ok()["status"].get("used")


async def test_a_new_quota_counts_what_is_there(api: Api) -> None:
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()

    created = await limit(api, count__configmaps="2", requests_cpu="1")

    assert created["status"] == {}
    status = (await api.get(f"{QUOTAS}/most")).ok()["status"]
    assert status == {
        "hard": {MAPS: "2", "requests.cpu": "1"},
        "used": {MAPS: "1", "requests.cpu": "0"},
    }


async def test_other_limits_hold_at_once(api: Api) -> None:
    await limit(api, count__configmaps="0")
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).refused(403, "Forbidden")

    (await api.patch(f"{QUOTAS}/most", {"spec": {"hard": {MAPS: "1"}}})).ok()

    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()


async def test_what_is_deleted_makes_room(api: Api) -> None:
    await limit(api, count__configmaps="1")
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()

    (await api.delete(f"{SPACE}/configmaps/a")).ok()

    assert await used(api) == {MAPS: "0"}
    (await api.create(f"{SPACE}/configmaps", config_map("b"))).ok()


async def test_what_waits_for_a_finalizer_takes_room_until_it_is_gone(api: Api) -> None:
    await limit(api, count__configmaps="1")
    held = config_map("a", finalizers=["example.com/held"])
    (await api.create(f"{SPACE}/configmaps", held)).ok()
    (await api.delete(f"{SPACE}/configmaps/a")).ok()
    assert await used(api) == {MAPS: "1"}

    (await api.patch(f"{SPACE}/configmaps/a", {"metadata": {"finalizers": None}})).ok()

    assert await used(api) == {MAPS: "0"}


async def test_a_duplicate_does_not_stay_counted(api: Api) -> None:
    await limit(api, count__configmaps="2")
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()

    (await api.create(f"{SPACE}/configmaps", config_map("a"))).refused(409, "AlreadyExists")

    assert await used(api) == {MAPS: "1"}


async def test_an_evicted_pod_makes_room(api: Api) -> None:
    await limit(api, pods="1")
    (await api.create(f"{SPACE}/pods", pod("a"))).ok()

    (await api.create(f"{SPACE}/pods/a/eviction", {"metadata": {"name": "a"}})).ok()

    assert await used(api) == {"pods": "0"}


async def test_a_pod_that_has_ended_is_only_counted_as_an_object(api: Api) -> None:
    await limit(api, pods="1", requests_cpu="1", count__pods="1")
    (await api.create(f"{SPACE}/pods", pod("a", containers=[container(requests={"cpu": "1"})]))).ok()

    (await api.patch(f"{SPACE}/pods/a/status", {"status": {"phase": "Failed"}})).ok()

    assert await used(api) == {"pods": "0", "requests.cpu": "0", "count/pods": "1"}


async def test_a_custom_kind_that_comes_back_is_counted_anew(api: Api) -> None:
    widgets, count = "/apis/example.com/v1/namespaces/default/widgets", "count/widgets.example.com"
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}}
    await limit(api, **{"count__widgets.example.com": "1"})
    (await api.create(CRDS, definition("example.com"))).ok()
    (await api.create(widgets, widget)).ok()
    assert await used(api) == {count: "1"}
    (await api.delete(f"{CRDS}/widgets.example.com")).ok()
    assert await used(api) == {count: "0"}
    (await api.create(CRDS, definition("example.com"))).ok()

    (await api.create(widgets, widget)).ok()

    assert await used(api) == {count: "1"}


async def test_a_quota_of_the_same_name_counts_for_itself(api: Api) -> None:
    await limit(api, count__configmaps="1")
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()
    (await api.delete(f"{QUOTAS}/most")).ok()

    await limit(api, count__configmaps="1", pods="1")

    assert await used(api) == {MAPS: "1", "pods": "0"}


async def test_a_status_that_somebody_else_writes_is_put_right(api: Api) -> None:
    await limit(api, count__configmaps="1")

    (await api.patch(f"{QUOTAS}/most/status", {"status": {"used": {MAPS: "7"}}})).ok()

    assert await used(api) == {MAPS: "0"}


async def test_a_trial_changes_no_quota(api: Api) -> None:
    await limit(api, count__configmaps="1")
    before = (await api.get(f"{QUOTAS}/most")).ok()

    (await api.create(f"{SPACE}/configmaps", config_map("a"), dryRun="All")).ok()

    assert (await api.get(f"{QUOTAS}/most")).ok() == before


async def test_quotas_of_another_namespace_do_not_matter(api: Api) -> None:
    await limit(api, count__configmaps="0")

    (await api.create("/api/v1/namespaces/kube-public/configmaps", config_map("a"))).ok()

    assert await used(api) == {MAPS: "0"}


async def test_without_it_quotas_are_as_a_bare_server_leaves_them() -> None:
    api = Api(Cluster(ClusterOptions(upkeep=False)).transport())

    await limit(api, count__configmaps="0")

    assert await used(api) is None
    (await api.create(f"{SPACE}/configmaps", config_map("a"))).ok()


@pytest.mark.parametrize("history", [3, 10_000], ids=["short-history", "long-history"])
async def test_whatever_happens_what_is_used_is_what_a_new_quota_counts(history: int) -> None:
    api = Api(Cluster(ClusterOptions(world=World(store=Store(history=history)))).transport())
    hard = {"pods": "99", "requests_cpu": "99", "services_nodeports": "99", "count__configmaps": "99"}
    chance = Random(7)
    await limit(api, **hard)
    for number in range(150):
        await something(api, chance)
        if number % 10 == 0:
            await limit(api, "new", **hard)
            assert await used(api) == await used(api, "new")
            (await api.delete(f"{QUOTAS}/new")).ok()


async def something(api: Api, chance: Random) -> None:
    """One of the writes that change what is used, of one of a few objects."""
    name, amount = chance.choice("abcde"), f"{chance.randrange(1, 9)}00m"
    asking = pod(name, containers=[container(requests={"cpu": amount})])
    match chance.randrange(8):
        case 0:
            await api.create(f"{SPACE}/pods", asking)
        case 1:
            await api.patch(f"{SPACE}/pods/{name}/status", {"status": {"phase": "Succeeded"}})
        case 2:
            await api.delete(f"{SPACE}/pods/{name}")
        case 3:
            await api.create(f"{SPACE}/services", service(name))
        case 4:
            await api.patch(f"{SPACE}/services/{name}", {"spec": {"type": "NodePort"}})
        case 5:
            await api.delete(f"{SPACE}/services/{name}")
        case 6:
            await api.create(f"{SPACE}/configmaps", config_map(name))
        case _:
            await api.delete(f"{SPACE}/configmaps")
