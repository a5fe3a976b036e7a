"""What has come to rest costs nothing: another look at a world in which nothing changed makes no call."""

from __future__ import annotations

from typing import Any

from operating import operating
from polling import until
from windlass.client import MergePatch
from windlass.cluster.controller.cron_job import CronJobController
from windlass.cluster.controller.endpoints import EndpointsController, EndpointsLeftovers
from windlass.cluster.controller.job import JobController, JobLeftovers
from windlass.kinds.batch.v1 import CronJob, Job
from windlass.kinds.core.v1 import Endpoints, Node, Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice
from windlass.testing import assert_settled

POD: dict[str, Any] = {"containers": [{"name": "main", "image": "web:1"}], "restartPolicy": "Never"}


def job(name: str, **spec: Any) -> Job:
    metadata = {"name": name, "namespace": "default"}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": POD}
    return Job.from_wire({"metadata": metadata, "spec": {"template": template, **spec}})


async def test_jobs_and_cron_jobs_come_to_rest() -> None:
    async with operating(JobController(), JobLeftovers(), CronJobController(), installed=()) as operator:
        client = operator.client
        await client.create(job("plain", parallelism=2))
        await client.create(
            job("indexed", parallelism=2, completions=3, completionMode="Indexed", backoffLimitPerIndex=1)
        )
        await client.create(job("suspended", suspend=True))
        spec = {"schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": {"spec": POD}}}}
        metadata = {"name": "yearly", "namespace": "default"}
        await client.create(CronJob.from_wire({"metadata": metadata, "spec": spec}))

        async def pods() -> list[Pod]:
            return list(await client.list(Pod, "default"))

        for each in await until(pods, lambda those: len(those) == 4):
            phase = "Succeeded" if each.metadata.annotations else "Running"
            patch = MergePatch({"status": {"phase": phase}})
            await client.status.patch(Pod, each.metadata.name, patch, "default")
        await until(pods, lambda those: len(those) == 5)
        await operator.quiet()
        await assert_settled(operator.manager, operator.transport)


async def test_services_come_to_rest() -> None:
    async with operating(EndpointsController(), EndpointsLeftovers(), installed=()) as operator:
        client = operator.client
        await client.create(Node.from_wire({"metadata": {"name": "n"}}))
        for name, spec in {"web": {}, "headless": {"clusterIP": "None"}}.items():
            body = {"selector": {"app": "web"}, "ports": [{"port": 80}], **spec}
            metadata = {"name": name, "namespace": "default", "labels": {"team": "shop"}}
            await client.create(Service.from_wire({"metadata": metadata, "spec": body}))
        pod = {"name": "p", "namespace": "default", "labels": {"app": "web"}}
        await client.create(Pod.from_wire({"metadata": pod, "spec": {**POD, "nodeName": "n"}}))
        ready = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
        status = {"podIP": "10.0.0.9", "podIPs": [{"ip": "10.0.0.9"}], "conditions": [ready]}
        await client.status.patch(Pod, "p", MergePatch({"status": status}), "default")

        async def told() -> int:
            slices = await client.list(EndpointSlice, "default")
            old = await client.list(Endpoints, "default")
            return sum(len(each.endpoints) for each in slices) + sum(len(each.subsets) for each in old)

        await until(told, lambda found: found == 4)
        await operator.quiet()
        await assert_settled(operator.manager, operator.transport)
