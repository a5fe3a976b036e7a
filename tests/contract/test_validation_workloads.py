"""validation: of Deployments, StatefulSets, Jobs and CronJobs, with the field and message of each fault."""

import pytest

from contract import Api, Object
from contract_writes import assert_invalid, collection, container, matching, pod_template, resource

SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'…"
PERCENT = "a valid percent string must be a numeric string followed by an ending '%'…"
RUN_ONCE = {"spec": {"containers": [container()], "restartPolicy": "Never"}}


def workload(kind: str, name: str = "a", **spec: object) -> Object:
    spec = {"selector": matching(), "template": pod_template(), **spec}
    return resource("apps/v1", kind, name, spec=spec)


def rolling(**update: object) -> Object:
    return workload("Deployment", strategy={"rollingUpdate": update})


def job(**spec: object) -> Object:
    return resource("batch/v1", "Job", spec={"template": RUN_ONCE, **spec})


def cron_job(name: str = "a", **spec: object) -> Object:
    spec = {"schedule": "@daily", "jobTemplate": {"spec": {"template": RUN_ONCE}}, **spec}
    return resource("batch/v1", "CronJob", name, spec=spec)


FAULTS: dict[str, tuple[Object, str, str]] = {
    "negative replicas": (
        workload("Deployment", replicas=-1),
        "spec.replicas",
        "Invalid value: -1: must be greater than or equal to 0",
    ),
    "a selector that misses the template": (
        workload("Deployment", selector={"matchLabels": {"app": "other"}}),
        "spec.template.metadata.labels",
        'Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ),
    "an empty selector": (
        workload("Deployment", selector={}),
        "spec.selector",
        "Invalid value: {}: empty selector is invalid for deployment",
    ),
    "pods that do not restart": (
        workload("Deployment", template=pod_template(restartPolicy="Never")),
        "spec.template.spec.restartPolicy",
        'Unsupported value: "Never": supported values: "Always"',
    ),
    "a template without containers": (
        workload("Deployment", template=pod_template(containers=[])),
        "spec.template.spec.containers",
        "Required value",
    ),
    "an unknown strategy": (
        workload("Deployment", strategy={"type": "Unknown"}),
        "spec.strategy",
        "Unsupported value: …",
    ),
    "a rolling update for recreation": (
        workload("Deployment", strategy={"type": "Recreate", "rollingUpdate": {}}),
        "spec.strategy.rollingUpdate",
        "Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ),
    "a rolling update that cannot move": (
        rolling(maxSurge=0, maxUnavailable=0),
        "spec.strategy.rollingUpdate.maxUnavailable",
        "Invalid value: 0: may not be 0 when `maxSurge` is 0",
    ),
    "a surge that is no percentage": (
        rolling(maxSurge="10"),
        "spec.strategy.rollingUpdate.maxSurge",
        f'Invalid value: "10": {PERCENT}',
    ),
    "more than all unavailable": (
        rolling(maxUnavailable="101%"),
        "spec.strategy.rollingUpdate.maxUnavailable",
        'Invalid value: "101%": must not be greater than 100%',
    ),
    "a deadline before pods can be ready": (
        workload("Deployment", progressDeadlineSeconds=5, minReadySeconds=5),
        "spec.progressDeadlineSeconds",
        "Invalid value: 5: must be greater than minReadySeconds",
    ),
    "a name in capitals": (
        workload("Deployment", "a.B"),
        "metadata.name",
        f'Invalid value: "a.B": {SUBDOMAIN}',
    ),
    "a stateful set's unknown pod management": (
        workload("StatefulSet", podManagementPolicy="Unknown"),
        "spec.podManagementPolicy",
        "Invalid value: \"Unknown\": must be 'OrderedReady' or 'Parallel'",
    ),
    "a job whose pods always restart": (
        job(template=pod_template()),
        "spec.template.spec.restartPolicy",
        'Required value: valid values: "OnFailure", "Never"',
    ),
    "a job with negative parallelism": (
        job(parallelism=-1),
        "spec.parallelism",
        "Invalid value: -1: must be greater than or equal to 0",
    ),
    "a schedule of four fields": (
        cron_job(schedule="* * * *"),
        "spec.schedule",
        'Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
    ),
    "a schedule out of range": (
        cron_job(schedule="60 * * * *"),
        "spec.schedule",
        'Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
    ),
    "no schedule": (cron_job(schedule=""), "spec.schedule", "Required value"),
    "a schedule with a time zone": (
        cron_job(schedule="TZ=UTC * * * * *"),
        "spec.schedule",
        (
            'Invalid value: "TZ=UTC * * * * *": '
            "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"
        ),
    ),
    "an unknown time zone": (
        cron_job(timeZone="Mars/Olympus"),
        "spec.timeZone",
        'Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus',
    ),
    "an unknown concurrency policy": (
        cron_job(concurrencyPolicy="Unknown"),
        "spec.concurrencyPolicy",
        'Unsupported value: "Unknown": supported values: "Allow", "Forbid", "Replace"',
    ),
    "a cron job's name too long for its jobs": (
        cron_job("a" * 53),
        "metadata.name",
        f'Invalid value: "{"a" * 53}": must be no more than 52 characters',
    ),
}


@pytest.mark.parametrize(("body", "field", "message"), FAULTS.values(), ids=FAULTS.keys())
async def test_a_workload_is_refused_for(
    api: Api, namespace: str, body: Object, field: str, message: str
) -> None:
    reply = await api.create(collection(namespace, body), body)

    assert_invalid(reply, body, (field, message))


async def test_a_missing_selector_matches_nothing(api: Api, namespace: str) -> None:
    body = workload("Deployment", selector=None)

    reply = await api.create(collection(namespace, body), body)

    assert_invalid(
        reply,
        body,
        ("spec.selector", "Required value"),
        ("spec.template.metadata.labels", "Invalid value: …"),
    )


@pytest.mark.parametrize(
    ("requirement", "field", "message"),
    [
        (
            {"key": "app", "operator": "In"},
            "values",
            "Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ),
        (
            {"key": "app", "operator": "Unknown", "values": ["a"]},
            "operator",
            'Invalid value: "Unknown": not a valid selector operator',
        ),
    ],
    ids=["no values", "unknown operator"],
)
async def test_a_malformed_requirement_is_named_with_its_selector(
    api: Api, namespace: str, requirement: Object, field: str, message: str
) -> None:
    body = workload("Deployment", selector={"matchExpressions": [requirement]})

    reply = await api.create(collection(namespace, body), body)

    assert_invalid(
        reply,
        body,
        ("spec.selector", "Invalid value: …"),
        (f"spec.selector.matchExpressions[0].{field}", message),
    )


async def test_a_job_chooses_its_own_selector(api: Api, namespace: str) -> None:
    body = job(selector=matching())

    reply = await api.create(collection(namespace, body), body)

    assert_invalid(
        reply,
        body,
        ("spec.selector", "Invalid value: …"),
        ("spec.template.metadata.labels", "Invalid value: …"),
    )


@pytest.mark.parametrize("replicas", [3_000_000_000, 1.5, "1"], ids=str)
async def test_replicas_that_are_no_32_bit_integer_are_a_bad_request(
    api: Api, namespace: str, replicas: object
) -> None:
    body = workload("Deployment", replicas=replicas)

    message = (await api.create(collection(namespace, body), body)).refused(400, "BadRequest")["message"]

    assert message.startswith('Deployment in version "v1" cannot be handled as a Deployment: ')
    assert message.endswith("spec.replicas of type int32")


@pytest.mark.parametrize("schedule", ["*/5 0-23/2 * JAN-MAR MON", "@hourly", "@every 1h30m"])
async def test_a_schedule_may_use_names_steps_and_shorthands(api: Api, namespace: str, schedule: str) -> None:
    body = cron_job(schedule=schedule)

    assert (await api.create(collection(namespace, body), body)).status == 201
