"""Jobs and CronJobs that a server refuses."""

from __future__ import annotations

from typing import Any, Final

from broken import ABSENT, Edits, Sample

CONTAINERS: Final = [{"name": "main", "image": "example.com/app:1"}]
TEMPLATE: Final = {"spec": {"restartPolicy": "Never", "containers": CONTAINERS}}


def failing(**rule: Any) -> dict[str, Any]:
    """The policy with one rule about failures."""
    return {"rules": [rule]}


def condition(*names: str) -> list[dict[str, str]]:
    """Conditions that hold."""
    return [{"type": name, "status": "True"} for name in names]


def job_edits(spec: str) -> dict[str, dict[str, Any]]:
    """Edits of the spec of a job that stands at a pointer."""
    pods = f"{spec}/template/spec"
    indexed = {f"{spec}/completionMode": "Indexed", f"{spec}/completions": 3}
    return {
        "negative parallelism": {f"{spec}/parallelism": -1},
        "negative completions": {f"{spec}/completions": -1},
        "a negative deadline and limit": {f"{spec}/activeDeadlineSeconds": -1, f"{spec}/backoffLimit": -1},
        "a negative time to live": {f"{spec}/ttlSecondsAfterFinished": -1},
        "pods that always restart": {f"{pods}/restartPolicy": "Always"},
        "pods of no restart policy": {f"{pods}/restartPolicy": ABSENT},
        "pods of an unknown restart policy": {f"{pods}/restartPolicy": "Unknown"},
        "no containers": {f"{pods}/containers": []},
        "an unknown completion mode": {f"{spec}/completionMode": "Unknown"},
        "indexes without completions": {f"{spec}/completionMode": "Indexed", f"{spec}/parallelism": 1},
        "a limit for each index without indexes": {
            f"{spec}/backoffLimitPerIndex": 1,
            f"{spec}/maxFailedIndexes": 1,
        },
        "failed indexes without a limit": {**indexed, f"{spec}/maxFailedIndexes": 4},
        "too many indexes": {
            f"{spec}/completionMode": "Indexed",
            f"{spec}/completions": 100_001,
            f"{spec}/parallelism": 100_001,
            f"{spec}/backoffLimitPerIndex": 1,
        },
        "a manager without a domain": {f"{spec}/managedBy": "me"},
        "a manager of a bad domain": {f"{spec}/managedBy": f"A.b/{'c' * 64}"},
        "an unknown replacement": {f"{spec}/podReplacementPolicy": "Unknown"},
        "a failure policy for pods that restart": {
            f"{pods}/restartPolicy": "OnFailure",
            f"{spec}/podReplacementPolicy": "TerminatingOrFailed",
            f"{spec}/podFailurePolicy": failing(
                action="Ignore", onPodConditions=[{"type": "a b", "status": "Maybe"}]
            ),
        },
        "a failure rule of nothing": {f"{spec}/podFailurePolicy": failing(action="")},
        "a failure rule of unknown words": {
            f"{spec}/podFailurePolicy": failing(
                action="Unknown", onExitCodes={"operator": "Unknown", "values": [2, 1, 1]}
            )
        },
        "a failure rule of two sorts": {
            f"{spec}/podFailurePolicy": failing(
                action="FailIndex",
                onExitCodes={"operator": "In", "containerName": "none", "values": [0]},
                onPodConditions=[{"type": "Ready"}],
            )
        },
        "too many failure rules": {
            f"{spec}/podFailurePolicy": {
                "rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [1]}}] * 21
            }
        },
        "a success policy without indexes": {f"{spec}/successPolicy": {"rules": [{"succeededCount": 1}]}},
        "a success policy of nothing": {**indexed, f"{spec}/successPolicy": {"rules": []}},
        "a success rule of nothing": {**indexed, f"{spec}/successPolicy": {"rules": [{}]}},
        "success of too many": {
            **indexed,
            f"{spec}/successPolicy": {"rules": [{"succeededCount": 4, "succeededIndexes": "0-1"}]},
        },
        "success of indexes that are none": {
            **indexed,
            f"{spec}/successPolicy": {"rules": [{"succeededIndexes": "1,x"}, {"succeededIndexes": "2,1"}]},
        },
    }


