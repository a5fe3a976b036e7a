"""Pods and sets as pure functions of controllers see them, each in a word or two."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from windlass.kinds.apps.v1 import DaemonSet, StatefulSet
from windlass.kinds.core.v1 import Node, Pod

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_SPEC = {"selector": {"matchLabels": {"app": "web"}}}
_TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "main"}]}}


def pod(name: str, state: str = "ready", revision: str = "new", *, node: str = "", age: int = 60) -> Pod:
    """A pod that is `pending`, `running`, `ready` since `age` seconds, `failed`, `succeeded` or `going`."""
    phases = {"ready": "Running", "running": "Running", "going": "Running"}
    since = (NOW - timedelta(seconds=age)).isoformat()
    conditions = [{"type": "Ready", "status": "True", "lastTransitionTime": since}]
    going = {"deletionTimestamp": NOW.isoformat()} if state == "going" else {}
    metadata = {
        "name": name,
        "uid": f"uid of {name}",
        "labels": {"app": "web", "controller-revision-hash": revision},
        "creationTimestamp": since,
        **going,
    }
    status = {
        "phase": phases.get(state, state.title()),
        "conditions": conditions if state in ("ready", "going") else [],
    }
    spec: dict[str, Any] = {"containers": [], **({"nodeName": node} if node else {})}
    return Pod.from_wire({"metadata": metadata, "spec": spec, "status": status})


def stateful(replicas: int, **spec: Any) -> StatefulSet:
    """A StatefulSet `web`."""
    metadata = {"name": "web", "namespace": "shop", "uid": "uid of the set", "generation": 7}
    whole = {**_SPEC, "template": _TEMPLATE, "replicas": replicas, **spec}
    return StatefulSet.from_wire({"metadata": metadata, "spec": whole})


def daemons(template: dict[str, Any] | None = None, **rolling: Any) -> DaemonSet:
    """A DaemonSet `web`, perhaps with limits of its rolling update, or another strategy in words."""
    kind = rolling.pop("type", "RollingUpdate")
    strategy = {"type": kind, **({"rollingUpdate": rolling} if rolling else {})}
    pods = {**_TEMPLATE, "spec": {**_TEMPLATE["spec"], **(template or {})}}  # type: ignore[dict-item]
    whole = {**_SPEC, "template": pods, "updateStrategy": strategy}
    return DaemonSet.from_wire({"metadata": {"name": "web", "namespace": "shop"}, "spec": whole})


def host(name: str, *taints: tuple[str, str], **labels: str) -> Node:
    """A node with taints, each by its key and effect, and labels."""
    spec = {"taints": [{"key": key, "effect": effect} for key, effect in taints]}
    return Node.from_wire({"metadata": {"name": name, "labels": labels}, "spec": spec})
