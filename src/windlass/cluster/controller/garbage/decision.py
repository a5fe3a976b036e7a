"""What becomes of a dependent: from how its owners stand to what to do, without a look at anything else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from windlass.cluster.controller.garbage.graph import FOREGROUND, ORPHAN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.client import Propagation
    from windlass.cluster.controller.garbage.graph import Reference


class Standing(Enum):
    """How an owner stands."""

    SOLID = "it is there"
    WAITING = "it is there until its dependents are gone"
    ABSENT = "it is not there"
    RELEASED = "it is not there, and has let its dependents stay"


@dataclass(frozen=True)
class Keep:
    """Leave it as it is."""


@dataclass(frozen=True)
class Release:
    """Let it stay, without these owners."""

    owners: frozenset[str]


@dataclass(frozen=True)
class Delete:
    """Delete it; `unblock` makes it hold back no owner first, where it would wait for itself."""

    propagation: Propagation
    unblock: bool = False


Verdict = Keep | Release | Delete


@dataclass(frozen=True)
class Below:
    """What depends on a dependent: whether there is anything, and whether some of it waits in turn."""

    any: bool = False
    waiting: bool = False


def verdict(standings: Mapping[Reference, Standing], finalizers: Sequence[str], below: Below) -> Verdict:
    """What to do with an object whose owners stand like this.

    One solid owner keeps it, and its references to others go, so that it holds none of them back. Without
    any it is deleted: with its own dependents before it where its owner waits for them, and else as its
    finalizers ask.
    """
    if not standings:
        return Keep()
    stand = set(standings.values())
    if Standing.RELEASED in stand:
        return Release(_those(standings, Standing.RELEASED))
    if Standing.SOLID in stand:
        loose = _those(standings, Standing.ABSENT, Standing.WAITING)
        return Release(loose) if loose else Keep()
    if Standing.WAITING in stand and below.any:
        return Delete("Foreground", unblock=below.waiting)
    if ORPHAN in finalizers:
        return Delete("Orphan")
    return Delete("Foreground" if FOREGROUND in finalizers else "Background")


def _those(standings: Mapping[Reference, Standing], *wanted: Standing) -> frozenset[str]:
    return frozenset(each.uid for each, standing in standings.items() if standing in wanted)
