"""When a manager is alive, and when it is ready: rules over small snapshots of its state.

Each rule returns why not, or None. Alive means that a restart would not help: so neither a server that is
away nor a watch that is silent makes a process look dead. Ready means that the process does its work, or
would at once if it led: a standby with full caches is ready. It depends on the watches that reconcilers
declare, not on those that they begin at run time: what an object names, and the role may not allow, must not
make the process unready for all others. A process that serves webhooks stays ready with a stale watch:
without it in the endpoints of its Service, nothing would be admitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Kind

_MOST: Final = 10
"""So many watches that were begun at run time are named: users choose how many there are."""


@dataclass(frozen=True, kw_only=True)
class HealthLimits:
    """How long something may last before it counts as broken.

    `silences`: how many times its idle time a watch may be silent; it is opened anew after one of them.
    `queue_age`: how long a key may be ready while a worker has nothing to do.
    `blocked`: how long the event loop may be busy with one thing. `slow`: after how long that is reported,
    with the stack.
    """

    silences: int = 3
    queue_age: timedelta = timedelta(minutes=5)
    blocked: timedelta = timedelta(seconds=10)
    slow: timedelta = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class WatchState:
    """How the watch of one kind does.

    `synced`: its objects were all seen once. `silence`: the time since it was last heard of, a bookmark or an
    answered list included; `idle`: after which silence it is opened anew. `away`: why the server cannot be
    asked, or does not know the kind; empty when it answers. `reduced`: its objects are kept without content.
    `declared`: a reconciler declares it; otherwise it was begun at run time. `converted`: this process
    converts the objects for the server.
    """

    kind: str
    synced: bool
    silence: timedelta
    idle: timedelta
    away: str = ""
    reduced: bool = False
    declared: bool = True
    converted: bool = False


@dataclass(frozen=True, kw_only=True)
class QueueState:
    """How the queue of one controller does: since when its oldest key is ready, and who could take it."""

    controller: str
    oldest: timedelta
    idle_workers: int


def dead_watches(watches: Iterable[WatchState], limits: HealthLimits) -> str:
    """Return which watches say nothing although the server answers; empty when there is none."""
    return "; ".join(
        f"{each.kind}: no word for {_said(each.silence)} (it is opened anew after {_said(each.idle)})"
        for each in watches
        if not each.away and _is_silent(each, limits)
    )


def stuck_queues(queues: Iterable[QueueState], limits: HealthLimits) -> str | None:
    """Queues from which nobody takes, although somebody could."""
    return _listed(
        f"{each.controller}: a key waits for {_said(each.oldest)} while {each.idle_workers} workers are idle"
        for each in queues
        if each.idle_workers and each.oldest > limits.queue_age
    )


def late_beat(since: timedelta, limits: HealthLimits) -> str | None:
    """An event loop that has not come round; `since` is the time since it last did."""
    return f"the event loop is blocked, for {_said(since)} now" if since > limits.blocked else None


def unready_caches(
    watches: Iterable[WatchState], limits: HealthLimits, *, serves_webhooks: bool = False
) -> str | None:
    """Declared kinds whose objects are not all known, or no longer up to date, whosever fault that is.

    In a process that serves webhooks stale ones do not count. Neither do those of kinds that the process
    converts before their first list: the server sends conversions to processes that are ready, and lists
    nothing without them.
    """
    return _listed(
        why
        for each in watches
        if each.declared
        and (why := _unready(each, limits))
        and not (serves_webhooks and _is_stale(each, limits))
        and not (each.converted and not each.synced)
    )


def stale_watches(watches: Iterable[WatchState], limits: HealthLimits) -> str:
    """Return what to tell about declared watches that make no progress; empty when there is nothing."""
    stale = [_unready(each, limits) for each in watches if each.declared and _is_stale(each, limits)]
    return f"stale: {'; '.join(stale)}" if stale else ""


def missing_kinds(kinds: Iterable[Kind]) -> str | None:
    """Kinds that are reconciled and not served, with the definitions to install."""
    return _listed(
        f"{each} is not served; install the CustomResourceDefinition {each.resource}"
        if each.group
        else f"{each} is not served"
        for each in dict.fromkeys(kinds)
    )


def failing_watches(watches: Iterable[WatchState], limits: HealthLimits) -> str:
    """Return what to tell about watches that were begun at run time and fail; empty when there is nothing."""
    reasons = [why for each in watches if not each.declared and (why := _unready(each, limits))]
    failing = [each.partition("\n")[0] for each in reasons]  # without the advice of the server's refusal
    more = f"; {len(failing) - _MOST} more" if len(failing) > _MOST else ""
    return f"begun at run time: {'; '.join(failing[:_MOST])}{more}" if failing else ""


def unready_election(holder: str, problem: str) -> str | None:
    """A process that does not even know yet who leads; one that waits for its turn is ready."""
    return f"the lease could not be read yet: {problem}" if problem and not holder else None


def reduced_caches(watches: Iterable[WatchState]) -> str:
    """What to tell about caches that do work, but at a price; empty when there is nothing."""
    kinds = [each.kind for each in watches if each.reduced]
    return f"over budget, each read asks the server: {', '.join(kinds)}" if kinds else ""


def _unready(watch: WatchState, limits: HealthLimits) -> str:
    if not watch.synced:
        return f"{watch.kind}: {watch.away or 'being listed'}"
    if _is_silent(watch, limits):
        return f"{watch.kind}: no word for {_said(watch.silence)}{f', {watch.away}' if watch.away else ''}"
    return ""


def _is_stale(watch: WatchState, limits: HealthLimits) -> bool:
    """Whether a watch that was in step makes no progress any more."""
    return watch.synced and _is_silent(watch, limits)


def _is_silent(watch: WatchState, limits: HealthLimits) -> bool:
    return watch.silence > watch.idle * limits.silences


def _listed(reasons: Iterable[str]) -> str | None:
    return "; ".join(reasons) or None


def _said(time: timedelta) -> str:
    return f"{time.total_seconds():.0f} s"
