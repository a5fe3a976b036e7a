"""Roles and bindings in a store, for tests of who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.apiserver.store import Store

GROUP = "rbac.authorization.k8s.io"

Object = dict[str, Any]


def put(store: Store, plural: str, obj: Object) -> None:
    """Store an object in the place of the one of its name."""
    meta = obj["metadata"]
    namespace = meta.get("namespace")
    key = f"{namespace}/{meta['name']}" if namespace else meta["name"]
    collection = store.collection(plural if "/" in plural else f"{GROUP}/{plural}")
    collection.put(key, obj, collection.get(key))


def remove(store: Store, plural: str, key: str) -> None:
    """Remove an object that is there."""
    collection = store.collection(f"{GROUP}/{plural}")
    record = collection.get(key)
    assert record is not None
    collection.delete(key, record)


def role(name: str, *rules: Object, namespace: str = "") -> Object:
    """A Role, or without a namespace a ClusterRole."""
    return {"metadata": _meta(name, namespace), "rules": list(rules)}


def binding(name: str, role_name: str, *subjects: Object, namespace: str = "", kind: str = "") -> Object:
    """A binding to a Role, or without a namespace to a ClusterRole, unless `kind` says otherwise."""
    reference = {
        "apiGroup": GROUP,
        "kind": kind or ("Role" if namespace else "ClusterRole"),
        "name": role_name,
    }
    return {"metadata": _meta(name, namespace), "roleRef": reference, "subjects": list(subjects)}


def rule(group: str, resources: str, verbs: str, **more: Any) -> Object:
    """A rule; resources and verbs are words with blanks between them."""
    return {"apiGroups": [group], "resources": resources.split(), "verbs": verbs.split(), **more}


def user(name: str) -> Object:
    """A user as the subject of a binding."""
    return {"kind": "User", "apiGroup": GROUP, "name": name}


def group(name: str) -> Object:
    """A group as the subject of a binding."""
    return {"kind": "Group", "apiGroup": GROUP, "name": name}


def account(name: str, namespace: str = "") -> Object:
    """A service account as the subject of a binding."""
    subject = {"kind": "ServiceAccount", "name": name}
    return {**subject, "namespace": namespace} if namespace else subject


def _meta(name: str, namespace: str) -> Object:
    return {"name": name, "namespace": namespace} if namespace else {"name": name}
