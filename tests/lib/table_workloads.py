"""Pods, what runs them, and what scales that, with the statuses that show in a table."""

from __future__ import annotations

from typing import Any

from table_case import LATER, LONG_AGO, POD, SELECTOR, TEMPLATE, Case, Object, core, of


def container(name: str = "one", state: Object | None = None, **more: Any) -> Object:
    """The status of a container."""
    given = {"name": name, "image": "a", "imageID": "b", "ready": False, "restartCount": 0}
    return {**given, "state": state or {}, **more}


def pod(status: Object, **more: Any) -> Case:
    return core("pods", "Pod", body={"spec": {**POD, **more}}, status=status)


def ended(code: int = 0, **more: Any) -> Object:
    return {"terminated": {"exitCode": code, "startedAt": LONG_AGO, "finishedAt": LATER, **more}}


RUNNING = {"running": {"startedAt": LONG_AGO}}
INITS = [{"name": "first", "image": "a"}, {"name": "second", "image": "a"}]
SIDECAR = [{"name": "first", "image": "a", "restartPolicy": "Always"}]

PODS = {
    "pending": pod({}),
    "running": pod(
        {
            "phase": "Running",
            "podIPs": [{"ip": "10.1.2.3"}, {"ip": "fd00::1"}],
            "containerStatuses": [container(state=RUNNING, ready=True), container("two", RUNNING)],
        },
        readinessGates=[{"conditionType": "a.b/c"}],
        nodeName="node-1",
    ),
    "gate passed": pod(
        {"conditions": [{"type": "a.b/c", "status": "True"}]}, readinessGates=[{"conditionType": "a.b/c"}]
    ),
    "restarted": pod(
        {
            "phase": "Running",
            "containerStatuses": [
                container(state=RUNNING, ready=True, restartCount=3, lastState=ended(1)),
                container("two", {"waiting": {"reason": "CrashLoopBackOff"}}, restartCount=2),
            ],
        }
    ),
    "one completed, one running": pod(
        {
            "containerStatuses": [
                container(state=ended(reason="Completed")),
                container("two", RUNNING, ready=True),
            ]
        }
    ),
    "one completed, one ready": pod(
        {
            "containerStatuses": [
                container(state=ended(reason="Completed")),
                container("two", RUNNING, ready=True),
            ],
            "conditions": [{"type": "Ready", "status": "True"}],
        }
    ),
    "one completed, one failed": pod(
        {"containerStatuses": [container(state=ended(reason="Completed")), container("two", ended(3))]}
    ),
    "failed": pod({"phase": "Failed", "reason": "Evicted"}),
    "succeeded": pod({"phase": "Succeeded", "containerStatuses": [container(state=ended())]}),
    "initialising": pod(
        {"initContainerStatuses": [container("first", ended()), container("second", RUNNING)]},
        initContainers=INITS,
    ),
    "initialisation waits": pod(
        {
            "initContainerStatuses": [
                container("first", {"waiting": {"reason": "ErrImagePull"}}, restartCount=1)
            ]
        },
        initContainers=INITS,
    ),
    "initialisation failed": pod(
        {
            "initContainerStatuses": [
                container("first", ended(2, signal=9), restartCount=4, lastState=ended(1))
            ]
        },
        initContainers=INITS,
    ),
    "with a sidecar": pod(
        {
            "initContainerStatuses": [
                container("first", RUNNING, started=True, ready=True, restartCount=2, lastState=ended(1))
            ],
            "containerStatuses": [container(state=RUNNING, ready=True, restartCount=1)],
        },
        initContainers=SIDECAR,
    ),
    "initialised though an init container runs": pod(
        {
            "initContainerStatuses": [container("first", RUNNING, restartCount=7)],
            "containerStatuses": [container(state=RUNNING, ready=True)],
            "conditions": [{"type": "Initialized", "status": "True"}],
        },
        initContainers=INITS,
    ),
}

SPEC = {"selector": SELECTOR, "template": TEMPLATE}
JOB = {"template": {"spec": {**POD, "restartPolicy": "Never"}}}
CRON = {"schedule": "0 * * * *", "jobTemplate": {"spec": JOB}}
NODES = {"nodeSelector": {"b": "2", "a": "1"}}


def job(status: Object, **spec: Any) -> Case:
    return of("batch/v1", "jobs", "Job", body={"spec": JOB | spec}, status=status)


def conditions(*kinds: str) -> list[Object]:
    return [{"type": kind, "status": "True", "lastTransitionTime": LONG_AGO} for kind in kinds]


