from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.controller.assembly import Assembly
from windlass.controller.authors import Authors
from windlass.controller.declared import Declared
from windlass.controller.digests import Digests
from windlass.controller.settled import Settled
from windlass.controller.watchdog import Watchdog
from windlass.controller.wiring import Listener
from windlass.controller.writer import Writer
from windlass.reconcile import Owns, Reconciler

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.api import Model, Resource
    from windlass.client import Client
    from windlass.controller.environment import EffectObserver, Environment
    from windlass.controller.event import Reporter
    from windlass.controller.fence import Fence
    from windlass.controller.wiring import Wake
    from windlass.reconcile import KeyReconciler


@dataclass(frozen=True, kw_only=True)
class Facilities:
    """What all runs of one controller share. `kind` is None where there are no objects, only keys.

    `status_type` is what is reported where the kind has no type for its status.
    """

    kind: type[Resource] | None
    status_type: type[Model] | None
    owned_kinds: tuple[type[Resource], ...]
    declared: Declared
    assembly: Assembly
    client: Client
    writer: Writer
    settled: Settled
    digests: Digests
    authors: Authors
    events: Reporter
    fence: Fence
    watchdog: Watchdog
    observer: EffectObserver
    clock: Clock


def facilities_of(
    reconciler: Reconciler[Any] | KeyReconciler,
    environment: Environment,
    observer: EffectObserver,
    time_limit: timedelta,
    wake: Wake,
) -> Facilities:
    """The facilities for a reconciler; nothing is declared yet. `wake` is told whom a change concerns."""
    client = environment.client
    declared, authors, digests = Declared(type(reconciler).__name__), Authors(), Digests()
    settled = Settled(client.options.write.field_manager)
    kind: type[Resource] | None = None
    owned_kinds: tuple[type[Resource], ...] = ()
    if isinstance(reconciler, Reconciler):
        kind, owned_kinds = reconciler.of, tuple(each.kind for each in Owns.all(reconciler.owns))
    return Facilities(
        kind=kind,
        status_type=reconciler.status_type if isinstance(reconciler, Reconciler) else None,
        owned_kinds=owned_kinds,
        declared=declared,
        assembly=Assembly(environment, declared, lambda: Listener(authors, (settled, digests), wake)),
        client=client,
        writer=Writer(client),
        settled=settled,
        digests=digests,
        authors=authors,
        events=environment.events.by(reconciler.reporter),
        fence=environment.fence,
        watchdog=Watchdog(environment.clock, time_limit),
        observer=observer,
        clock=environment.clock,
    )