JOB: Final = Sample(
    valid={
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "a"},
        "spec": {"template": TEMPLATE},
    },
    refused={
        **job_edits("/spec"),
        "a name in capitals": {"/metadata/name": "A"},
        "a name too long for a label": {"/metadata/name": "a" * 64},
        "a selector chosen without saying so": {"/spec/selector": {"matchLabels": {"app": "a"}}},
        "no selector though chosen": {"/spec/manualSelector": True},
        "a chosen selector of others": {
            "/spec/manualSelector": True,
            "/spec/selector": {"matchLabels": {"app": "a"}},
        },
        "a name too long for its hosts": {
            "/metadata/name": "a" * 62,
            "/spec/completionMode": "Indexed",
            "/spec/completions": 1,
        },
    },
    frozen={
        "an empty lifecycle": {"/spec/template/spec/containers/0/lifecycle": {}},
        "other completions": {"/spec/completions": 4},
        "another image": {"/spec/template/spec/containers/0/image": "x"},
        "another selector": {"/spec/selector/matchLabels": {"job-name": "a"}},
        "another mode": {"/spec/completionMode": "Indexed"},
        "a manager": {"/spec/managedBy": "example.com/x"},
        "a limit for each index": {"/spec/backoffLimitPerIndex": 1},
        "negative parallelism": {"/spec/parallelism": -1},
        "another label of its pods": {"/spec/template/metadata/labels/a": "b"},
    },
    accepted={
        "a chosen selector": {
            "/spec/manualSelector": True,
            "/spec/selector": {"matchLabels": {"app": "a"}},
            "/spec/template/metadata": {"labels": {"app": "a"}},
        },
        "indexes": {"/spec/completionMode": "Indexed", "/spec/completions": 3},
    },
    changed={
        "more at once": {"/spec/parallelism": 3},
        "a pause": {"/spec/suspend": True},
        "a deadline": {"/spec/activeDeadlineSeconds": 5, "/spec/ttlSecondsAfterFinished": 5},
    },
    status={
        "negative counts": {"/status/active": -1, "/status/succeeded": -1, "/status/terminating": -1},
        "complete and failed": {"/status/conditions": condition("Complete", "Failed", "FailureTarget")},
        "complete without a time": {"/status/conditions": condition("Complete", "SuccessCriteriaMet")},
        "complete with pods left": {
            "/status/conditions": condition("Complete"),
            "/status/startTime": "2020-01-02T00:00:00Z",
            "/status/completionTime": "2020-01-01T00:00:00Z",
            "/status/active": 1,
            "/status/terminating": 1,
            "/status/uncountedTerminatedPods": {"succeeded": ["a", "a"]},
        },
        "a time before the end": {"/status/completionTime": "2020-01-01T00:00:00Z"},
        "failed without a target": {"/status/conditions": condition("Failed", "SuccessCriteriaMet")},
        "indexes of a job without": {"/status/completedIndexes": "0-3", "/status/failedIndexes": "0"},
        "indexes that are none": {"/status/completedIndexes": "x"},
        "more ready than active": {"/status/ready": 1},
    },
)

SUSPENDED: Final = Sample(
    variant="suspended",
    valid={
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "suspended"},
        "spec": {"suspend": True, "template": TEMPLATE},
    },
    refused={},
    frozen={
        "another image": {"/spec/template/spec/containers/0/image": "x"},
        "another account": {"/spec/template/spec/serviceAccountName": "x"},
    },
    changed={
        "other nodes": {"/spec/template/spec/nodeSelector": {"a": "b"}},
        "other resources": {"/spec/template/spec/containers/0/resources": {"requests": {"cpu": "1"}}},
        "other annotations of its pods": {"/spec/template/metadata/annotations": {"a": "b"}},
    },
)

CRON_EDITS: Final[Edits] = {
    "a name in capitals": {"/metadata/name": "A"},
    "a name too long for its jobs": {"/metadata/name": "a" * 53},
    "no schedule": {"/spec/schedule": ""},
    "a schedule of four fields": {"/spec/schedule": "* * * *"},
    "a minute too late": {"/spec/schedule": "60 * * * *"},
    "a month too early": {"/spec/schedule": "* * * 0 *"},
    "a day that is none": {"/spec/schedule": "* * * * someday"},
    "a range backwards": {"/spec/schedule": "5-3 * * * *"},
    "a step of nothing": {"/spec/schedule": "*/0 * * * *"},
    "too many hyphens": {"/spec/schedule": "1-2-3 * * * *"},
    "too many slashes": {"/spec/schedule": "*/1/2 * * * *"},
    "a negative number": {"/spec/schedule": "*/-1 * * * *"},
    "a number too large": {"/spec/schedule": f"{'9' * 30} * * * *"},
    "an unknown word": {"/spec/schedule": "@sometimes"},
    "a duration without a unit": {"/spec/schedule": "@every 5"},
    "a duration of an unknown unit": {"/spec/schedule": "@every 5d"},
    "a duration that is none": {"/spec/schedule": "@every day"},
    "a zone in the schedule": {"/spec/schedule": "TZ=UTC * * * * *"},
    "an unknown zone in the schedule": {"/spec/schedule": "CRON_TZ=Mars/Base * * * * *"},
    "nothing but a zone": {"/spec/schedule": "TZ=0"},
    "an empty zone": {"/spec/timeZone": ""},
    "an unknown zone": {"/spec/timeZone": "Mars/Base"},
    "a zone that steps back": {"/spec/timeZone": "../UTC"},
    "the local zone": {"/spec/timeZone": "Local"},
    "an unknown concurrency": {"/spec/concurrencyPolicy": "Unknown"},
    "a negative deadline": {"/spec/startingDeadlineSeconds": -1},
    "negative histories": {"/spec/successfulJobsHistoryLimit": -1, "/spec/failedJobsHistoryLimit": -1},
    "a selector": {"/spec/jobTemplate/spec/selector": {"matchLabels": {"a": "b"}}},
    "a selector to be chosen": {"/spec/jobTemplate/spec/manualSelector": True},
}

CRON_JOB: Final = Sample(
    valid={
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "a"},
        "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": TEMPLATE}}},
    },
    refused={**CRON_EDITS, **job_edits("/spec/jobTemplate/spec")},
    frozen={
        "a schedule of four fields": {"/spec/schedule": "* * * *"},
        "a zone in the schedule": {"/spec/schedule": "TZ=UTC * * * * *"},
        "an unknown zone": {"/spec/timeZone": "Mars/Base"},
        "pods that always restart": {"/spec/jobTemplate/spec/template/spec/restartPolicy": "Always"},
    },
    accepted={
        "names and steps": {"/spec/schedule": "*/5 0-23/2 ? jan-MAR Mon,FRI"},
        "a duration": {"/spec/schedule": "@every 1h30m5.5s"},
        "a zone": {"/spec/timeZone": "Europe/Berlin"},
        "an empty field": {"/spec/schedule": ", * * * *"},
    },
    changed={
        "another schedule": {"/spec/schedule": "@hourly"},
        "another job": {"/spec/jobTemplate/spec/template/spec/containers/0/image": "x"},
    },
)

SAMPLES: Final = (JOB, SUSPENDED, CRON_JOB)
