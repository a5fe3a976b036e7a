"""What goes into a step of a pod's life, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, timedelta

    from windlass.cluster.node.pod.life import Ended, PodLife


class Look(NamedTuple):
    """What is seen of a container that runs.

    `passed` tells that its startup probe has succeeded, `unhealthy` why it has to be killed, `due` when it
    will look different by itself.
    """

    ended: Ended | None = None
    passed: bool = True
    ready: bool = True
    unhealthy: str = ""
    due: datetime | None = None


class Pace(NamedTuple):
    """How long things take: the start of a pod, and the first wait after a failure."""

    moment: timedelta
    backoff: timedelta


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the node sees at a moment.

    `looks` are of the containers that run. `unpullable` and `unfit` tell for a container why its image cannot
    be pulled or what it refers to is missing, `unmounted` why a volume is.
    """

    now: datetime
    pace: Pace
    looks: Mapping[str, Look] = field(default_factory=dict)
    unpullable: Mapping[str, str] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    unmounted: str = ""


class Told(NamedTuple):
    """Something that people are told about a pod."""

    reason: str
    message: str
    warning: bool = False


class Stop(NamedTuple):
    """A container that is asked to end, and is killed after a while."""

    container: str
    grace: timedelta


@dataclass(frozen=True, kw_only=True)
class Step:
    """What comes next: what to start and to stop, what to tell, and when to look again if nothing happens."""

    life: PodLife
    starts: Sequence[str] = ()
    stops: Sequence[Stop] = ()
    told: Sequence[Told] = ()
    due: datetime | None = None
