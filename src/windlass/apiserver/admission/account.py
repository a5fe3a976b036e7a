"""The ServiceAccount that a pod runs as, and what the pod gets of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.account_secret import check_own_secrets, check_secrets, uses_secrets
from windlass.apiserver.admission.refuse import forbidden

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.world import World

Object = dict[str, Any]

_MIRROR: Final = "kubernetes.io/config.mirror"
_ENFORCED: Final = "kubernetes.io/enforce-mountable-secrets"
_YES: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_VOLUME: Final = "kube-api-access-"
_PLACE: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_TOKEN_SECONDS: Final = 3607
"""An hour and a bit: by the odd number a cluster tells these tokens from those that somebody asked for."""


def set_account(pod: Object, world: World) -> None:
    """Let a new pod run as its account, or as the default one of its namespace.

    It gets a token of the account where its containers look for one, and the account's image pull secrets.

    Raises:
        Refusal: 403, there is no such account, or the pod may not use what it uses.
    """
    spec = pod["spec"]
    if not _is_mirror(pod):
        if not spec.get("serviceAccountName"):
            spec["serviceAccountName"] = spec["serviceAccount"] = "default"
        account = _account_of(pod, world)
        if _mounts_token(spec, account):
            _mount_token(spec, world)
        if not spec.get("imagePullSecrets") and account.get("imagePullSecrets"):
            spec["imagePullSecrets"] = [dict(each) for each in account["imagePullSecrets"]]
    check_account(pod, world)


def check_account(pod: Object, world: World) -> None:
    """Hold a new pod to what its account may use.

    Raises:
        Refusal: 403.
    """
    if _is_mirror(pod):
        _check_mirror(pod)
        return
    account = _account_of(pod, world)
    if _is_strict(account):
        check_secrets(pod, account)


def check_added_containers(pod: Object, world: World) -> None:
    """Hold the ephemeral containers of a pod to what its account may use.

    Raises:
        Refusal: 403, there is no such account; 500, one of them uses a secret that it may not use.
    """
    account = _account_of(pod, world)
    if _is_strict(account):
        check_own_secrets(pod, account)


def _is_mirror(pod: Object) -> bool:
    return _MIRROR in (pod["metadata"].get("annotations") or {})


def _check_mirror(pod: Object) -> None:
    """A pod that only shows what a node runs by itself has nothing of the cluster."""
    spec = pod["spec"]
    sources = [
        source
        for volume in spec.get("volumes") or ()
        for source in (volume.get("projected") or {}).get("sources") or ()
    ]
    if spec.get("serviceAccountName"):
        why = "reference service accounts"
    elif uses_secrets(spec):
        why = "reference secrets"
    elif any("serviceAccountToken" in source for source in sources):
        why = "use ServiceAccountToken volume projections"
    else:
        return
    raise forbidden("pods", pod, f"a mirror pod may not {why}")


def _account_of(pod: Object, world: World) -> Object:
    namespace, name = pod["metadata"]["namespace"], pod["spec"].get("serviceAccountName")
    if not name:
        subject = f"{namespace}/{pod['metadata'].get('name', '')}"
        raise forbidden("pods", pod, f"no service account specified for pod {subject}")
    record = world.store.collection("/serviceaccounts").get(f"{namespace}/{name}")
    if record is None:
        why = f'error looking up service account {namespace}/{name}: serviceaccount "{name}" not found'
        raise forbidden("pods", pod, why)
    return record.object()


def _is_strict(account: Object) -> bool:
    return (account["metadata"].get("annotations") or {}).get(_ENFORCED) in _YES


def _mounts_token(spec: Object, account: Object) -> bool:
    for holder in (spec, account):
        wanted = holder.get("automountServiceAccountToken")
        if wanted is not None:
            return bool(wanted)
    return True


def _mount_token(spec: Object, world: World) -> None:
    """Mount a token in every container that mounts nothing else in its place."""
    volumes = spec.setdefault("volumes", [])
    known = next((volume["name"] for volume in volumes if volume["name"].startswith(_VOLUME)), "")
    name = known or _VOLUME + world.suffix()
    needed = False
    for container in _containers(spec):
        mounts = container.setdefault("volumeMounts", [])
        if all(mount.get("mountPath") != _PLACE for mount in mounts):
            mounts.append({"name": name, "readOnly": True, "mountPath": _PLACE})
            needed = True
    if needed and not known:
        volumes.append({"name": name, "projected": _token_source()})
    if not volumes:
        del spec["volumes"]


def _containers(spec: Object) -> Iterator[Object]:
    yield from spec.get("initContainers") or ()
    yield from spec.get("containers") or ()


def _token_source() -> Object:
    authority = {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}
    field = {"apiVersion": "v1", "fieldPath": "metadata.namespace"}
    return {
        "sources": [
            {"serviceAccountToken": {"expirationSeconds": _TOKEN_SECONDS, "path": "token"}},
            {"configMap": authority},
            {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": field}]}},
        ],
        "defaultMode": 0o644,
    }
