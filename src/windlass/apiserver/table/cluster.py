"""Rows of nodes, namespaces, events and the small kinds of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.age import UNKNOWN, since
from windlass.apiserver.table.layout import NONE, KindLayout, columns
from windlass.apiserver.table.text import age, condition, name, part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    Object = dict[str, Any]

_ROLE_PREFIX: Final = "node-role.kubernetes.io/"
_ROLE: Final = "kubernetes.io/role"


def _node(obj: Object, now: datetime) -> list[Any]:
    info = part(obj, "status", "nodeInfo")
    kernel = info.get("kernelVersion") or UNKNOWN
    architecture = info.get("architecture")
    return [
        name(obj),
        ",".join(_node_states(obj)),
        ",".join(_node_roles(obj)) or NONE,
        age(obj, now),
        info.get("kubeletVersion", ""),
        _address(obj, "InternalIP"),
        _address(obj, "ExternalIP"),
        info.get("osImage") or UNKNOWN,
        f"{kernel} ({architecture})" if architecture else kernel,
        info.get("containerRuntimeVersion") or UNKNOWN,
    ]


def _node_states(node: Object) -> Iterator[str]:
    ready = condition(node, "Ready")
    if ready is None:
        yield "Unknown"
    else:
        yield "Ready" if ready.get("status") == "True" else "NotReady"
    if part(node, "spec").get("unschedulable"):
        yield "SchedulingDisabled"


def _node_roles(node: Object) -> list[str]:
    labels = part(node, "metadata", "labels")
    roles = {key.removeprefix(_ROLE_PREFIX) for key in labels if key.startswith(_ROLE_PREFIX)}
    roles.add(labels.get(_ROLE, ""))
    return sorted(roles - {""})


def _address(node: Object, kind: str) -> str:
    found = part(node, "status").get("addresses") or ()
    return next((each.get("address", "") for each in found if each.get("type") == kind), NONE)


def _namespace(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), part(obj, "status").get("phase", ""), age(obj, now)]


def _event(obj: Object, now: datetime) -> list[Any]:
    """The row of an event in either of its groups, which name the same things differently."""
    first, last, count = _event_times(obj, now)
    about = obj.get("involvedObject") or obj.get("regarding") or {}
    source = obj.get("source") or obj.get("deprecatedSource") or {}
    component = (
        source.get("component") or obj.get("reportingComponent") or obj.get("reportingController") or ""
    )
    instance = source.get("host") or obj.get("reportingInstance") or ""
    kind = about.get("kind", "").lower()
    return [
        last,
        obj.get("type", ""),
        obj.get("reason", ""),
        f"{kind}/{about['name']}" if about.get("name") else kind,
        about.get("fieldPath", ""),
        f"{component}, {instance}" if instance else component,
        (obj.get("message") or obj.get("note") or "").strip(),
        first,
        count,
        name(obj),
    ]


def _event_times(event: Object, now: datetime) -> tuple[str, str, int]:
    """When an event was first and last seen, and how often."""
    started = event.get("firstTimestamp") or event.get("deprecatedFirstTimestamp") or event.get("eventTime")
    ended = event.get("lastTimestamp") or event.get("deprecatedLastTimestamp") or started
    series = event.get("series")
    if series is not None:
        return since(started, now), since(series.get("lastObservedTime"), now), series.get("count", 0)
    count = event.get("count") or event.get("deprecatedCount") or 1
    return since(started, now), since(ended, now), count


def _config_map(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), len(obj.get("data") or ()) + len(obj.get("binaryData") or ()), age(obj, now)]


def _secret(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), obj.get("type", ""), len(obj.get("data") or ()), age(obj, now)]


def _name_and_age(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), age(obj, now)]


def _quota(obj: Object, now: datetime) -> list[Any]:
    hard, used = part(obj, "status", "hard"), part(obj, "status", "used")
    texts = {key: f"{key}: {used.get(key, '0')}/{hard[key]}" for key in sorted(hard)}
    limits = ", ".join(text for key, text in texts.items() if key.startswith("limits."))
    requests = ", ".join(text for key, text in texts.items() if not key.startswith("limits."))
    return [name(obj), requests, limits, age(obj, now)]


def _component_status(obj: Object, _now: datetime) -> list[Any]:
    found = next((each for each in obj.get("conditions") or () if each.get("type") == "Healthy"), None)
    if found is None:
        return [name(obj), "Unknown", "", ""]
    state = "Healthy" if found.get("status") == "True" else "Unhealthy"
    return [name(obj), state, found.get("message", ""), found.get("error", "")]


def _lease(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), part(obj, "spec").get("holderIdentity") or "", age(obj, now)]


def _priority_class(obj: Object, now: datetime) -> list[Any]:
    default, policy = obj.get("globalDefault", False), obj.get("preemptionPolicy", "")
    return [name(obj), obj.get("value", 0), default, age(obj, now), policy]


def _runtime_class(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), obj.get("handler", ""), age(obj, now)]


NODE: Final = KindLayout(
    columns(
        "Name",
        "Status",
        "Roles",
        "Age",
        "Version",
        "+Internal-IP",
        "+External-IP",
        "+OS-Image",
        "+Kernel-Version",
        "+Container-Runtime",
    ),
    _node,
)
NAMESPACE: Final = KindLayout(columns("Name", "Status", "Age"), _namespace)
EVENT: Final = KindLayout(
    columns(
        "Last Seen",
        "Type",
        "Reason",
        "Object",
        "+Subobject",
        "+Source",
        "Message",
        "+First Seen",
        "+Count",
        "+Name",
    ),
    _event,
)
CONFIG_MAP: Final = KindLayout(columns("Name", "Data", "Age"), _config_map)
SECRET: Final = KindLayout(columns("Name", "Type", "Data", "Age"), _secret)
SERVICE_ACCOUNT: Final = KindLayout(columns("Name", "Age"), _name_and_age)
RESOURCE_QUOTA: Final = KindLayout(columns("Name", "Request", "Limit", "Age"), _quota)
COMPONENT_STATUS: Final = KindLayout(columns("Name", "Status", "Message", "Error"), _component_status)
LEASE: Final = KindLayout(columns("Name", "Holder", "Age"), _lease)
PRIORITY_CLASS: Final = KindLayout(
    columns("Name", "Value:integer", "Global-Default:boolean", "Age", "PreemptionPolicy"), _priority_class
)
RUNTIME_CLASS: Final = KindLayout(columns("Name", "Handler", "Age"), _runtime_class)
