"""The operator of PagerDuty in a simulation: crashes and lost answers on one side, PagerDuty's own on the other."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from on_call import TOKEN, business_service, policy, service
from windlass.aio import Clock
from windlass.errors import ConnectionFailedError
from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty import (
    BusinessService,
    EscalationPolicy,
    PagerDutyOptions,
    PagerdutyService,
    add_to,
)
from windlass.operators.pagerduty.api import Wire
from windlass.operators.pagerduty.simulator import FAIR, Account, Refusal, Weather
from windlass.testing import Holding, Judge, Outside, Scenario
from windlass.testing.simulation import all_judges

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.manager import Manager
    from windlass.operators.pagerduty.api import Call, Reply
    from windlass.testing import Court, SimulatedWorld

ROUGH = Weather(
    throttled=0.02,
    failing=0.04,
    cut_before=0.02,
    cut_after=0.02,
    read_lag=timedelta(seconds=3),
    list_lag=timedelta(seconds=4),
    dependency_lag=timedelta(seconds=3),
    incident_lag=timedelta(seconds=3),
)


class LoopClock(Clock):
    """The time of the loop that runs: that of the account, which no process shares."""

    @override
    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.monotonic())

    @override
    def monotonic(self) -> float:
        try:
            return asyncio.get_running_loop().time()
        except RuntimeError:  # the scenario is made before its loop runs
            return 0.0

    @override
    def elapsed(self) -> float:
        return self.monotonic()

    @override
    async def sleep(self, delay: timedelta) -> None:
        await asyncio.sleep(delay.total_seconds())


class Upstream(Outside):
    """PagerDuty as the simulation reaches it."""

    looks = ("look",)

    def __init__(self, account: Account) -> None:
        self.account = account

    async def look(self, call: Call) -> Reply:
        """Read something."""
        return self.account.handle(call)

    async def change(self, call: Call) -> Reply:
        """Change something."""
        return self.account.handle(call)

    @override
    def holdings(self) -> Iterator[Holding]:
        books = self.account.books
        for kind in (books.policies, books.services, books.business_services):
            yield from (Holding(f"{kind.kind} {each.name}", each.id) for each in kind)
        for each in books.integrations:
            yield Holding(f"integration {each.name} of {each.fields['service']}", each.id)

    @override
    def lost(self, call: str, *, sent: bool) -> Exception:
        return ConnectionFailedError(f"{call}: lost", sent=sent)


class SimulatedWire(Wire):
    """The way there: what only looks is told apart from what changes something."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream

    @override
    async def send(self, call: Call) -> Reply:
        return await (self._upstream.look if call.method == "GET" else self._upstream.change)(call)


class WithinLimit(Judge):
    """No request was one too many."""

    name = "the rate limit is never exceeded"

    def __init__(self, scenario: OnCall) -> None:
        self._scenario = scenario

    @override
    async def examine(self, court: Court) -> None:
        exceeded = self._scenario.account.rate.exceeded
        if exceeded:
            court.find(self.name, f"{exceeded} requests were too many")


class NothingLeftOpen(Judge):
    """A service that is deleted leaves no incident that somebody is still called for."""

    name = "incidents are resolved before their service is deleted"

    def __init__(self, scenario: OnCall) -> None:
        self._scenario = scenario

    @override
    async def examine(self, court: Court) -> None:
        books = self._scenario.account.books
        for each in books.incidents:
            if each.fields["service"] not in books.services and each.fields["status"] != "resolved":
                court.find(self.name, f"{each.id} is still open")


