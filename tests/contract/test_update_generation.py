"""update: when the generation moves."""

from contract import JSON_PATCH, Api, deployment, pod
from contract_objects import disruption_budget, generation_of, job, with_metadata, with_spec


async def test_a_change_of_the_spec_moves_the_generation(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    updated = await api.update(f"{deployments}/a", with_spec(created, replicas=2))
    patched = await api.patch(f"{deployments}/a", {"spec": {"replicas": 3}})

    assert (generation_of(updated), generation_of(patched)) == (2, 3)


async def test_a_change_of_the_labels_leaves_the_generation(api: Api, deployments: str) -> None:
    created = (await api.create(deployments, deployment("a"))).ok()

    changed = with_metadata(created, labels={"a": "b"}, finalizers=["example.com/a"])

    assert generation_of(await api.update(f"{deployments}/a", changed)) == 1


async def test_a_change_of_the_annotations_of_a_deployment_moves_the_generation(
    api: Api, deployments: str
) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    changed = await api.patch(f"{deployments}/a", {"metadata": {"annotations": {"a": "b"}}})

    assert generation_of(changed) == 2


async def test_a_change_of_the_annotations_of_a_job_leaves_the_generation(api: Api, namespace: str) -> None:
    jobs = f"/apis/batch/v1/namespaces/{namespace}/jobs"
    (await api.create(jobs, job("a"))).ok()

    changed = await api.patch(f"{jobs}/a", {"metadata": {"annotations": {"a": "b"}}})

    assert generation_of(changed) == 1


async def test_an_update_without_a_change_leaves_the_generation(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    assert generation_of(await api.update(f"{deployments}/a", deployment("a"))) == 1


async def test_the_generation_cannot_be_set(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()
    jump = [{"op": "replace", "path": "/metadata/generation", "value": 9}]

    assert generation_of(await api.patch(f"{deployments}/a", jump, JSON_PATCH)) == 1
    assert generation_of(await api.update(f"{deployments}/a", deployment("a", generation=9))) == 1


async def test_a_change_of_the_status_leaves_the_generation(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a"))).ok()

    assert generation_of(await api.patch(f"{deployments}/a/status", {"status": {"replicas": 1}})) == 1


async def test_a_deletion_that_waits_moves_the_generation_once(api: Api, deployments: str) -> None:
    (await api.create(deployments, deployment("a", finalizers=["example.com/a", "example.com/b"]))).ok()

    first = await api.delete(f"{deployments}/a")
    again = await api.delete(f"{deployments}/a")
    freed = await api.patch(f"{deployments}/a", {"metadata": {"finalizers": ["example.com/b"]}})

    assert [generation_of(reply) for reply in (first, again, freed)] == [2, 2, 2]


async def test_the_image_of_a_pod_moves_its_generation(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    swap = [{"op": "replace", "path": "/spec/containers/0/image", "value": "example.com/app:2"}]

    assert generation_of(await api.patch(f"{pods}/a", swap, JSON_PATCH)) == 2


async def test_a_disruption_budget_counts_generations_too(api: Api, namespace: str) -> None:
    budgets = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets"
    (await api.create(budgets, disruption_budget("a", "web"))).ok()

    assert generation_of(await api.patch(f"{budgets}/a", {"spec": {"minAvailable": 2}})) == 2


async def test_the_old_topology_of_an_endpoint_moves_the_generation_and_is_not_kept(
    api: Api, namespace: str
) -> None:
    path = f"/apis/discovery.k8s.io/v1/namespaces/{namespace}/endpointslices"
    endpoint = {"addresses": ["192.0.2.1"], "conditions": {}, "deprecatedTopology": {"zone": "a"}}
    body = {"metadata": {"name": "a"}, "addressType": "IPv4", "endpoints": [endpoint]}
    created = (await api.create(path, body)).ok()

    updated = await api.update(f"{path}/a", {**created, "endpoints": [endpoint]})

    assert (generation_of(updated), updated.body["endpoints"]) == (2, created["endpoints"])
    assert "deprecatedTopology" not in created["endpoints"][0]
