"""The conditions of a definition."""

from __future__ import annotations

from typing import Any, Final

from windlass.apiserver.crd.bundle import bundle_problem

Object = dict[str, Any]

_ORDER: Final = ("type", "status", "lastTransitionTime", "reason", "message")

NOT_ACCEPTED: Final[Object] = {
    "type": "Established",
    "status": "False",
    "reason": "NotAccepted",
    "message": "not all names are accepted",
}
INSTALLING: Final[Object] = {
    "type": "Established",
    "status": "False",
    "reason": "Installing",
    "message": "the initial names have been accepted",
}
ESTABLISHED: Final[Object] = {
    "type": "Established",
    "status": "True",
    "reason": "InitialNamesAccepted",
    "message": "the initial names have been accepted",
}
INVALID_BUNDLE: Final[Object] = {
    "type": "Established",
    "status": "False",
    "reason": "InvalidCABundle",
    "message": "The conversion webhook CABundle is invalid",
}
MARKED: Final[Object] = {
    "type": "Terminating",
    "status": "True",
    "reason": "InstanceDeletionPending",
    "message": "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
}
EMPTYING: Final[Object] = {
    "type": "Terminating",
    "status": "True",
    "reason": "InstanceDeletionInProgress",
    "message": "CustomResource deletion is in progress",
}
EMPTIED: Final[Object] = {
    "type": "Terminating",
    "status": "False",
    "reason": "InstanceDeletionCompleted",
    "message": "removed all instances",
}
NEVER_SERVED: Final[Object] = {
    "type": "Terminating",
    "status": "False",
    "reason": "NeverEstablished",
    "message": "resource was never established",
}
OVERLAPPING: Final[Object] = {
    "type": "Terminating",
    "status": "False",
    "reason": "OverlappingBuiltInResource",
    "message": "instances overlap with built-in resources in storage",
}


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


def establishment(crd: Object) -> Object:
    """The condition that a definition gets once it has its names."""
    webhook = (crd["spec"].get("conversion") or {}).get("webhook") or {}
    bundle = (webhook.get("clientConfig") or {}).get("caBundle")
    return INVALID_BUNDLE if bundle and bundle_problem(bundle) else ESTABLISHED


def set_condition(crd: Object, condition: Object, now: str) -> bool:
    """Set a condition, whose time moves with its status only; whether anything changed."""
    conditions = crd["status"].get("conditions")
    if conditions is None:
        conditions = crd["status"]["conditions"] = []
    for index, each in enumerate(conditions):
        if each["type"] != condition["type"]:
            continue
        moved = each["lastTransitionTime"] if each["status"] == condition["status"] else now
        replaced = _ordered({**each, **condition, "lastTransitionTime": moved})
        conditions[index] = replaced
        return bool(replaced != each)
    conditions.append(_ordered({**condition, "lastTransitionTime": now}))
    return True


def _ordered(condition: Object) -> Object:
    """A condition with its fields in the usual order."""
    return {name: condition[name] for name in _ORDER} | condition
