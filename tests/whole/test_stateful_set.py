"""StatefulSets, whose pods a test runs by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from by_hand import PATIENCE, end, pods_when, run, template
from polling import until
from windlass.client import DeleteOptions, MergePatch, StrategicPatch
from windlass.cluster.controller.history import digest, snapshot
from windlass.errors import NotFound
from windlass.kinds.apps.v1 import ControllerRevision, StatefulSet
from windlass.kinds.core.v1 import Event, PersistentVolumeClaim, Pod, ResourceQuota

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.client import Client

_LABELS = {"app": "web"}
_WEB = "app=web"


def _set(replicas: int, **spec: Any) -> StatefulSet:
    whole = {
        "replicas": replicas,
        "serviceName": "web",
        "selector": {"matchLabels": _LABELS},
        "template": template(_LABELS, terminationGracePeriodSeconds=0),
        **spec,
    }
    return StatefulSet.from_wire({"metadata": {"name": "web"}, "spec": whole})


def _claim(name: str) -> dict[str, Any]:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"metadata": {"name": name}, "spec": {**spec, "storageClassName": "nobody-makes-these"}}


async def _when(client: Client, accept: Callable[[StatefulSet], bool]) -> StatefulSet:
    async def ask() -> StatefulSet:
        return await client.get(StatefulSet, "web")

    return await until(ask, accept, patience=PATIENCE)


async def _named(client: Client, *names: str) -> list[Pod]:
    return await pods_when(client, _WEB, lambda found: _names(found) == list(names))


def _names(found: Sequence[Pod]) -> list[str]:
    return [pod.metadata.name for pod in found]


async def _run_all(client: Client, count: int) -> list[Pod]:
    """Run pods as they come, until there are as many and all are counted as ready."""
    ran: dict[str, Pod] = {}
    while len(ran) < count:
        found = await pods_when(client, _WEB, lambda those: any(pod.metadata.uid not in ran for pod in those))
        for pod in found:
            if pod.metadata.uid not in ran:
                await run(client, pod)
                ran[pod.metadata.uid] = pod
    await _when(client, lambda found: found.status.ready_replicas == count)
    return list(ran.values())


async def _change_image(client: Client, image: str) -> None:
    containers = [{"name": "main", "image": image}]
    patch = StrategicPatch({"spec": {"template": {"spec": {"containers": containers}}}})
    await client.patch(StatefulSet, "web", patch)


async def _with_images(client: Client, *images: str) -> list[Pod]:
    return await pods_when(client, _WEB, lambda found: _images(found) == list(images))


def _images(those: Sequence[Pod]) -> list[str | None]:
    return [pod.spec.containers[0].image for pod in those]


async def _events(client: Client, reason: str) -> list[str]:
    return sorted(
        {
            each.message or ""
            for each in await client.list(Event, client.options.namespace)
            if each.reason == reason
        }
    )


async def test_pods_come_one_after_the_other_each_with_its_name_its_claims_and_its_place(
    client: Client,
) -> None:
    await client.create(_set(2, ordinals={"start": 3}, volumeClaimTemplates=[_claim("data")]))
    (first,) = await _named(client, "web-3")
    assert first.metadata.labels["statefulset.kubernetes.io/pod-name"] == "web-3"
    assert first.metadata.labels["apps.kubernetes.io/pod-index"] == "3"
    assert (first.spec.hostname, first.spec.subdomain) == ("web-3", "web")
    source = first.spec.volumes[0].persistent_volume_claim
    assert (first.spec.volumes[0].name, source.claim_name if source else "") == ("data", "data-web-3")
    claim = await client.get(PersistentVolumeClaim, "data-web-3")
    assert claim.metadata.labels == _LABELS
    assert not claim.metadata.owner_references
    waiting = await _when(client, lambda found: found.status.replicas == 1)
    assert waiting.status.ready_replicas == 0
    await run(client, first)
    both = await _named(client, "web-3", "web-4")
    await run(client, both[1])
    done = await _when(client, lambda found: found.status.available_replicas == 2)
    assert done.status.current_revision == done.status.update_revision
    assert (done.status.current_replicas, done.status.updated_replicas) == (2, 2)
    assert done.status.observed_generation == done.metadata.generation
    assert {pod.metadata.labels["controller-revision-hash"] for pod in both} == {done.status.update_revision}
    (owner,) = both[0].metadata.owner_references
    assert (owner.kind, owner.name, owner.controller, owner.block_owner_deletion) == (
        "StatefulSet",
        "web",
        True,
        True,
    )
    told = await until(
        lambda: _events(client, "SuccessfulCreate"), lambda found: len(found) == 4, patience=PATIENCE
    )
    assert told == [
        "Create Claim data-web-3 Pod web-3 in StatefulSet web success",
        "Create Claim data-web-4 Pod web-4 in StatefulSet web success",
        "Create Pod web-3 in StatefulSet web successful",
        "Create Pod web-4 in StatefulSet web successful",
    ]


async def test_a_revision_is_named_by_the_hash_of_the_template_and_can_be_brought_back(
    client: Client,
) -> None:
    made = await client.create(_set(1, revisionHistoryLimit=1))
    await _run_all(client, 1)
    first = (await client.get(StatefulSet, "web")).status.update_revision
    data = snapshot(made.spec.template)
    assert first == f"web-{digest(data, 0)}"
    revision = await client.get(ControllerRevision, first)
    assert revision.data == data
    assert revision.metadata.labels == {**_LABELS, "controller.kubernetes.io/hash": digest(data, 0)}

    for image in ("web:2", "web:3"):
        await _change_image(client, image)
        (pod,) = await _with_images(client, image)
        await run(client, pod)
        await _when(
            client, lambda found: found.status.current_revision == found.status.update_revision != first
        )
        await _when(client, lambda found: found.status.ready_replicas == 1)

    async def history() -> list[int]:
        return sorted(
            each.revision for each in await client.list(ControllerRevision, client.options.namespace)
        )

    await until(history, lambda found: found == [2, 3], patience=PATIENCE)
    second = next(
        each for each in await client.list(ControllerRevision, client.options.namespace) if each.revision == 2
    )
    await client.patch(StatefulSet, "web", StrategicPatch(second.data))  # as kubectl rollout undo does
    await until(history, lambda found: found == [3, 4], patience=PATIENCE)
    await _with_images(client, "web:2")
    undone = await _when(client, lambda found: found.status.update_revision == second.metadata.name)
    assert undone.status.collision_count == 0


async def test_an_update_goes_from_the_last_pod_to_the_partition_and_waits_for_each(client: Client) -> None:
    await client.create(_set(3, updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}))
    await _run_all(client, 3)
    await _change_image(client, "web:2")
    found = await _with_images(client, "web:1", "web:1", "web:2")
    midway = await _when(client, lambda found: found.status.updated_replicas == 1)
    assert midway.status.current_replicas == 2
    assert midway.status.current_revision != midway.status.update_revision
    await run(client, found[2])
    found = await _with_images(client, "web:1", "web:2", "web:2")
    await run(client, found[1])
    held = await _when(client, lambda found: found.status.ready_replicas == 3)
    assert held.status.updated_replicas == 2
    await client.delete(Pod, "web-0")  # below the partition the old revision stays
    found = await pods_when(
        client, _WEB, lambda those: len(those) == 3 and those[0].metadata.uid != found[0].metadata.uid
    )
    assert _images(found) == ["web:1", "web:2", "web:2"]
    await run(client, found[0])
    await client.patch(
        StatefulSet, "web", MergePatch({"spec": {"updateStrategy": {"rollingUpdate": {"partition": 0}}}})
    )
    found = await _with_images(client, "web:2", "web:2", "web:2")
    await run(client, found[0])
    await _when(client, lambda found: found.status.current_revision == found.status.update_revision)


async def test_a_pod_that_never_became_ready_holds_an_update_up_until_it_is_deleted(client: Client) -> None:
    await client.create(_set(2))
    await _run_all(client, 2)
    await _change_image(client, "broken:1")
    await _with_images(client, "web:1", "broken:1")
    await _change_image(client, "web:3")
    stuck = await _when(client, lambda found: found.status.observed_generation == found.metadata.generation)
    assert stuck.status.updated_replicas == 0
    assert _images(await _named(client, "web-0", "web-1")) == ["web:1", "broken:1"]
    await client.delete(Pod, "web-1")
    found = await _with_images(client, "web:1", "web:3")
    await run(client, found[1])
    await _with_images(client, "web:3", "web:3")


async def test_a_parallel_set_makes_and_removes_all_pods_at_once_and_replaces_one_that_failed(
    client: Client,
) -> None:
    await client.create(
        _set(
            3,
            podManagementPolicy="Parallel",
            volumeClaimTemplates=[_claim("data")],
            persistentVolumeClaimRetentionPolicy={"whenDeleted": "Delete", "whenScaled": "Retain"},
        )
    )
    found = await _named(client, "web-0", "web-1", "web-2")
    await end(client, found[1], code=1)
    again = await pods_when(
        client,
        _WEB,
        lambda those: len(those) == 3 and those[1].metadata.uid != found[1].metadata.uid,
    )
    assert _names(again) == ["web-0", "web-1", "web-2"]
    owners = await until(
        lambda: client.get(PersistentVolumeClaim, "data-web-2"),
        lambda claim: bool(claim.metadata.owner_references),
        patience=PATIENCE,
    )
    assert [each.kind for each in owners.metadata.owner_references] == ["StatefulSet"]
    await client.patch(StatefulSet, "web", MergePatch({"spec": {"replicas": 1}}))
    await _named(client, "web-0")
    await client.get(PersistentVolumeClaim, "data-web-2")  # it is kept for when the pod comes back
    last = await _when(client, lambda found: found.status.replicas == 1)
    assert last.status.collision_count == 0


async def test_a_claim_that_goes_with_its_pod_belongs_to_the_pod_that_is_one_too_many(client: Client) -> None:
    held = template(_LABELS, terminationGracePeriodSeconds=0)
    held["metadata"]["finalizers"] = ["example.com/held"]
    policy = {"whenDeleted": "Delete", "whenScaled": "Delete"}
    await client.create(
        _set(
            2,
            template=held,
            podManagementPolicy="Parallel",
            volumeClaimTemplates=[_claim("data")],
            persistentVolumeClaimRetentionPolicy=policy,
        )
    )
    pods = await _named(client, "web-0", "web-1")
    await client.patch(StatefulSet, "web", MergePatch({"spec": {"replicas": 1}}))
    owned = await until(
        lambda: client.get(PersistentVolumeClaim, "data-web-1"),
        lambda claim: [each.uid for each in claim.metadata.owner_references] == [pods[1].metadata.uid],
        patience=PATIENCE,
    )
    assert owned.metadata.owner_references[0].controller
    for pod in pods:
        await client.patch(Pod, pod.metadata.name, MergePatch({"metadata": {"finalizers": None}}))
    kept = await client.get(PersistentVolumeClaim, "data-web-0")
    assert [each.kind for each in kept.metadata.owner_references] == ["StatefulSet"]


async def test_a_new_set_takes_over_what_a_deleted_one_left_behind(client: Client) -> None:
    await client.create(_set(2))
    left = await _run_all(client, 2)
    revision = (await client.get(StatefulSet, "web")).status.current_revision
    await client.delete(StatefulSet, "web", options=DeleteOptions(propagation="Orphan"))

    async def is_gone() -> bool:
        try:
            await client.get(StatefulSet, "web")
        except NotFound:
            return True
        return False

    await until(is_gone, patience=PATIENCE)
    made = await client.create(_set(1))
    kept = await pods_when(
        client,
        _WEB,
        lambda those: (
            [[each.uid for each in pod.metadata.owner_references] for pod in those] == [[made.metadata.uid]]
        ),
    )
    assert kept[0].metadata.uid == left[0].metadata.uid
    same = await _when(client, lambda found: found.status.ready_replicas == 1)
    assert same.status.update_revision == revision


async def test_a_revision_whose_name_is_taken_gets_another(client: Client) -> None:
    await client.create(_set(0))
    first = await _when(client, lambda found: bool(found.status.update_revision))
    changed = first.spec.template.model_copy(deep=True)
    assert changed.spec
    changed.spec.containers[0].image = "web:2"
    taken = f"web-{digest(snapshot(changed), 0)}"
    stranger = {"metadata": {"name": taken}, "data": {"not": "a template"}, "revision": 9}
    await client.create(ControllerRevision.from_wire(stranger))
    await _change_image(client, "web:2")
    found = await _when(client, lambda found: found.status.update_revision != first.status.update_revision)
    assert found.status.collision_count == 1
    assert found.status.update_revision == f"web-{digest(snapshot(changed), 1)}"


async def test_a_set_tells_what_there_is_when_a_pod_is_refused(client: Client) -> None:
    await client.create(
        ResourceQuota.from_wire({"metadata": {"name": "one"}, "spec": {"hard": {"pods": "1"}}})
    )
    await until(
        lambda: client.get(ResourceQuota, "one"),
        lambda found: "pods" in found.status.used,
        patience=PATIENCE,
    )
    await client.create(_set(2, podManagementPolicy="Parallel"))
    await _when(client, lambda found: found.status.replicas == 1)
    await until(lambda: _events(client, "FailedCreate"), patience=PATIENCE)
    await client.delete(ResourceQuota, "one")
    await _named(client, "web-0", "web-1")
