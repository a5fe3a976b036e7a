from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from windlass.api import Condition, find_condition, set_condition
from windlass.operators.pagerduty.types import BusinessService, EscalationPolicy, PagerdutyService
from windlass.reconcile import Context, Result

if TYPE_CHECKING:
    from datetime import datetime, timedelta
    from random import Random

    from windlass.api import Json
    from windlass.operators.pagerduty.adapter import Adapter
    from windlass.operators.pagerduty.api import PagerDuty, Road, Shares
    from windlass.operators.pagerduty.controllers.census import Census
    from windlass.operators.pagerduty.options import PagerDutyOptions

R = TypeVar("R", EscalationPolicy, PagerdutyService, BusinessService)
SYNCED = "Synced"
RESOLVED = "ReferencesResolved"
_JITTER = 0.2


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What the three controllers share."""

    options: PagerDutyOptions
    road: Road
    shares: Shares
    random: Random
    census: Census

    def later(self, delay: timedelta | None = None) -> timedelta:
        """About so long from now, or a period; not all objects at the same moment."""
        return (delay or self.options.resync) * (1 + _JITTER * (self.random.random() - 0.5))


@dataclass
class Subject(Generic[R]):
    """One object on its way through a chain of subroutines: what each has found out for those after it.

    `status` is what will be reported. `wanted` is what PagerDuty should have, once references are resolved,
    and `live` what it has, once it was looked up or created.
    """

    resource: R
    adapter: Adapter
    desk: Desk
    now: datetime
    status: Any = None
    wanted: Json = field(default_factory=dict)
    live: Json | None = None
    unresolved: list[str] = field(default_factory=list)
    supporting: set[tuple[str, str]] = field(default_factory=set)
    _api: PagerDuty | None = None

    def __post_init__(self) -> None:
        self.status = self.resource.status.model_copy(deep=True)
        self.status.upstream_id = self.status.upstream_id  # in the right spelling from now on
        known = (find_condition(self.status.conditions, each) for each in (RESOLVED, SYNCED))
        self.status.conditions = [each for each in known if each is not None]

    @property
    def api(self) -> PagerDuty:
        """PagerDuty, in the name of this object's token."""
        if self._api is None:
            raise RuntimeError("a subroutine asks PagerDuty before the token is resolved")
        return self._api

    @api.setter
    def api(self, api: PagerDuty) -> None:
        self._api = api

    def says(self, type_: str, status: Literal["True", "False"], reason: str, message: str = "") -> None:
        """Set one of our own conditions; `Ready` follows from how the chain ends."""
        generation = self.resource.metadata.generation
        new = Condition(
            type=type_, status=status, reason=reason, message=message, observed_generation=generation
        )
        set_condition(self.status.conditions, new, self.now)

    def waiting(self, reason: str, message: str, *, again: timedelta | None = None) -> Result[Any]:
        """Something else has to happen first: the end of a chain."""
        return Result.waiting(reason, message, self.status, again=again)

    def unsynced(self, reason: str, message: str, *, again: timedelta | None = None) -> Result[Any]:
        """As `waiting`, because PagerDuty does not have what is wanted."""
        self.says(SYNCED, "False", reason, message)
        return self.waiting(reason, message, again=again)

    def unresolved_because(self, reason: str, message: str, *, again: timedelta | None = None) -> Result[Any]:
        """As `waiting`, because something that the object refers to is not there."""
        self.says(RESOLVED, "False", reason, message)
        return self.waiting(reason, message, again=again)


Subroutine = Callable[[Subject[Any], Context], Awaitable[Result[Any] | None]]
"""One step of a reconcile: idempotent, and silent unless it has something to say that ends the chain."""
