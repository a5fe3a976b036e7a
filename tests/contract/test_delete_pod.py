"""delete: pods, which are given time."""

from datetime import datetime, timedelta

from contract import Api, pod
from contract_objects import generation_of, version_of, with_metadata


async def test_a_pod_that_was_never_scheduled_goes_at_once(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()

    deleted = (await api.delete(f"{pods}/a")).ok()

    assert deleted["kind"] == "Pod"
    assert deleted["metadata"]["deletionGracePeriodSeconds"] == 0
    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_a_pod_on_a_node_gets_its_grace_period(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1", terminationGracePeriodSeconds=7))).ok()

    deleted = (await api.delete(f"{pods}/a")).ok()

    assert deleted["metadata"]["deletionGracePeriodSeconds"] == 7
    assert (await api.get(f"{pods}/a")).ok() == deleted


async def test_the_deletion_timestamp_of_a_pod_is_when_its_grace_ends(api: Api, pods: str) -> None:
    created = (await api.create(pods, pod("a", nodeName="node-1"))).ok()["metadata"]

    deleted = (await api.delete(f"{pods}/a", gracePeriodSeconds=1000)).ok()["metadata"]

    ahead = datetime.fromisoformat(deleted["deletionTimestamp"]) - datetime.fromisoformat(
        created["creationTimestamp"]
    )
    assert timedelta(seconds=1000) <= ahead < timedelta(seconds=1060)


async def test_the_grace_period_of_a_delete_overrules_that_of_the_pod(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1", terminationGracePeriodSeconds=7))).ok()

    deleted = (await api.delete(f"{pods}/a", {"gracePeriodSeconds": 60})).ok()

    assert deleted["metadata"]["deletionGracePeriodSeconds"] == 60


async def test_a_second_delete_may_shorten_the_grace_period(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()
    first = (await api.delete(f"{pods}/a")).ok()["metadata"]

    second = (await api.delete(f"{pods}/a", gracePeriodSeconds=5)).ok()["metadata"]

    assert second["deletionGracePeriodSeconds"] == 5
    assert second["deletionTimestamp"] < first["deletionTimestamp"]


async def test_a_second_delete_cannot_lengthen_the_grace_period(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()
    first = await api.delete(f"{pods}/a", gracePeriodSeconds=5)

    second = await api.delete(f"{pods}/a", gracePeriodSeconds=50)

    assert second.ok()["metadata"]["deletionGracePeriodSeconds"] == 5
    assert version_of(second) == version_of(first)


async def test_a_grace_period_of_zero_removes_the_pod(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()
    (await api.delete(f"{pods}/a")).ok()

    (await api.delete(f"{pods}/a", gracePeriodSeconds=0)).ok()

    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_a_finished_pod_gets_no_grace(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()
    (await api.patch(f"{pods}/a/status", {"status": {"phase": "Succeeded"}})).ok()

    (await api.delete(f"{pods}/a")).ok()

    (await api.get(f"{pods}/a")).refused(404, "NotFound")


async def test_a_delete_moves_the_generation_of_a_pod(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a", nodeName="node-1"))).ok()

    assert generation_of(await api.delete(f"{pods}/a")) == 2
    assert generation_of(await api.delete(f"{pods}/a", gracePeriodSeconds=5)) == 2


async def test_a_pod_without_finalizers_still_waits_for_its_grace(api: Api, pods: str) -> None:
    held = with_metadata(pod("a", nodeName="node-1"), finalizers=["example.com/a"])
    (await api.create(pods, held)).ok()
    (await api.delete(f"{pods}/a")).ok()

    (await api.patch(f"{pods}/a", {"metadata": {"finalizers": None}})).ok()

    assert (await api.get(f"{pods}/a")).ok()["metadata"]["deletionGracePeriodSeconds"] == 30


async def test_a_finalizer_holds_a_pod_whose_grace_is_over(api: Api, pods: str) -> None:
    held = with_metadata(pod("a", nodeName="node-1"), finalizers=["example.com/a"])
    (await api.create(pods, held)).ok()
    (await api.delete(f"{pods}/a", gracePeriodSeconds=0)).ok()

    waiting = await api.get(f"{pods}/a")
    (await api.patch(f"{pods}/a", {"metadata": {"finalizers": None}})).ok()

    assert waiting.ok()["metadata"]["deletionGracePeriodSeconds"] == 0
    (await api.get(f"{pods}/a")).refused(404, "NotFound")
