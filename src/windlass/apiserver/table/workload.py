"""Rows of what runs pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.age import human, moment, since
from windlass.apiserver.table.layout import NONE, KindLayout, columns
from windlass.apiserver.table.text import age, condition, containers, flag, labels, name, part, selector

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_TEMPLATE: Final = ("+Containers", "+Images", "+Selector")
_JOB_ENDS: Final = ("Complete", "Failed")
_JOB_STATES: Final = ("Suspended", "FailureTarget", "SuccessCriteriaMet")


def _deployment(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    return [
        name(obj),
        _ready(obj),
        status.get("updatedReplicas", 0),
        status.get("availableReplicas", 0),
        age(obj, now),
        *containers(part(spec, "template")),
        selector(spec.get("selector")),
    ]


def _stateful_set(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), _ready(obj), age(obj, now), *containers(part(obj, "spec", "template"))]


def _replica_set(obj: Object, now: datetime) -> list[Any]:
    return [*_replicas(obj, now), selector(part(obj, "spec").get("selector")) or NONE]


def _replication_controller(obj: Object, now: datetime) -> list[Any]:
    return [*_replicas(obj, now), labels(part(obj, "spec").get("selector"))]


def _daemon_set(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    numbers = (
        "desiredNumberScheduled",
        "currentNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
    )
    return [
        name(obj),
        *(status.get(each, 0) for each in numbers),
        labels(part(spec, "template", "spec").get("nodeSelector")),
        age(obj, now),
        *containers(part(spec, "template")),
        selector(spec.get("selector")) or NONE,
    ]


def _job(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    return [
        name(obj),
        _job_state(obj),
        _completions(obj),
        _job_duration(part(obj, "status"), now),
        age(obj, now),
        *containers(part(spec, "template")),
        selector(spec.get("selector")) or NONE,
    ]


def _cron_job(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    job, last = part(spec, "jobTemplate", "spec"), status.get("lastScheduleTime")
    return [
        name(obj),
        spec.get("schedule", ""),
        NONE if spec.get("timeZone") is None else spec["timeZone"],
        flag(spec.get("suspend")),
        len(status.get("active") or ()),
        NONE if last is None else since(last, now),
        age(obj, now),
        *containers(part(job, "template")),
        selector(job.get("selector")) or NONE,
    ]


def _pod_template(obj: Object, _now: datetime) -> list[Any]:
    template = part(obj, "template")
    return [name(obj), *containers(template), labels(part(template, "metadata").get("labels"))]


def _controller_revision(obj: Object, now: datetime) -> list[Any]:
    owners = obj["metadata"].get("ownerReferences") or ()
    controller = next((_owner(each) for each in owners if each.get("controller")), NONE)
    return [name(obj), controller, obj.get("revision", 0), age(obj, now)]


def _ready(obj: Object) -> str:
    return f"{part(obj, 'status').get('readyReplicas', 0)}/{part(obj, 'spec').get('replicas', 0)}"


def _replicas(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    numbers = [spec.get("replicas", 0), status.get("replicas", 0), status.get("readyReplicas", 0)]
    return [name(obj), *numbers, age(obj, now), *containers(part(spec, "template"))]


def _completions(job: Object) -> str:
    spec, done = part(job, "spec"), part(job, "status").get("succeeded", 0)
    if spec.get("completions") is not None:
        return f"{done}/{spec['completions']}"
    parallel = spec.get("parallelism") or 0
    return f"{done}/1 of {parallel}" if parallel > 1 else f"{done}/1"


def _job_duration(status: Object, now: datetime) -> str:
    started = moment(status.get("startTime") or "")
    if started is None:
        return ""
    return human((moment(status.get("completionTime") or "") or now) - started)


def _job_state(job: Object) -> str:
    for kind in _JOB_ENDS:
        if _holds(job, kind):
            return kind
    if job["metadata"].get("deletionTimestamp") is not None:
        return "Terminating"
    return next((kind for kind in _JOB_STATES if _holds(job, kind)), "Running")


def _holds(obj: Object, kind: str) -> bool:
    return (condition(obj, kind) or {}).get("status") == "True"


def _owner(reference: Object) -> str:
    group = reference.get("apiVersion", "").rpartition("/")[0]
    kind = f"{reference['kind']}.{group}" if group else reference["kind"]
    return f"{kind.lower()}/{reference['name']}"


DEPLOYMENT: Final = KindLayout(
    columns("Name", "Ready", "Up-to-date", "Available", "Age", *_TEMPLATE), _deployment
)
STATEFUL_SET: Final = KindLayout(columns("Name", "Ready", "Age", "+Containers", "+Images"), _stateful_set)
_REPLICAS: Final = columns("Name", "Desired:integer", "Current:integer", "Ready:integer", "Age", *_TEMPLATE)
REPLICA_SET: Final = KindLayout(_REPLICAS, _replica_set)
REPLICATION_CONTROLLER: Final = KindLayout(_REPLICAS, _replication_controller)
DAEMON_SET: Final = KindLayout(
    columns(
        "Name",
        "Desired:integer",
        "Current:integer",
        "Ready:integer",
        "Up-to-date:integer",
        "Available:integer",
        "Node Selector",
        "Age",
        *_TEMPLATE,
    ),
    _daemon_set,
)
JOB: Final = KindLayout(columns("Name", "Status", "Completions", "Duration", "Age", *_TEMPLATE), _job)
CRON_JOB: Final = KindLayout(
    columns(
        "Name",
        "Schedule",
        "Timezone",
        "Suspend:boolean",
        "Active:integer",
        "Last Schedule",
        "Age",
        *_TEMPLATE,
    ),
    _cron_job,
)
POD_TEMPLATE: Final = KindLayout(columns("Name", "Containers", "Images", "Pod Labels"), _pod_template)
CONTROLLER_REVISION: Final = KindLayout(
    columns("Name", "Controller", "Revision", "Age"), _controller_revision
)
