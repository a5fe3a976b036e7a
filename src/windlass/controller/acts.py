from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from windlass.api import mask
from windlass.controller.exit import Exit, shown_reason
from windlass.controller.message import plain_message
from windlass.controller.status import kept_by_loop, next_status
from windlass.errors import NotLeadingError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.api import Json, Model, Resource
    from windlass.controller.environment import EffectResult
    from windlass.controller.running import Running

T = TypeVar("T")
P = ParamSpec("P")


class PlanEndsError(BaseException):
    """A plan cannot go on: what follows depends on an effect that was not done.

    No reconciler that catches every `Exception` gets hold of it: it would go on with a result it never had.
    """


def _reference(resource: Resource) -> Json:
    """Return what an event says of the object that it is about; a Secret without its values is one, too."""
    metadata = resource.metadata.to_wire()
    return {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": metadata}


class ContextActs:
    """Everything of a context that can be noticed outside and is no write of an object."""

    _run: Running

    async def checkpoint(self, status: Model) -> None:
        """Write the status now."""
        run = self._run
        wanted = status.to_wire()
        await run.promise(lambda live: {**wanted, **kept_by_loop(run.kind, live)})

    async def progress(self, reason: str, message: str) -> None:
        """Write now that our object is not ready."""
        run = self._run
        exit_ = Exit.of_progress(reason, message)
        seen = run.seen()
        await run.report(lambda live: next_status(run.kind, live, exit_, seen))

    async def superseded(self) -> None:
        """Return when our object got a new generation, or is being deleted."""
        await self._run.superseded.wait()

    async def effect(self, what: str, call: Callable[[], Awaitable[T]], *, planned: T | None = None) -> T:
        """Do something outside the cluster."""
        run, clock = self._run, self._run.shared.clock
        began = clock.monotonic()

        def did(result: EffectResult, why: str = "") -> None:
            run.did(what, result, timedelta(seconds=clock.monotonic() - began), why)

        if run.shared.writer.is_dry:
            did("planned")
            if planned is None:
                raise PlanEndsError(f"what follows depends on the outcome of: {what.splitlines()[0]}")
            return planned
        try:
            run.shared.fence.check()
        except NotLeadingError:
            did("refused")
            raise
        try:
            done = await call()
        except asyncio.CancelledError:
            run.shared.fence.doubt()  # whether it happens all the same is for somebody else to know
            did("failed", "cancelled")
            raise
        except BaseException as error:
            did("failed", str(error) or type(error).__name__)
            raise
        did("done")
        return done

    def event(
        self, reason: str, message: str, *, warning: bool = False, about: Resource | None = None
    ) -> None:
        """Tell people something about our object, or another."""
        run = self._run
        kind, subject = (run.kind, run.object) if about is None else (type(about), _reference(about))
        if not run.shared.writer.is_dry:
            shown, text = shown_reason(reason), mask(message)
            if warning and about is None:
                run.warnings.add(plain_message(text))
            run.shared.observer.event(shown, warning=warning)
            run.shared.events.event(kind, subject, shown, text, warning=warning)

    async def thread(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a library that blocks, in a thread."""
        try:
            return await asyncio.to_thread(call, *args, **kwargs)
        except asyncio.CancelledError:
            self._run.shared.fence.doubt()  # a thread cannot be stopped
            raise
