"""Labels of nodes that have other names now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import label_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEPRECATED: Final = {
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region": (
        'deprecated since v1.17; use "topology.kubernetes.io/region" instead'
    ),
    "failure-domain.beta.kubernetes.io/zone": (
        'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'
    ),
    "beta.kubernetes.io/instance-type": (
        'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'
    ),
    "app.kubernetes.io/created-by": "deprecated since v1.9",
    "scheduler.alpha.kubernetes.io/preferAvoidPods": (
        "deprecated since v1.22; use Taints and Tolerations instead"
    ),
    "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
}


def in_requirements(term: Mapping[str, Any], path: str, *, values: bool = False) -> Iterator[str]:
    """Warn of the keys that a term names, and where nobody validates them of their values."""
    for index, each in enumerate(term.get("matchExpressions") or ()):
        key = each.get("key", "")
        if key in DEPRECATED:
            yield f"{path}.matchExpressions[{index}].key: {key} is {DEPRECATED[key]}"
        for at, value in enumerate(each.get("values") or ()) if values else ():
            for problem in label_value(value):
                yield f"{path}.matchExpressions[{index}].values[{at}]: {value} is invalid, {problem}"
