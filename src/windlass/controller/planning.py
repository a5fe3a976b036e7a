from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.aio import Clock, SystemClock
from windlass.api import mask, masked_logger, masking_secrets
from windlass.cache import Cache
from windlass.controller.acts import PlanEndsError
from windlass.controller.environment import EffectObserver, Environment
from windlass.controller.event import EventRecorder
from windlass.controller.exit import Exit
from windlass.controller.facilities import facilities_of
from windlass.controller.fence import NO_FENCE
from windlass.controller.journal import Journal
from windlass.controller.known import known
from windlass.controller.log import BoundLogger, about_object
from windlass.controller.record import Recorder
from windlass.controller.running import Running
from windlass.controller.turn import GONE, turn_of_object
from windlass.reconcile import Cause, check_reconciler
from windlass.workqueue import Item, Priority

if TYPE_CHECKING:
    from windlass.api import Key
    from windlass.client import Client
    from windlass.controller.environment import EffectResult
    from windlass.controller.facilities import Facilities
    from windlass.controller.record import Effect, Write
    from windlass.reconcile import Reconciler

_log = masked_logger("windlass.plan")
_LIMIT = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a reconcile of one object would do, and how it would end.

    `ends` tells why nothing more is known: what follows depends on an effect that was not done.
    """

    key: Key
    writes: tuple[Write, ...]
    effects: tuple[Effect, ...]
    outcome: str
    reason: str = ""
    message: str = ""
    ends: str = ""

    def __bool__(self) -> bool:
        """Whether anything would be done."""
        return bool(self.writes or self.effects)

    def __str__(self) -> str:
        """For people: one line for each write, effect and field."""
        lines = []
        for write in self.writes:
            lines.append(f"{write.verb} {write.kind} {write.key}")
            lines += [f"    {change}" for change in write.changes]
        lines += [f"effect: {effect.what}" for effect in self.effects]
        ending = f"the plan ends here: {self.ends}" if self.ends else f"then {self.outcome}: {self.reason}"
        return "\n".join([*lines, f"{ending} {self.message}".rstrip()])


class _Nobody(EffectObserver):
    @override
    def effect(self, result: EffectResult) -> None:
        """What is only planned is not counted."""

    @override
    def event(self, reason: str, *, warning: bool) -> None:
        """Nor is its event, which is not recorded."""


async def plan(
    reconciler: Reconciler[Any],
    client: Client,
    key: Key,
    *,
    name: str = "windlass",
    clock: Clock | None = None,
) -> Plan:
    """Run a reconciler once for one object, with every write and effect turned into what it would change.

    Writes are sent as dry runs, so that the server's own defaults, rules and admission have their say; they
    are those of the operator called `name`. Nothing is kept, and nothing outside the cluster is called.
    """
    check_reconciler(reconciler)
    time = clock or SystemClock()
    dry = client.using(dry_run=True, field_manager=name)
    random = Random(0)  # noqa: S311 - of the names of runs, which nobody sees
    environment = Environment(
        cache=Cache(client, clock=time),
        client=dry,
        fence=NO_FENCE,
        journal=Journal(),
        events=EventRecorder(dry, name, clock=time, random=random),
        clock=time,
        random=random,
    )
    facilities = facilities_of(reconciler, environment, _Nobody(), _LIMIT, lambda *_: None)
    facilities.assembly.assemble(reconciler)
    async with asyncio.TaskGroup() as group:
        beside = [group.create_task(environment.cache.run()), group.create_task(facilities.watchdog.run())]
        for informer in facilities.assembly.required:
            await known(informer)
        with masking_secrets(reconciler.name, *key):
            planned = await _planned(reconciler, facilities, key, random)
        for task in beside:
            task.cancel()
    return planned


async def _planned(reconciler: Reconciler[Any], facilities: Facilities, key: Key, random: Random) -> Plan:
    item = Item(key, (Cause("plan"),), 0, timedelta(), Priority.FRESH, 1)
    recorder = Recorder(reconciler.name, item, facilities.clock.now(), random)
    log = BoundLogger(_log, about_object(reconciler, key, recorder.id))
    run = Running(facilities, key, item.causes, recorder, log)
    exit_, ends = GONE, ""
    snapshot = await facilities.declared.holding(reconciler.of, key).read(key)
    if snapshot is not None:
        run.begin(snapshot)
        try:
            exit_ = await turn_of_object(reconciler, run, snapshot, log)
        except PlanEndsError as error:
            exit_, ends = Exit("waiting", "PlanEnds"), str(error)
    writes, effects = recorder.masked()
    return Plan(
        key=key,
        writes=writes,
        effects=effects,
        outcome=exit_.outcome,
        reason=exit_.reason,
        message=exit_.message,
        ends=mask(ends),
    )
