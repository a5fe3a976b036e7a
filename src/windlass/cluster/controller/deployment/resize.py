"""How large each replica set is to be next: rolled over, recreated, or scaled in proportion."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.controller.deployment.rollout import (
    DESIRED_REPLICAS,
    MAX_REPLICAS,
    age,
    number,
    size,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.cluster.controller.deployment.rollout import Rollout
    from windlass.kinds.apps.v1 import ReplicaSet


class Resize(NamedTuple):
    """A set that is to have another size; or the same, where it is to be told the size of the whole anew."""

    name: str
    before: int
    after: int


def wants_new(rollout: Rollout) -> bool:
    """Whether a set for the Deployment's template has to be made now."""
    if rollout.new is not None or rollout.is_paused or rollout.is_scaling:
        return False
    return rollout.is_rolling or not _old_pods_run(rollout)


def next_resizes(rollout: Rollout) -> Sequence[Resize]:
    """The next sizes; once they hold, there may be further ones, and none at the end."""
    if rollout.is_paused or rollout.is_scaling:
        return _scaled(rollout)
    if rollout.new is None or not rollout.is_rolling:
        return _recreated(rollout)
    if size(rollout.new) != rollout.replicas:
        wanted = min(new_size(rollout), rollout.replicas)
        if wanted != size(rollout.new):
            return [_resize(rollout.new, wanted)]
    return _rolled(rollout, rollout.new)


def new_size(rollout: Rollout) -> int:
    """How large the new set may be: the surplus of pods over those that are wanted is limited."""
    present = size(rollout.new) if rollout.new else 0
    if not rollout.is_rolling:
        return rollout.replicas
    room = rollout.max_replicas - sum(map(size, rollout.sets))
    return present + max(min(room, rollout.replicas - present), 0) if room > 0 else present


def _recreated(rollout: Rollout) -> Sequence[Resize]:
    """All old pods go before the first new one comes."""
    old = [_resize(each, 0) for each in rollout.old if size(each) > 0]
    if old or rollout.new is None or _old_pods_run(rollout):
        return old
    return [_resize(rollout.new, rollout.replicas)] if size(rollout.new) != rollout.replicas else []


def _old_pods_run(rollout: Rollout) -> bool:
    """Whether an old set has pods, or may have some that it has not told yet."""
    return any(
        size(each)
        or each.status.replicas
        or each.status.terminating_replicas
        or each.status.observed_generation < each.metadata.generation
        for each in rollout.old
    )


def _rolled(rollout: Rollout, new: ReplicaSet) -> Sequence[Resize]:
    """Old sets shrink by pods that do not serve, and by as many that do as may be missing."""
    old = [each for each in rollout.old if size(each) > 0]
    least = rollout.replicas - rollout.max_unavailable
    missing = size(new) - _available(new)
    spare = sum(map(size, rollout.sets)) - least - missing
    if not old or spare <= 0:
        return []
    sizes = {each.metadata.name: size(each) for each in old}
    resizes: list[Resize] = []

    def shrink(replica_set: ReplicaSet, count: int) -> int:
        name = replica_set.metadata.name
        if count > 0:
            resizes.append(Resize(name, sizes[name], sizes[name] - count))
            sizes[name] -= count
        return max(count, 0)

    for each in old:
        spare -= shrink(each, min(spare, size(each) - _available(each)))
    surplus = sum(map(_available, (*old, new))) - least
    for each in old:
        surplus -= shrink(each, min(surplus, sizes[each.metadata.name]))
    return resizes


def _available(replica_set: ReplicaSet) -> int:
    """How many pods of a set serve and are to stay: it may not have told yet that it shrank."""
    return min(replica_set.status.available_replicas, size(replica_set))


def _scaled(rollout: Rollout) -> Sequence[Resize]:
    """Follow the size of the whole without hastening a rollout, whose risk the proportions limit."""
    only = _active_or_latest(rollout)
    if only is not None:
        return [_resize(only, rollout.replicas)] if size(only) != rollout.replicas else []
    if _is_saturated(rollout):
        return [_resize(each, 0) for each in rollout.old if size(each) > 0]
    return _in_proportion(rollout) if rollout.is_rolling else []


def _active_or_latest(rollout: Rollout) -> ReplicaSet | None:
    if len(rollout.active) == 1:
        return rollout.active[0]
    return rollout.sets[-1] if rollout.sets and not rollout.active else None


def _is_saturated(rollout: Rollout) -> bool:
    """Whether the new set has all the pods that are wanted, and they serve."""
    new, wanted = rollout.new, rollout.replicas
    if new is None or number(new, DESIRED_REPLICAS) != wanted:
        return False
    return size(new) == wanted == new.status.available_replicas


def _in_proportion(rollout: Rollout) -> Sequence[Resize]:
    """Share what is to be added or taken away; what rounding leaves over falls to the largest set."""
    allowed = rollout.max_replicas if rollout.replicas else 0
    to_add = allowed - sum(map(size, rollout.active))
    newest_first = sorted(rollout.active, key=age, reverse=to_add > 0)
    ordered = sorted(newest_first, key=size, reverse=True)
    shares: list[int] = []
    for each in ordered:
        rest = to_add - sum(shares)
        share = _fraction(rollout, each) if rest and to_add else 0
        shares.append(min(share, rest) if to_add > 0 else max(share, rest))
    if shares:
        shares[0] += to_add - sum(shares)
    resizes = [_resize(each, max(size(each) + share, 0)) for each, share in zip(ordered, shares, strict=True)]
    return [
        resize
        for each, resize in zip(ordered, resizes, strict=True)
        if resize.before != resize.after or not _is_told(rollout, each)
    ]


def _fraction(rollout: Rollout, replica_set: ReplicaSet) -> int:
    """By how much a set would change if the whole changed in proportion."""
    present = size(replica_set)
    if rollout.replicas == 0:
        return -present
    before = number(replica_set, MAX_REPLICAS) or rollout.deployment.status.replicas
    if not before:
        return 0
    return math.floor(present * rollout.max_replicas / before + 0.5) - present


def _is_told(rollout: Rollout, replica_set: ReplicaSet) -> bool:
    said = number(replica_set, DESIRED_REPLICAS), number(replica_set, MAX_REPLICAS)
    return said == (rollout.replicas, rollout.max_replicas)


def _resize(replica_set: ReplicaSet, wanted: int) -> Resize:
    return Resize(replica_set.metadata.name, size(replica_set), wanted)
