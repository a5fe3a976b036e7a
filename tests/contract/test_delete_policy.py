"""delete: propagation policies, which become finalizers."""

import pytest

from contract import Api, config_map
from contract_objects import event, job, version_of, warning, with_metadata


@pytest.mark.parametrize(
    ("policy", "finalizer"), [("Orphan", "orphan"), ("Foreground", "foregroundDeletion")]
)
async def test_a_policy_that_takes_time_adds_a_finalizer(
    api: Api, config_maps: str, policy: str, finalizer: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    deleted = (await api.delete(f"{config_maps}/a", {"propagationPolicy": policy})).ok()

    assert deleted["kind"] == "ConfigMap"
    assert deleted["metadata"]["finalizers"] == [finalizer]
    assert deleted["metadata"]["deletionTimestamp"]
    assert deleted["metadata"]["deletionGracePeriodSeconds"] == 0
    assert (await api.get(f"{config_maps}/a")).ok() == deleted


async def test_the_policy_may_stand_in_the_query(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    deleted = (await api.delete(f"{config_maps}/a", propagationPolicy="Foreground")).ok()

    assert deleted["metadata"]["finalizers"] == ["foregroundDeletion"]


async def test_a_policy_keeps_the_finalizers_of_others(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["example.com/a"]))).ok()

    deleted = (await api.delete(f"{config_maps}/a", propagationPolicy="Foreground")).ok()

    assert deleted["metadata"]["finalizers"] == ["example.com/a", "foregroundDeletion"]


async def test_the_background_policy_deletes_at_once(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    deleted = (await api.delete(f"{config_maps}/a", propagationPolicy="Background")).ok()

    assert (deleted["kind"], deleted["status"]) == ("Status", "Success")


async def test_a_second_delete_may_change_the_policy(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    first = (await api.delete(f"{config_maps}/a", propagationPolicy="Foreground")).ok()["metadata"]

    second = (await api.delete(f"{config_maps}/a", propagationPolicy="Orphan")).ok()["metadata"]

    assert second["finalizers"] == ["orphan"]
    assert second["deletionTimestamp"] == first["deletionTimestamp"]


async def test_a_second_delete_without_a_policy_changes_nothing(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    first = await api.delete(f"{config_maps}/a", propagationPolicy="Orphan")

    second = await api.delete(f"{config_maps}/a")

    assert second.body["metadata"]["finalizers"] == ["orphan"]
    assert version_of(second) == version_of(first)


async def test_a_second_delete_in_the_background_finishes_the_first(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    (await api.delete(f"{config_maps}/a", propagationPolicy="Orphan")).ok()

    deleted = (await api.delete(f"{config_maps}/a", propagationPolicy="Background")).ok()

    assert deleted["kind"] == "Status"
    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


async def test_without_a_policy_the_finalizer_of_a_policy_decides(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["orphan"]))).ok()

    deleted = (await api.delete(f"{config_maps}/a")).ok()

    assert deleted["metadata"]["finalizers"] == ["orphan"]


async def test_the_background_policy_overrules_the_finalizer_of_another(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a", finalizers=["foregroundDeletion"]))).ok()

    (await api.delete(f"{config_maps}/a", propagationPolicy="Background")).ok()

    (await api.get(f"{config_maps}/a")).refused(404, "NotFound")


@pytest.mark.parametrize(("orphan", "finalizers"), [("true", ["orphan"]), ("false", None)])
async def test_orphan_dependents_is_the_policy_of_old(
    api: Api, config_maps: str, orphan: str, finalizers: list[str] | None
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    deleted = (await api.delete(f"{config_maps}/a", orphanDependents=orphan)).ok()

    assert deleted["metadata"].get("finalizers") == finalizers


async def test_an_unknown_policy_is_invalid(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.delete(f"{config_maps}/a", {"propagationPolicy": "Sideways"})

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": '
        'supported values: "Foreground", "Background", "Orphan", "nil"'
    )
    assert refused["details"]["causes"][0]["reason"] == "FieldValueNotSupported"


async def test_a_policy_and_orphan_dependents_exclude_each_other(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    options = {"propagationPolicy": "Orphan", "orphanDependents": True}

    reply = await api.delete(f"{config_maps}/a", options)

    reply.refused(422, "Invalid")
    assert reply.fields == ["propagationPolicy"]


async def test_a_job_orphans_its_pods_by_default_and_warns(api: Api, namespace: str) -> None:
    jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
    (await api.create(jobs, job("a"))).ok()

    reply = await api.delete(f"{jobs}/a")

    assert reply.ok()["metadata"]["finalizers"] == ["orphan"]
    assert reply.warnings == (
        warning(
            "child pods are preserved by default when jobs are deleted; "
            "set propagationPolicy=Background to remove them "
            "or set propagationPolicy=Orphan to suppress this warning"
        ),
    )


async def test_a_job_deleted_in_the_background_goes_at_once(api: Api, namespace: str) -> None:
    jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
    (await api.create(jobs, job("a"))).ok()

    reply = await api.delete(f"{jobs}/a", propagationPolicy="Background")

    assert reply.ok()["kind"] == "Status"
    assert reply.warnings == ()


async def test_finalizers_that_a_policy_would_not_change_keep_their_repetitions(
    api: Api, config_maps: str
) -> None:
    repeated = ["orphan", "example.com/a", "orphan"]
    (await api.create(config_maps, config_map("a", finalizers=repeated))).ok()

    deleted = (await api.delete(f"{config_maps}/a")).ok()
    changed = (await api.delete(f"{config_maps}/a", propagationPolicy="Foreground")).ok()

    assert deleted["metadata"]["finalizers"] == repeated
    assert changed["metadata"]["finalizers"] == ["example.com/a", "foregroundDeletion"]


async def test_an_event_has_no_dependents_and_waits_for_none(api: Api, namespace: str) -> None:
    events = f"/api/v1/namespaces/{namespace}/events"
    made = event("a", {"kind": "Pod", "namespace": namespace, "name": "a"})
    (await api.create(events, with_metadata(made, finalizers=["orphan", "example.com/a"]))).ok()

    deleted = (await api.delete(f"{events}/a", propagationPolicy="Foreground")).ok()

    assert deleted["metadata"]["finalizers"] == ["example.com/a"]