WORKLOADS = {
    "deployment": of(
        "apps/v1",
        "deployments",
        "Deployment",
        body={"spec": SPEC | {"replicas": 3}},
        status={"replicas": 3, "readyReplicas": 2, "updatedReplicas": 1, "availableReplicas": 2},
    ),
    "stateful set": of(
        "apps/v1",
        "statefulsets",
        "StatefulSet",
        body={"spec": SPEC | {"serviceName": "x"}},
        status={"replicas": 1, "readyReplicas": 1},
    ),
    "replica set": of(
        "apps/v1",
        "replicasets",
        "ReplicaSet",
        body={"spec": SPEC},
        status={"replicas": 2, "readyReplicas": 1},
    ),
    "daemon set": of(
        "apps/v1",
        "daemonsets",
        "DaemonSet",
        body={"spec": {"selector": SELECTOR, "template": {**TEMPLATE, "spec": POD | NODES}}},
        status={
            "desiredNumberScheduled": 5,
            "currentNumberScheduled": 4,
            "numberReady": 3,
            "updatedNumberScheduled": 2,
            "numberAvailable": 1,
            "numberMisscheduled": 0,
        },
    ),
    "replication controller": core(
        "replicationcontrollers",
        "ReplicationController",
        body={"spec": {"selector": {"any": "1", "app": "x"}, "template": TEMPLATE, "replicas": 2}},
        status={"replicas": 2},
    ),
    "job": job({"active": 1, "startTime": LONG_AGO}),
    "parallel job": job({}, parallelism=3),
    "indexed job": job({}, completions=4),
    "suspended job": job({"conditions": conditions("Suspended")}, suspend=True),
    "job that will fail": job({"conditions": conditions("FailureTarget"), "startTime": LONG_AGO}),
    "cron job": of("batch/v1", "cronjobs", "CronJob", body={"spec": CRON}),
    "cron job that ran": of(
        "batch/v1",
        "cronjobs",
        "CronJob",
        body={"spec": CRON | {"timeZone": "Etc/UTC", "suspend": True}},
        status={"lastScheduleTime": LONG_AGO, "active": [{"kind": "Job", "name": "x"}]},
    ),
    "pod template": core("podtemplates", "PodTemplate", body={"template": TEMPLATE}),
    "controller revision": of(
        "apps/v1",
        "controllerrevisions",
        "ControllerRevision",
        body={"revision": 7, "data": {}},
        metadata={
            "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "1", "controller": True}
            ]
        },
    ),
    "controller revision of nobody": of(
        "apps/v1", "controllerrevisions", "ControllerRevision", body={"revision": 1, "data": {}}
    ),
}


def metric(kind: str, name: str, **target: Any) -> Object:
    """A metric of an autoscaler that is not a resource."""
    named: Object = {"metric": {"name": name}, "target": target}
    if kind == "Object":
        named["describedObject"] = {"kind": "Service", "name": "s", "apiVersion": "v1"}
    return {"type": kind, kind.lower(): named}


def resource(name: str, **target: Any) -> Object:
    return {"type": "Resource", "resource": {"name": name, "target": target}}


def autoscaler(metrics: list[Object], current: list[Object] | None = None, **spec: Any) -> Case:
    target = {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}
    return of(
        "autoscaling/v2",
        "horizontalpodautoscalers",
        "HorizontalPodAutoscaler",
        body={"spec": {"scaleTargetRef": target, "maxReplicas": 5, "metrics": metrics, **spec}},
        status={"currentReplicas": 2, "desiredReplicas": 2, "currentMetrics": current or []},
    )


PERCENT = {"type": "Utilization", "averageUtilization": 60}
AVERAGE = {"type": "AverageValue", "averageValue": "100m"}
VALUE = {"type": "Value", "value": "10"}
IN_CONTAINER = {
    "type": "ContainerResource",
    "containerResource": {"name": "cpu", "container": "c", "target": PERCENT},
}

AUTOSCALING = {
    "autoscaler": autoscaler([]),
    "of percent": autoscaler(
        [resource("cpu", **PERCENT), resource("memory", **AVERAGE), metric("Pods", "p", **AVERAGE)],
        [
            {
                "type": "Resource",
                "resource": {"name": "cpu", "current": {"averageUtilization": 30, "averageValue": "5m"}},
            },
            {"type": "Resource", "resource": {"name": "memory", "current": {"averageValue": "1Mi"}}},
        ],
        minReplicas=2,
    ),
    "of pods": autoscaler(
        [metric("Pods", "p", **AVERAGE), IN_CONTAINER],
        [{"type": "Pods", "pods": {"metric": {"name": "p"}, "current": {"averageValue": "7"}}}],
    ),
    "of an object": autoscaler(
        [metric("Object", "o", **VALUE), metric("Object", "o", **AVERAGE)],
        [
            {
                "type": "Object",
                "object": {
                    "metric": {"name": "o"},
                    "describedObject": {"kind": "Service", "name": "s"},
                    "current": {"value": "3"},
                },
            }
        ],
    ),
    "of something outside": autoscaler(
        [metric("External", "e", **VALUE), metric("External", "e", **AVERAGE)],
        [
            {"type": "External", "external": {"metric": {"name": "e"}, "current": {"value": "3"}}},
            {"type": "External", "external": {"metric": {"name": "e"}, "current": {"averageValue": "4"}}},
        ],
    ),
    "in the older version": Case(
        "/apis/autoscaling/v1/namespaces/{}/horizontalpodautoscalers",
        "HorizontalPodAutoscaler",
        {
            "spec": {
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"},
                "maxReplicas": 3,
                "targetCPUUtilizationPercentage": 70,
            }
        },
        {"currentReplicas": 1, "desiredReplicas": 1, "currentCPUUtilizationPercentage": 12},
    ),
}
