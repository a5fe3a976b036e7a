from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.cluster.node.behaviour import Images

_CAPACITY: Final = {"cpu": "8", "memory": "32Gi", "ephemeral-storage": "100Gi", "pods": "110"}
_MOST: Final = 3000  # networks of pods that are at hand


@dataclass(frozen=True, kw_only=True)
class NodeOptions:
    """Which nodes there are, and how they run pods.

    `count`, `prefix`: how many there are: `node-1`, `node-2`, …; or `names`, if they have names of their own.
    `capacity`: what each has, extended resources too; what is not said is as much as a small server has.
    `labels`, `taints`: of each, a taint as `key=value:Effect`.
    `zones`: in turn, the zone of each.
    `heartbeat`: how often a node says that it is there; None for never, where a thousand of them would be too
    much, and nobody misses it.
    `moment`: how long a pod takes to start, and a simulated container to end if it does not run for ever.
    `backoff`: how long it is waited before a container that fails is started again, the first time; it
    doubles each time, up to thirty times as long.
    `images`: what images are, by patterns of their names.
    `project`: a folder of this machine; pods that `windlass deploy` makes run the module that lies there.
    `events`: whether pods have events.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    count: int = 1
    prefix: str = "node"
    names: tuple[str, ...] = ()
    capacity: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    heartbeat: timedelta | None = timedelta(seconds=10)
    moment: timedelta = timedelta(milliseconds=100)
    backoff: timedelta = timedelta(seconds=10)
    images: Images = field(default_factory=dict)
    project: Path | None = None
    events: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.count <= _MOST:
            raise ConfigError(f"count is {self.count}: between 0 and {_MOST} nodes can be simulated")
        if self.heartbeat is not None and self.heartbeat <= timedelta():
            raise ConfigError("heartbeat has to be longer than nothing; say None for no heartbeats")
        if self.moment < timedelta() or self.backoff <= timedelta():
            raise ConfigError("moment cannot be less than nothing, and backoff has to be longer than nothing")
        for each in self.taints:
            parse_taint(each)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The name of each node."""
        return self.names or tuple(f"{self.prefix}-{number}" for number in range(1, self.count + 1))

    @property
    def full_capacity(self) -> Mapping[str, str]:
        """What each node has."""
        return {**_CAPACITY, **self.capacity}


def parse_taint(text: str) -> dict[str, str]:
    """A taint from `key=value:Effect` or `key:Effect`, as `kubectl taint` writes it.

    Raises:
        ConfigError: it is none.
    """
    before, _, effect = text.rpartition(":")
    key, _, value = before.partition("=")
    if not key or effect not in ("NoSchedule", "PreferNoSchedule", "NoExecute"):
        raise ConfigError(f"{text!r} is no taint: write key=value:NoSchedule, or another effect")
    return {"key": key, "effect": effect, **({"value": value} if value else {})}
