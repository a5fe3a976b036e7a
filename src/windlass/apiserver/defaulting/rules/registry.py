from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from windlass.apiserver.defaulting.rules import (
    access,
    autoscaling,
    batch,
    cluster,
    container,
    definition,
    dropped,
    network,
    pod,
    resource_list,
    service,
    volume,
    workload,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.defaulting.plan import Rule


@cache
def rules() -> Mapping[str, tuple[Rule, ...]]:
    """All rules by definition or kind; those of one are in the order in which they are applied."""
    found: dict[str, tuple[Rule, ...]] = {}
    for module in (
        access,
        autoscaling,
        batch,
        cluster,
        container,
        definition,
        network,
        pod,
        service,
        volume,
        workload,
        resource_list,  # after rules that copy amounts
    ):
        for name, each in module.RULES.items():
            found[name] = (*found.get(name, ()), *each)
    return found


@cache
def late_rules() -> Mapping[str, tuple[Rule, ...]]:
    """The rules that are applied only when it is known who owns what."""
    return {**dropped.LATE_RULES, **volume.LATE_RULES}
