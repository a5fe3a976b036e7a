"""More objects to send, and what is often asked of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract import Object, Reply


def version_of(reply: Reply) -> str:
    """The resourceVersion of the object in a successful answer."""
    return str(reply.ok()["metadata"]["resourceVersion"])


def generation_of(reply: Reply) -> int:
    """The generation of the object in a successful answer."""
    return int(reply.ok()["metadata"]["generation"])


def with_metadata(obj: Object, **metadata: Any) -> Object:
    """The same object with more metadata."""
    return {**obj, "metadata": {**obj.get("metadata", {}), **metadata}}


def with_spec(obj: Object, **spec: Any) -> Object:
    """The same object with other fields in its spec."""
    return {**obj, "spec": {**obj.get("spec", {}), **spec}}


def warning(text: str) -> str:
    """The value of the Warning header that carries this text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{escaped}"'


def namespace_object(name: str, **metadata: Any) -> Object:
    """A Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **metadata}}


def secret(name: str, **fields: Any) -> Object:
    """A Secret; `data`, `stringData` and `type` are given as they are."""
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, **fields}


def service(name: str, **spec: Any) -> Object:
    """A Service with one port."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name},
        "spec": {"ports": [{"port": 80}], **spec},
    }


def service_account(name: str) -> Object:
    """A ServiceAccount."""
    return {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}}


def lease(name: str, **spec: Any) -> Object:
    """A Lease."""
    return {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": name},
        "spec": spec,
    }


def job(name: str) -> Object:
    """A Job that runs one container once."""
    containers = [{"name": "main", "image": "example.com/app:1"}]
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": containers}}},
    }


def role(name: str, *rules: Object) -> Object:
    """A Role with these rules."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": name},
        "rules": list(rules),
    }


def role_binding(name: str, role_name: str, *users: str) -> Object:
    """A RoleBinding of users to a Role."""
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role_name},
        "subjects": [{"kind": "User", "name": user} for user in users],
    }


def rule(group: str, resources: str, verbs: str, **more: Any) -> Object:
    """A rule; resources and verbs are words with blanks between them."""
    return {"apiGroups": [group], "resources": resources.split(), "verbs": verbs.split(), **more}


def disruption_budget(name: str, app: str) -> Object:
    """A PodDisruptionBudget that wants one pod with this `app` label to stay."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": app}}},
    }


def event(name: str, involved: Mapping[str, str], **fields: Any) -> Object:
    """An Event of the core group."""
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name},
        "involvedObject": dict(involved),
        **fields,
    }
