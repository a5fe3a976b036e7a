from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from datetime import timedelta
    from random import Random

    from windlass.aio import Clock
    from windlass.cache import Cache
    from windlass.client import Client
    from windlass.controller.event import EventRecorder
    from windlass.controller.exit import Exit
    from windlass.controller.fence import Fence
    from windlass.controller.journal import Journal
    from windlass.workqueue import QueueObserver

EffectResult = Literal["done", "failed", "refused", "planned"]


class EffectObserver(Protocol):
    """Counts what reconciles do outside the cluster, and the events that they record."""

    def effect(self, result: EffectResult) -> None:
        """Something was done, or was to be."""

    def event(self, reason: str, *, warning: bool) -> None:
        """An event was recorded."""


class ControllerObserver(EffectObserver, Protocol):
    """Is told what a controller does; metrics are made of it."""

    @property
    def queue(self) -> QueueObserver:
        """Is told about the queue."""

    def began(self) -> int:
        """A reconcile begins; `ended` is told the number that this returns."""

    def ended(self, run: int, exit_: Exit, took: timedelta) -> None:
        """A reconcile ended, after so long."""

    def blocked(self, took: timedelta) -> None:
        """A reconcile blocked the event loop for so long."""

    def slowed(self) -> None:
        """An object was held back, since it was reconciled without end."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What the controllers of one process share.

    `client` writes under the field manager of the operator, and only while the fence lets it. `namespaces`
    are the only ones that are watched; none means all.
    """

    cache: Cache
    client: Client
    fence: Fence
    journal: Journal
    events: EventRecorder
    clock: Clock
    random: Random
    namespaces: tuple[str, ...] = ()
