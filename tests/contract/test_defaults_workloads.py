"""defaults: of Deployments, StatefulSets, DaemonSets, ReplicaSets, Jobs and CronJobs, each exactly."""

import pytest

from contract import Api, Object
from contract_writes import container, matching, pod_template, resource

POD_SPEC = {
    "containers": [
        container()
        | {
            "imagePullPolicy": "IfNotPresent",
            "resources": {},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
        }
    ],
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": POD_SPEC}
RUN_ONCE = {"spec": {"containers": [container()], "restartPolicy": "Never"}}


@pytest.fixture
def apps(namespace: str) -> str:
    """The path of the workloads in this test's namespace."""
    return f"/apis/apps/v1/namespaces/{namespace}"


@pytest.fixture
def batch(namespace: str) -> str:
    """The path of the jobs in this test's namespace."""
    return f"/apis/batch/v1/namespaces/{namespace}"


def workload(kind: str, **spec: object) -> Object:
    return resource("apps/v1", kind, spec={"selector": matching(), "template": pod_template(), **spec})


async def test_the_defaults_of_a_deployment(api: Api, apps: str) -> None:
    created = (await api.create(f"{apps}/deployments", workload("Deployment"))).ok()

    assert created["spec"] == {
        "progressDeadlineSeconds": 600,
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "selector": matching(),
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        "template": TEMPLATE,
    }
    assert created["status"] == {}
    assert created["metadata"]["generation"] == 1


async def test_the_missing_half_of_a_rolling_update_is_defaulted(api: Api, apps: str) -> None:
    body = workload("Deployment", strategy={"rollingUpdate": {"maxSurge": 3}})

    created = (await api.create(f"{apps}/deployments", body)).ok()

    assert created["spec"]["strategy"] == {
        "type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": 3, "maxUnavailable": "25%"},
    }


async def test_a_deployment_that_recreates_has_no_rolling_update(api: Api, apps: str) -> None:
    body = workload("Deployment", strategy={"type": "Recreate"})

    created = (await api.create(f"{apps}/deployments", body)).ok()

    assert created["spec"]["strategy"] == {"type": "Recreate"}


async def test_the_defaults_of_a_stateful_set(api: Api, apps: str) -> None:
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claims = [{"metadata": {"name": "data"}, "spec": claim}]

    body = workload("StatefulSet", volumeClaimTemplates=claims)
    created = (await api.create(f"{apps}/statefulsets", body)).ok()

    assert created["spec"] == {
        "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
        "podManagementPolicy": "OrderedReady",
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "selector": matching(),
        "serviceName": "",
        "template": TEMPLATE,
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
        "volumeClaimTemplates": [
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "metadata": {"name": "data"},
                "spec": {**claim, "volumeMode": "Filesystem"},
                "status": {"phase": "Pending"},
            }
        ],
    }
    assert created["status"] == {"availableReplicas": 0, "replicas": 0}


async def test_the_defaults_of_a_daemon_set(api: Api, apps: str) -> None:
    created = (await api.create(f"{apps}/daemonsets", workload("DaemonSet"))).ok()

    assert created["spec"] == {
        "revisionHistoryLimit": 10,
        "selector": matching(),
        "template": TEMPLATE,
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}},
    }
    assert created["metadata"]["annotations"] == {"deprecated.daemonset.template.generation": "1"}
    assert created["status"] == {
        "currentNumberScheduled": 0,
        "desiredNumberScheduled": 0,
        "numberMisscheduled": 0,
        "numberReady": 0,
    }


async def test_the_defaults_of_a_replica_set(api: Api, apps: str) -> None:
    created = (await api.create(f"{apps}/replicasets", workload("ReplicaSet"))).ok()

    assert created["spec"] == {"replicas": 1, "selector": matching(), "template": TEMPLATE}
    assert created["status"] == {"replicas": 0}


async def test_the_defaults_of_a_job(api: Api, batch: str) -> None:
    created = (
        await api.create(f"{batch}/jobs", resource("batch/v1", "Job", spec={"template": RUN_ONCE}))
    ).ok()

    uid = created["metadata"]["uid"]
    labels = {
        "batch.kubernetes.io/controller-uid": uid,
        "batch.kubernetes.io/job-name": "a",
        "controller-uid": uid,
        "job-name": "a",
    }
    assert created["spec"] == {
        "backoffLimit": 6,
        "completionMode": "NonIndexed",
        "completions": 1,
        "manualSelector": False,
        "parallelism": 1,
        "podReplacementPolicy": "TerminatingOrFailed",
        "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}},
        "suspend": False,
        "template": {"metadata": {"labels": labels}, "spec": {**POD_SPEC, "restartPolicy": "Never"}},
    }
    assert created["metadata"]["labels"] == labels
    assert created["status"] == {}


async def test_a_job_with_only_parallelism_has_no_completions(api: Api, batch: str) -> None:
    spec = {"template": RUN_ONCE, "parallelism": 2}

    created = (await api.create(f"{batch}/jobs", resource("batch/v1", "Job", spec=spec))).ok()

    assert created["spec"]["parallelism"] == 2
    assert "completions" not in created["spec"]


async def test_an_indexed_job_with_a_limit_per_index_retries_without_end(api: Api, batch: str) -> None:
    indexed = {"completionMode": "Indexed", "completions": 5, "backoffLimitPerIndex": 1}
    spec = {"template": RUN_ONCE, **indexed}

    created = (await api.create(f"{batch}/jobs", resource("batch/v1", "Job", spec=spec))).ok()

    assert created["spec"]["backoffLimit"] == 2**31 - 1


async def test_the_defaults_of_a_cron_job(api: Api, batch: str) -> None:
    spec = {"schedule": "@daily", "jobTemplate": {"spec": {"template": RUN_ONCE}}}

    created = (await api.create(f"{batch}/cronjobs", resource("batch/v1", "CronJob", spec=spec))).ok()

    template = {"metadata": {}, "spec": {**POD_SPEC, "restartPolicy": "Never"}}
    assert created["spec"] == {
        "concurrencyPolicy": "Allow",
        "failedJobsHistoryLimit": 1,
        "jobTemplate": {"metadata": {}, "spec": {"template": template}},
        "schedule": "@daily",
        "successfulJobsHistoryLimit": 3,
        "suspend": False,
    }
    assert created["status"] == {}