class OnCall(Scenario):
    """A shop with all that belongs to it, made in the wrong order, changed by people here and there."""

    kinds = (BusinessService, PagerdutyService, EscalationPolicy)
    patience = timedelta(minutes=30)
    pagerduty: Weather = ROUGH

    def __init__(self) -> None:
        self.clock = LoopClock()
        self.account = Account(clock=self.clock, random=Random(0))
        self.account.allow(TOKEN)
        self.user = self.account.by_hand.add_user("Ada", "ada@example.com")
        self.account.by_hand.add_schedule("Primary", self.user)
        self.upstream = Upstream(self.account)
        self.outside = (self.upstream,)
        self._seeded = False

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        if not self._seeded:
            self.account.faults.random.seed(world.channels.wire.chance.seed)
            self._seeded = True
        options = PagerDutyOptions(
            token=TOKEN,
            resync=timedelta(minutes=2),
            resolve_incidents_on_delete=True,
            requester="ada@example.com",
        )
        add_to(manager, options, SimulatedWire(world.reach(self.upstream)))

    @override
    async def play(self, world: SimulatedWorld) -> None:
        self.account.faults.weather = self.pagerduty
        await world.create(business_service("b", supporting_services=[{"ref": "s"}], team=""))
        integrations = [{"name": "alerts", "secret_name": "keys"}]
        await world.create(service("s", escalation_policy_ref="p", integrations=integrations))
        await world.create(service("other", escalation_policy_ref="p", status="disabled"))
        await world.pause(timedelta(seconds=5))
        rules = [{"escalation_delay_in_minutes": 5, "target_refs": [{"schedule_name": "Primary"}]}]
        await world.create(policy("p", self.user, num_loops=0, escalation_rules=rules))
        await world.pause(timedelta(seconds=20))
        await world.change(PagerdutyService, "s", {"spec": {"name": "renamed", "auto_resolve_timeout": 0}})
        await world.pause(timedelta(seconds=10))
        await world.change(
            BusinessService, "b", {"spec": {"supporting_services": [{"ref": "s"}, {"ref": "other"}]}}
        )
        if found := self.account.books.services.find("the other"):
            self.account.by_hand.open_incident(found.id)
        await world.pause(timedelta(seconds=10))
        await world.delete(PagerdutyService, "other")
        await world.change(BusinessService, "b", {"spec": {"supporting_services": [{"ref": "s"}]}})
        await world.pause(timedelta(seconds=30))
        self.account.faults.weather = FAIR

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        """Somebody changes the policy in PagerDuty by hand, or deletes the business service."""
        books = self.account.books
        try:
            if number % 2 and (found := books.business_services.find("the b")):
                self.account.by_hand("DELETE", f"/business_services/{found.id}")
            elif found := books.policies.find("the p"):
                self.account.by_hand.edit(found.id, num_loops=7)
        except Refusal as refusal:
            world.trace.add("people", "refused", str(refusal))

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> Mapping[str, bool]:
        books = self.account.books
        if isinstance(resource, EscalationPolicy):
            live = _fields(books.policies, resource)
            return {"exists": bool(live), "loops": live.get("num_loops") == 0}
        if isinstance(resource, PagerdutyService):
            return self._service_facts(resource, world)
        found = _record(books.business_services, resource)
        named = [each.ref or "" for each in resource.spec.supporting_services or ()]
        wanted = [world.get(PagerdutyService, each) for each in named]
        held = [_record(books.services, each) for each in wanted if each]
        resting = {
            each.supporting
            for each in books.dependencies
            if found and each.dependent == found.id and not each.until
        }
        return {"exists": found is not None, "rests": resting == {each.id for each in held if each}}

    @override
    def may_stay(self, made: Any) -> bool:
        return False

    @override
    def judges(self) -> Sequence[Judge]:
        return (*all_judges(), WithinLimit(self), NothingLeftOpen(self))

    def _service_facts(self, resource: PagerdutyService, world: SimulatedWorld) -> dict[str, bool]:
        live = _fields(self.account.books.services, resource)
        facts = {"exists": bool(live), "name": live.get("name") == resource.spec.name}
        if resource.spec.status == "disabled":
            facts["disabled"] = live.get("set_status") == "disabled"
        for each in resource.spec.integrations:
            facts["key"] = world.get(Secret, each.secret_name) is not None
        return facts


def _record(collection: Any, resource: Any) -> Any:
    """What a resource has in PagerDuty: by its id, or by its name where that is not told yet."""
    id_ = resource.status.upstream_id
    return collection.get(id_) if id_ in collection else collection.find(resource.spec.name)


def _fields(collection: Any, resource: Any) -> dict[str, Any]:
    found = _record(collection, resource)
    return found.fields if found else {}
