"""One turn of the loop for one object: hold it, reconcile or finalize it, report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import Unconverted
from windlass.controller import finalizer
from windlass.controller.annotation import is_paused
from windlass.controller.exit import Exit
from windlass.controller.running import RunContext
from windlass.controller.status import next_status, paused_status
from windlass.errors import Conflict, NotLeadingError, Terminal, UndecodableError
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from windlass.api import Kind, Resource, Snapshot
    from windlass.controller.log import BoundLogger
    from windlass.controller.running import Running
    from windlass.controller.status import Seen
    from windlass.reconcile import KeyReconciler, Reconciler

GONE = Exit("gone", "Gone")
LEFT_ALONE = Exit("ready", "Terminating", "it is being deleted, and nothing of ours is left to do")


async def turn_of_object(
    reconciler: Reconciler[Any], run: Running, snapshot: Snapshot[Any], log: BoundLogger
) -> Exit:
    """Reconcile or finalize an object, and write its status; tells how that ended.

    Raises:
        NotLeadingError: this process may no longer act.
        ApiError, ConnectionFailedError: the status or the finalizer could not be written.
    """
    kind = snapshot.kind
    seen = run.seen()
    if is_paused(snapshot.metadata):
        await run.report(lambda live: paused_status(kind, live, seen))
        return Exit("waiting", "Paused", "reconciling is paused by an annotation")
    deleted = bool(snapshot.metadata.get("deletionTimestamp"))
    going = deleted and finalizer.holds(run, reconciler)
    if deleted and not going and not reconciler.until_gone:
        return LEFT_ALONE
    unconverted = Unconverted.of(snapshot.metadata.get("annotations"))
    if unconverted is not None:
        return await _turn_unconverted(run, unconverted, seen, going=going)
    if run.missing is not None:
        return await _turn_without_kind(run, run.missing)
    if reconciler.finalizes() and not deleted and not finalizer.holds(run, reconciler):
        try:
            snapshot.decode()
        except UndecodableError as error:  # nothing was done for it that would have to be undone
            exit_ = Exit.of_error(error)
            await _report_exit(run, exit_, seen)
            return exit_
        await finalizer.hold(run, reconciler)
    exit_ = await _exit_of(run, _called(reconciler, run, snapshot, log, going=going))
    if going and exit_.outcome == "ready":
        await finalizer.release(run, reconciler)
    else:
        await _report_exit(run, exit_, seen)
    return exit_


async def _report_exit(run: Running, exit_: Exit, seen: Seen) -> None:
    """Write the status that belongs to an exit, if it differs from what the object has."""
    kind = run.kind
    if exit_.is_lost_race and exit_.result is None and run.recorder.attempt == 1:
        return  # it is retried at once: the object is as it was
    try:
        await run.report(lambda live: next_status(kind, live, exit_, seen), failed=exit_.is_failure)
    except Conflict:
        if exit_.error is None:
            raise  # else the failure matters more, and the next run tells it again


async def _turn_without_kind(run: Running, kind: Kind) -> Exit:
    """Tell that an object waits for a kind that the server does not know yet.

    If that is its own kind, the object itself shows that the server knows it by now, and that only a watch
    has not learned so yet: there is nothing to tell, and all objects are looked at when it has.
    """
    message = f"{kind} is not served yet: its definition has to be installed first"
    exit_ = Exit("waiting", "KindMissing", message)
    if kind != run.kind.__kind__:
        await _report_exit(run, exit_, run.seen())
    return exit_


async def _turn_unconverted(run: Running, note: Unconverted, seen: Seen, *, going: bool) -> Exit:
    """Report that an object cannot be converted to our version: what we see of it is not what was written.

    An object that is being deleted is kept: to finalize it takes its content.
    """
    kind = run.kind.__kind__
    version = note.api_version.rpartition("/")[2]
    resource = f"{kind.plural}.{version}.{kind.group}"
    message = (
        f"written in {note.api_version}, it cannot be converted to {kind.api_version}: {note.reason}; "
        f"repair it with kubectl edit {resource} {run.key.name}"
    )
    if going:
        message += "; it is being deleted, and is finalized once it is repaired"
    exit_ = Exit.of_error(Terminal("ConversionFailed", message))
    if not run.shared.writer.is_dry:
        run.shared.observer.event(exit_.reason, warning=True)
        run.shared.events.event(run.kind, run.object, exit_.reason, message, warning=True)
    await _report_exit(run, exit_, seen)
    return exit_


async def turn_of_key(reconciler: KeyReconciler, run: Running, log: BoundLogger) -> Exit:
    """Reconcile a key; tells how that ended."""
    return await _exit_of(run, reconciler.reconcile(run.key, RunContext(run, log)))


async def _called(
    reconciler: Reconciler[Any], run: Running, snapshot: Snapshot[Any], log: BoundLogger, *, going: bool
) -> Result[Any]:
    resource: Resource = snapshot.decode()
    if run.object is not snapshot.data:  # the finalizer was put on it just now
        resource.metadata.resource_version = str(run.object["metadata"].get("resourceVersion", ""))
        resource.metadata.finalizers = list(run.object["metadata"].get("finalizers") or ())
    context = RunContext(run, log)
    if going and not reconciler.finalizes():  # only an old name of a finalizer is left, and nothing to do
        return Result.ready()
    return await (reconciler.finalize if going else reconciler.reconcile)(resource, context)


async def _exit_of(run: Running, call: Awaitable[Result[Any]]) -> Exit:
    """What the reconciler's own code came to, within its time limit."""
    try:
        with run.shared.watchdog.limited():
            result: object = await call
    except NotLeadingError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a reconciler raises is its outcome, told by the loop
        return Exit.of_error(error)
    if isinstance(result, Result):
        return Exit.of_result(result)
    said = "None" if result is None else type(result).__name__  # not its content, which may be a secret
    return Exit.of_error(
        TypeError(f"a reconcile must return a Result, not {said}: Result.ready(…) or Result.waiting(…)")
    )
