"""The conditions of a definition."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from windlass.apiserver.outside import bundle_problem

Object = dict[str, Any]

_KNOWN: Final = frozenset({"type", "status", "lastTransitionTime", "reason", "message"})


class Condition(NamedTuple):
    """What is to be said of a definition: a condition without its time."""

    type: str
    status: Literal["True", "False"]
    reason: str
    message: str


NOT_ACCEPTED: Final = Condition("Established", "False", "NotAccepted", "not all names are accepted")
INSTALLING: Final = Condition("Established", "False", "Installing", "the initial names have been accepted")
ESTABLISHED: Final = Condition(
    "Established", "True", "InitialNamesAccepted", "the initial names have been accepted"
)
INVALID_BUNDLE: Final = Condition(
    "Established", "False", "InvalidCABundle", "The conversion webhook CABundle is invalid"
)
MARKED: Final = Condition(
    "Terminating",
    "True",
    "InstanceDeletionPending",
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
)
EMPTYING: Final = Condition(
    "Terminating", "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress"
)
EMPTIED: Final = Condition("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
NEVER_SERVED: Final = Condition("Terminating", "False", "NeverEstablished", "resource was never established")
OVERLAPPING: Final = Condition(
    "Terminating",
    "False",
    "OverlappingBuiltInResource",
    "instances overlap with built-in resources in storage",
)


def condition_of(crd: Object, kind: str) -> Object:
    """A condition of a definition by its type, empty when it has none."""
    for each in crd.get("status", {}).get("conditions") or ():
        if each["type"] == kind:
            found: Object = each
            return found
    return {}


def is_true(crd: Object, kind: str) -> bool:
    """Whether a condition holds."""
    return condition_of(crd, kind).get("status") == "True"


def establishment(crd: Object) -> Condition:
    """The condition that a definition gets once it has its names."""
    webhook = (crd["spec"].get("conversion") or {}).get("webhook") or {}
    bundle = (webhook.get("clientConfig") or {}).get("caBundle")
    return INVALID_BUNDLE if bundle and bundle_problem(bundle) else ESTABLISHED


def set_condition(crd: Object, condition: Condition, now: str) -> bool:
    """Set a condition, whose time moves with its status only; whether anything changed."""
    conditions = crd["status"].get("conditions")
    if conditions is None:
        conditions = crd["status"]["conditions"] = []
    for index, each in enumerate(conditions):
        if each["type"] == condition.type:
            moved = each["lastTransitionTime"] if each["status"] == condition.status else now
            replaced = conditions[index] = _written(condition, moved) | _besides(each)
            return bool(replaced != each)
    conditions.append(_written(condition, now))
    return True


def _written(condition: Condition, time: str) -> Object:
    """A condition as it is stored, its fields in the usual order."""
    return {
        "type": condition.type,
        "status": condition.status,
        "lastTransitionTime": time,
        "reason": condition.reason,
        "message": condition.message,
    }


def _besides(stored: Object) -> Object:
    """The fields of a stored condition that we do not know, and leave alone."""
    return {name: value for name, value in stored.items() if name not in _KNOWN}
