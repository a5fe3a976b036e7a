"""Taints of nodes that are not ready, and for how long pods bear them."""

from __future__ import annotations

from typing import Any, Final

Object = dict[str, Any]

_NOT_READY: Final = "node.kubernetes.io/not-ready"
_TOLERATED: Final = (_NOT_READY, "node.kubernetes.io/unreachable")
_TOLERATED_SECONDS: Final = 300


def tolerate(pod: Object) -> None:
    """Every pod bears it for five minutes that its node is not ready, or cannot be reached."""
    tolerations = pod["spec"].setdefault("tolerations", [])
    for key in _TOLERATED:
        if any(_bears(toleration, key) for toleration in tolerations):
            continue
        tolerations.append(
            {
                "key": key,
                "operator": "Exists",
                "effect": "NoExecute",
                "tolerationSeconds": _TOLERATED_SECONDS,
            }
        )


def taint(node: Object) -> None:
    """No pod is placed on a new node before a controller has found it ready."""
    taints = node.setdefault("spec", {}).setdefault("taints", [])
    if not any(each.get("key") == _NOT_READY and each.get("effect") == "NoSchedule" for each in taints):
        taints.append({"key": _NOT_READY, "effect": "NoSchedule"})


def _bears(toleration: Object, key: str) -> bool:
    return toleration.get("key", "") in ("", key) and toleration.get("effect", "") in ("", "NoExecute")
