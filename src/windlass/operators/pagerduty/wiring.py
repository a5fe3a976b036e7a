from __future__ import annotations

import os
from typing import TYPE_CHECKING

from windlass.controller import ControllerOptions
from windlass.operators.pagerduty.api import Connection, HttpWire, RequestMetrics, Road, Shares
from windlass.operators.pagerduty.controllers import (
    BusinessServiceController,
    Census,
    Desk,
    EscalationPolicyController,
    PagerdutyServiceController,
)
from windlass.operators.pagerduty.options import PagerDutyOptions

if TYPE_CHECKING:
    from windlass.manager import Manager
    from windlass.operators.pagerduty.api import Wire
    from windlass.reconcile import Source


def add_to(manager: Manager, options: PagerDutyOptions | None = None, wire: Wire | None = None) -> None:
    """Have the three controllers run; without options, those of the environment.

    `wire` is the way to PagerDuty: HTTPS, unless it leads to an account in this process.

    Raises:
        ConfigError: the environment has a value that cannot be used.
    """
    chosen = options or PagerDutyOptions.from_environment(os.environ)
    sources: tuple[Source, ...] = ()
    if wire is None:
        wire = http = HttpWire(chosen.base_url)
        sources = (Connection(http),)
    metrics = RequestMetrics()
    shares = Shares(chosen.budget, clock=manager.clock, random=manager.random)
    metrics.show(manager.metrics, shares)
    road = Road(wire=wire, clock=manager.clock, metrics=metrics)
    census = Census()
    census.show(manager.metrics)
    desk = Desk(options=chosen, road=road, shares=shares, random=manager.random, census=census)
    settings = ControllerOptions(workers=chosen.workers)
    for kind in (EscalationPolicyController, PagerdutyServiceController, BusinessServiceController):
        manager.add(kind(desk, sources=sources), settings)
