"""Two thousand services under one token, from a cold start, on virtual time."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from on_call import TOKEN, service
from on_call_scenario import OnCall, SimulatedWire
from windlass.api import ObjectMeta
from windlass.kinds.core.v1 import Namespace
from windlass.operators.pagerduty import PagerDutyOptions, PagerdutyService, add_to
from windlass.testing import Weather, simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.manager import Manager
    from windlass.operators.pagerduty.simulator import Exchange
    from windlass.testing import Judge, SimulatedWorld

CALM = Weather(
    lasts=1, faults=0, crashes=0, stalls=0, lags=0, cuts=0, silences=0, compactions=0, ends=0, splits=0,
    pauses=0, meddling=0,
)  # fmt: skip
LARGE = 1_550
SMALL = 50
TEAMS = {"large": LARGE, **{f"small-{number}": SMALL for number in range(9)}}
MINUTE = 60.0


class ColdStart(OnCall):
    """One team with very many services, nine with a few; all wait when the operator starts."""

    weather = CALM
    elects = False

    def __init__(self) -> None:
        super().__init__()
        rules = [{"escalation_delay_in_minutes": 1, "targets": [{"id": self.user, "type": "user_reference"}]}]
        body = {"type": "escalation_policy", "name": "everybody", "escalation_rules": rules}
        self.account.by_hand("POST", "/escalation_policies", {"escalation_policy": body})
        (self.policy,) = self.account.books.policies
        self.requests: list[float] = []
        self.made: list[str] = []
        self.shown: list[float] = []
        self.account.journal.listen(self._note)
        self._manager: Manager | None = None

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        self._manager = manager
        options = PagerDutyOptions(token=TOKEN, default_policy=self.policy.id, resync=timedelta(hours=12))
        add_to(manager, options, SimulatedWire(world.reach(self.upstream)))

    @override
    async def play(self, world: SimulatedWorld) -> None:
        for team, count in TEAMS.items():
            await world.client.create(Namespace(metadata=ObjectMeta(name=team)))
            for number in range(count):
                made = service(f"s{number}", name=f"{team} {number}")
                made.metadata.namespace = team
                await world.client.create(made)
        while len(self.made) < sum(TEAMS.values()) and self.clock.monotonic() < 20 * MINUTE:
            await world.pause(timedelta(seconds=20))
            self.shown.append(self._created())
        await world.pause(timedelta(seconds=20))
        self.ready = sum(self.reports(each).is_ready for each in world.list(PagerdutyService))

    @override
    def judges(self) -> Sequence[Judge]:
        return ()

    def _note(self, exchange: Exchange) -> None:
        self.requests.append(self.clock.monotonic())
        if exchange.call.method == "POST" and exchange.call.body:
            self.made.append(str(exchange.call.body["service"]["name"]).split()[0])

    def _created(self) -> float:
        """What the metrics say."""
        assert self._manager is not None
        shown = self._manager.metrics.expose().body.decode().splitlines()
        line = 'pagerduty_requests_total{code="201",method="POST",route="/services"} '
        return float(next(each for each in shown if each.startswith(line)).split()[-1])


@pytest.mark.timeout(300)
def test_two_thousand_services_within_the_limit_and_fair_between_namespaces() -> None:
    run = ColdStart()
    simulate(lambda: run, seed=1)

    assert Counter(run.made) == TEAMS
    assert run.ready == sum(TEAMS.values())
    assert run.account.rate.exceeded == 0
    busiest = max(
        sum(start <= moment < start + MINUTE for moment in run.requests) for start in set(run.requests[::50])
    )
    assert busiest <= 960
    last_small = max(position for position, team in enumerate(run.made) if team != "large")
    before = Counter(run.made[: last_small + 1])
    assert before["large"] <= 2 * SMALL  # its share, and no more
    assert run.requests[-1] <= 6 * MINUTE  # two requests each, 900 in a minute
    assert run.shown == sorted(run.shown)
    assert 0 < run.shown[0] < run.shown[-1] == sum(TEAMS.values())
