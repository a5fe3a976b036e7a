from __future__ import annotations

from typing import Any

Object = dict[str, Any]


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


def set_condition(crd: Object, condition: Object, now: str) -> bool:
    """Set a condition, whose time moves with its status only; whether anything changed."""
    conditions = crd["status"].get("conditions")
    if conditions is None:
        conditions = crd["status"]["conditions"] = []
    for index, each in enumerate(conditions):
        if each["type"] != condition["type"]:
            continue
        same_status = each["status"] == condition["status"]
        moved = each["lastTransitionTime"] if same_status else now
        replaced = _ordered(condition, moved, each)
        conditions[index] = replaced
        return bool(replaced != each)
    conditions.append(_ordered(condition, now, {}))
    return True


def _ordered(condition: Object, moved: str, before: Object) -> Object:
    kept = {key: value for key, value in before.items() if key not in condition}
    return {**kept, **condition, "lastTransitionTime": moved}
