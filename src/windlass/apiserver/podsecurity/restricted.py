"""The restricted standard: what hardened pods say, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.podsecurity.baseline import seccomp_fields, seccomp_type
from windlass.apiserver.podsecurity.subject import Violation, context_of, quoted, several, told

if TYPE_CHECKING:
    from windlass.apiserver.podsecurity.subject import Subject

Fields = dict[str, Any]

_VOLUMES: Final = frozenset(
    {
        *("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim"),
        *("projected", "secret"),
    }
)
_WINDOWS: Final = 25
_OWN_USERS: Final = 35


def escalation(pod: Subject) -> Violation | None:
    """No process gets more privileges than the one that started it."""
    if _is_exempt(pod):
        return None
    names = pod.contained(
        lambda container: context_of(container).get("allowPrivilegeEscalation") is not False
    )
    if not names:
        return None
    detail = f"{told(names)} must set securityContext.allowPrivilegeEscalation=false"
    return Violation("allowPrivilegeEscalation != false", detail)


def capabilities(pod: Subject) -> Violation | None:
    """Containers give up all capabilities but that to listen on low ports."""
    if _is_exempt(pod):
        return None
    added: set[str] = set()

    def adds(container: Fields) -> bool:
        given = (context_of(container).get("capabilities") or {}).get("add") or ()
        more = set(given) - {"NET_BIND_SERVICE"}
        added.update(more)
        return bool(more)

    def keeps(container: Fields) -> bool:
        return "ALL" not in ((context_of(container).get("capabilities") or {}).get("drop") or ())

    details = []
    if keeping := pod.contained(keeps):
        details.append(f'{told(keeping)} must set securityContext.capabilities.drop=["ALL"]')
    if adding := pod.contained(adds):
        listed = quoted(sorted(added))
        details.append(f"{told(adding)} must not include {listed} in securityContext.capabilities.add")
    return Violation("unrestricted capabilities", "; ".join(details)) if details else None


def volumes(pod: Subject) -> Violation | None:
    """Volumes are made of what the cluster knows."""
    wrong = [volume for volume in pod.spec.get("volumes") or () if _VOLUMES.isdisjoint(volume)]
    if not wrong:
        return None
    names = [volume["name"] for volume in wrong]
    types = sorted({next(iter(volume.keys() - {"name"}), "unknown") for volume in wrong})
    use = f"{several(names, 'uses', 'use')} {several(types, 'restricted volume type')}"
    return Violation("restricted volume types", f"{told(names, 'volume')} {use} {quoted(types)}")


def non_root(pod: Subject) -> Violation | None:
    """Every container must run as somebody else than root, unless the users of the pod are its own."""
    if _has_own_users(pod):
        return None
    setters = pod.setters(lambda context: context.get("runAsNonRoot") is False)
    reason = "runAsNonRoot != true"
    if setters:
        return Violation(reason, f"{setters} must not set securityContext.runAsNonRoot=false")
    if pod.context.get("runAsNonRoot"):
        return None
    names = pod.contained(lambda container: context_of(container).get("runAsNonRoot") is None)
    if not names:
        return None
    return Violation(reason, f"pod or {told(names)} must set securityContext.runAsNonRoot=true")


def user(pod: Subject) -> Violation | None:
    """No container runs as root, unless the users of the pod are its own."""
    if _has_own_users(pod):
        return None
    setters = pod.setters(lambda context: context.get("runAsUser") == 0)
    return Violation("runAsUser=0", f"{setters} must not set runAsUser=0") if setters else None


def seccomp(pod: Subject) -> Violation | None:
    """Every container has a profile of seccomp: the runtime's, or one of the node's."""
    if _is_exempt(pod):
        return None
    wrong = seccomp_fields(pod)
    if wrong or seccomp_type(pod.context) is not None:
        return wrong
    names = pod.contained(lambda container: seccomp_type(context_of(container)) is None)
    if not names:
        return None
    detail = f'{told(names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    return Violation("seccompProfile", f"pod or {detail}")


def _is_exempt(pod: Subject) -> bool:
    return pod.minor >= _WINDOWS and pod.is_on_windows


def _has_own_users(pod: Subject) -> bool:
    return pod.minor >= _OWN_USERS and pod.has_own_users
