"""What a pod asks of a node: the sum of its containers, or more where those that run first need more."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from windlass.api import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.kinds.core.v1 import Container, PodSpec

Amounts = dict[str, int]
"""Whole numbers by resource: thousandths of a CPU, and units of everything else."""

CPU: Final = "cpu"
MEMORY: Final = "memory"
PODS: Final = "pods"
_POD_LEVEL: Final = (CPU, MEMORY)
_SUPPOSED: Final = {CPU: 100, MEMORY: 200 * 2**20}
"""What a container that asks for nothing is taken to use, where nodes are compared."""


def amounts(quantities: Mapping[str, Quantity]) -> Amounts:
    """Quantities as whole numbers."""
    return {name: _amount(name, str(quantity)) for name, quantity in quantities.items()}


def requests(spec: PodSpec, supposed: Mapping[str, int] | None = None) -> Amounts:
    """What a pod needs at the most at one time; `supposed` stands for what a container does not ask for.

    Containers and sidecars run together. An init container runs beside the sidecars that come before it. The
    overhead of the runtime comes on top, and what the pod as a whole asks for goes before the sum.
    """
    supposed = supposed or {}
    total: Amounts = {}
    for each in spec.containers:
        _add(total, _of_container(each, supposed))
    sidecars: Amounts = {}
    most: Amounts = {}
    for each in spec.init_containers:
        wanted = _of_container(each, supposed)
        if each.restart_policy == "Always":
            _add(total, wanted)
            _add(sidecars, wanted)
            wanted = sidecars
        else:
            wanted = _sum((sidecars, wanted))
        _raise(most, wanted)
    _raise(total, most)
    if spec.resources:
        whole = amounts(spec.resources.requests)
        total |= {name: value for name, value in whole.items() if _is_pod_level(name)}
    _add(total, amounts(spec.overhead))
    return total


def supposed_requests(spec: PodSpec) -> Amounts:
    """What a pod is taken to use where nodes are compared: one that asks for nothing uses something too."""
    return requests(spec, _SUPPOSED)


def _is_pod_level(name: str) -> bool:
    return name in _POD_LEVEL or name.startswith("hugepages-")


def _of_container(container: Container, supposed: Mapping[str, int]) -> Amounts:
    asked = container.resources.requests if container.resources else {}
    return {**supposed, **amounts(asked)}


def _sum(those: Iterable[Amounts]) -> Amounts:
    total: Amounts = {}
    for each in those:
        _add(total, each)
    return total


def _add(total: Amounts, more: Mapping[str, int]) -> None:
    for name, value in more.items():
        total[name] = total.get(name, 0) + value


def _raise(least: Amounts, to: Mapping[str, int]) -> None:
    for name, value in to.items():
        if value > least.get(name, 0):
            least[name] = value


@lru_cache(maxsize=4096)
def _amount(name: str, text: str) -> int:
    quantity = Quantity(text)
    return int(quantity * 1000) if name == CPU else int(quantity)
