"""Holding an object back until what it has outside the cluster is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import NotFound

if TYPE_CHECKING:
    from windlass.controller.running import Running
    from windlass.reconcile import Reconciler


def holds(run: Running, reconciler: Reconciler[Any]) -> bool:
    """Whether our finalizer, under its present or an old name, is on the object."""
    names = {reconciler.finalizer, *reconciler.old_finalizers}
    return not names.isdisjoint(run.object["metadata"].get("finalizers") or ())


async def hold(run: Running, reconciler: Reconciler[Any]) -> None:
    """Put our finalizer on the object, before anything is done that would have to be undone.

    Raises:
        Conflict: the object changed meanwhile.
    """
    present = run.object["metadata"].get("finalizers") or []
    await run.write_self({"metadata": {"finalizers": [*present, reconciler.finalizer]}})


async def release(run: Running, reconciler: Reconciler[Any]) -> None:
    """Take our finalizer off, and let the object go.

    Raises:
        Conflict: the object changed meanwhile; finalizing again is safe.
    """
    ours = {reconciler.finalizer, *reconciler.old_finalizers}
    left = [each for each in run.object["metadata"].get("finalizers") or () if each not in ours]
    try:
        await run.write_self({"metadata": {"finalizers": left or None}})
    except NotFound:  # somebody else took it off
        return
