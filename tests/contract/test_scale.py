"""scale: one number of a workload, in a form that all workloads share."""

import pytest

from contract import Api, Object, deployment
from contract_objects import generation_of, version_of, with_spec


def scale(name: str, replicas: int, **metadata: str) -> Object:
    return {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {"name": name, **metadata},
        "spec": {"replicas": replicas},
    }


async def test_a_scale_shows_the_workload_it_belongs_to(api: Api, namespace: str, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a", replicas=2))).ok()

    found = (await api.get(f"{deployments}/a/scale")).ok()

    assert found == {
        "apiVersion": "autoscaling/v1",
        "kind": "Scale",
        "metadata": {
            key: created["metadata"][key]
            for key in ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
        },
        "spec": {"replicas": 2},
        "status": {"replicas": 0, "selector": "app=a"},
    }


async def test_a_scale_shows_the_replicas_that_there_are(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    (await api.patch(f"{deployments}/a/status", {"status": {"replicas": 4}})).ok()

    assert (await api.get(f"{deployments}/a/scale")).ok()["status"]["replicas"] == 4


async def test_a_scale_shows_the_whole_selector_as_text(api: Api, deployments: str) -> None:
    expressions = [
        {"key": "app", "operator": "In", "values": ["z", "a"]},
        {"key": "old", "operator": "DoesNotExist"},
    ]
    selector = {"matchLabels": {"app": "a"}, "matchExpressions": expressions}
    (await api.create(deployments, with_spec(deployment("a"), selector=selector))).ok()

    status = (await api.get(f"{deployments}/a/scale")).ok()["status"]

    assert status["selector"] == "app=a,app in (a,z),!old"


async def test_an_update_of_the_scale_changes_the_workload(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    found = (await api.get(f"{deployments}/a/scale")).ok()

    updated = await api.update(f"{deployments}/a/scale", with_spec(found, replicas=3))

    scaled = await api.get(f"{deployments}/a")
    assert (updated.ok()["kind"], updated.body["spec"]) == ("Scale", {"replicas": 3})
    assert scaled.ok()["spec"]["replicas"] == 3
    assert generation_of(scaled) == 2
    assert version_of(updated) == version_of(scaled)


@pytest.mark.parametrize("version", ["extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"])
async def test_a_scale_of_an_older_version_is_known_and_refused(
    api: Api, deployments: str, version: str
) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    refused = await api.update(f"{deployments}/a/scale", scale("a", 2) | {"apiVersion": version})

    assert refused.refused(400, "BadRequest")["message"] == (
        f"the API version in the data ({version}) does not match the expected API version (autoscaling/v1)"
    )


async def test_a_patch_of_the_scale_changes_the_workload(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    patched = (await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 5}})).ok()

    assert patched["spec"] == {"replicas": 5}
    assert (await api.get(f"{deployments}/a")).ok()["spec"]["replicas"] == 5


async def test_a_scale_of_zero_leaves_the_number_out(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    patched = (await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 0}})).ok()

    assert patched["spec"] == {}
    assert (await api.get(f"{deployments}/a")).ok()["spec"]["replicas"] == 0


async def test_an_update_of_a_stale_scale_is_a_conflict_of_the_workload(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    stale = (await api.get(f"{deployments}/a/scale")).ok()
    (await api.patch(f"{deployments}/a", {"metadata": {"labels": {"a": "b"}}})).ok()

    reply = await api.update(f"{deployments}/a/scale", with_spec(stale, replicas=3))

    assert reply.refused(409, "Conflict")["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_an_update_of_the_scale_may_be_unconditional(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    assert (await api.update(f"{deployments}/a/scale", scale("a", 2))).ok()["spec"] == {"replicas": 2}


async def test_the_same_scale_again_changes_nothing(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    first = await api.update(f"{deployments}/a/scale", scale("a", 2))
    second = await api.update(f"{deployments}/a/scale", scale("a", 2))

    assert version_of(second) == version_of(first)
    assert generation_of(await api.get(f"{deployments}/a")) == 2


async def test_a_negative_scale_is_invalid(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    reply = await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": -1}})

    assert reply.refused(422, "Invalid")["message"] == (
        'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: '
        "must be greater than or equal to 0"
    )


async def test_a_scale_cannot_be_set_by_the_workload_itself(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    refused = (await api.update(f"{deployments}/a/scale", created)).refused(400, "BadRequest")

    assert refused["message"].startswith('Deployment in version "v1" cannot be handled as a Scale')


async def test_a_scale_carries_the_name_of_the_path(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    (await api.update(f"{deployments}/a/scale", scale("b", 2))).refused(400, "BadRequest")


async def test_a_scale_for_another_uid_is_a_conflict(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    (await api.update(f"{deployments}/a/scale", scale("a", 2, uid="other"))).refused(409, "Conflict")


async def test_a_scale_changes_nothing_but_the_number(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    patch = {"metadata": {"labels": {"a": "b"}}, "spec": {"replicas": 2}}

    (await api.patch(f"{deployments}/a/scale", patch)).ok()

    assert "labels" not in (await api.get(f"{deployments}/a")).ok()["metadata"]


async def test_the_scale_of_a_missing_workload_finds_the_workload_missing(api: Api, deployments: str) -> None:
    for reply in (
        await api.get(f"{deployments}/a/scale"),
        await api.update(f"{deployments}/a/scale", scale("a", 1)),
        await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 1}}),
    ):
        assert reply.refused(404, "NotFound")["message"] == 'deployments.apps "a" not found'


async def test_a_dry_run_of_the_scale_changes_nothing(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    shown = (await api.patch(f"{deployments}/a/scale", {"spec": {"replicas": 9}}, dryRun="All")).ok()

    assert shown["spec"] == {"replicas": 9}
    assert (await api.get(f"{deployments}/a")).ok()["spec"]["replicas"] == 1
