from __future__ import annotations

import asyncio
import logging
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from windlass.aio import Clock, SystemClock, within
from windlass.errors import Conflict, NotLeadingError, WindlassError
from windlass.manager.claim import Claim
from windlass.manager.election_options import JITTER, ElectionOptions, ElectionState, unique_identity
from windlass.manager.term import Term

if TYPE_CHECKING:
    from asyncio import Future
    from collections.abc import Awaitable, Callable, Coroutine
    from datetime import datetime, timedelta

    from windlass.client import Client
    from windlass.controller import Fence

_log = logging.getLogger("windlass.manager")


class Election:
    """Decides by a Lease which of several processes leads, together with client-go's `leaderelection`.

        election = Election(client, ElectionOptions(name="webapp-operator"))
        await election.run(lead)

    Whatever `lead` writes goes through a `FencedTransport` with the fence that it is given. The election's
    own client must not: give it connections of its own, so that no renewal waits behind other requests.
    """

    def __init__(
        self,
        client: Client,
        options: ElectionOptions,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        self._options = options
        self._clock = clock or SystemClock()
        self._random = random or SystemRandom()
        identity = options.identity or unique_identity(self._random)
        self._claim = Claim(client, options, identity, self._clock)
        self._lease = f"{options.namespace}/{options.name}".lstrip("/")
        self._term: Term | None = None
        self._holder = ""
        self._since: datetime | None = None
        self._problem = ""

    @property
    def identity(self) -> str:
        """Who this process is in the lease."""
        return self._claim.identity

    @property
    def state(self) -> ElectionState:
        """What is known at this instant, for health and metrics."""
        return ElectionState(
            leading=self._term is not None and self._term.passes,
            holder=self._holder,
            since=self._since,
            transitions=self._claim.transitions,
            problem=self._problem,
        )

    async def run(self, lead: Callable[[Fence], Awaitable[None]]) -> None:
        """Wait for the lease, run `lead` while it is ours, and return when `lead` does.

        When the lease is lost, `lead` is cancelled, awaited, and started again with another fence when the
        lease is ours again. When this is cancelled, so is `lead`, and the lease is renewed until `lead` has
        ended. At last the lease is handed over, unless something that it protects may still be on its way.

        Raises:
            NotLeadingError: the lease was lost and the options say not to rejoin, or `lead` did not end
                within the grace period after it was cancelled.
        """
        while True:
            _log.info("attempting to acquire leader lease %s", self._lease)
            self._term = await self._acquire()
            _log.info("successfully acquired lease %s as %s", self._lease, self.identity)
            if await self._serve(self._term, lead):
                return
            _log.warning("lost the lease %s; last seen with %s", self._lease, self._holder or "nobody")
            if not self._options.rejoin:
                raise NotLeadingError(f"the lease {self._lease} was lost, and the options say not to rejoin")

    async def _acquire(self) -> Term:
        options = self._options
        while True:
            asked = await self._attempt(self._claim.acquire(), options.attempt_limit)
            if asked is not None:
                term = Term(self._lease, options.renew_deadline, self._clock, asked)
                if term.passes:  # not if we were suspended before the answer came
                    return term
            await self._clock.sleep(options.retry_period * (1 + JITTER * self._random.random()))

    async def _serve(self, term: Term, lead: Callable[[Fence], Awaitable[None]]) -> bool:
        """Run `lead` for a term; False when the term ended before `lead` did.

        Being cancelled once begins an orderly end, at whatever moment; being cancelled twice cuts it short.
        """
        # Not a TaskGroup, which would wait for ever for work that does not heed its cancellation.
        leading, renewing = asyncio.ensure_future(lead(term)), asyncio.ensure_future(self._renew(term))
        stop: asyncio.CancelledError | None = None
        try:
            await asyncio.wait((leading, renewing), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError as cancelled:
            stop = cancelled
        by_itself = leading.done()
        leaving = asyncio.ensure_future(self._leave(term, leading, renewing))
        if stop is None:
            try:
                await asyncio.shield(leaving)
            except asyncio.CancelledError as cancelled:
                stop = cancelled
        ended = self._verdict(leading, by_itself=by_itself, kept=await leaving)
        if stop is not None:
            raise stop
        return ended

    async def _renew(self, term: Term) -> None:
        """Keep the lease until it is lost, or nobody knows whether it is."""
        options = self._options
        while True:
            await self._clock.sleep(min(options.retry_period, term.left()))
            if not term.passes:
                return
            asked = await self._attempt(self._claim.renew(), min(options.attempt_limit, term.left()))
            if asked is not None:
                term.renew(asked)
            elif not self._claim.is_ours:
                term.close()

    async def _leave(self, term: Term, leading: Future[None], renewing: Future[None]) -> bool:
        """End what leads while the lease is still renewed, then the renewals, then hand the lease over."""
        try:
            await self._end(leading)
        finally:
            renewing.cancel()
            await asyncio.wait((renewing,))
            kept = term.passes
            term.close()
        if not renewing.cancelled():
            renewing.result()
        if kept and self._options.release:
            await self._release(in_doubt=term.doubtful or not leading.done())
        return kept

    async def _end(self, leading: Future[None]) -> None:
        """Cancel what leads, and wait for it as long as the grace period lasts."""
        if leading.done():
            return
        leading.cancel()
        waiting = asyncio.ensure_future(self._clock.sleep(self._options.grace))
        try:
            await asyncio.wait((leading, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    def _verdict(self, leading: Future[None], *, by_itself: bool, kept: bool) -> bool:
        """Whether `lead` has done its work. What it raised is raised, unless the lost lease was its cause."""
        if not leading.done():
            grace = self._options.grace.total_seconds()
            raise NotLeadingError(
                f"what ran under the lease {self._lease} still runs {grace:g} s after it was cancelled"
            )
        error = None if leading.cancelled() else leading.exception()
        if error is not None and (kept or not _is_refusal(error)):
            raise error
        return by_itself and error is None

    async def _release(self, *, in_doubt: bool) -> None:
        if in_doubt:
            _log.warning(
                "the lease %s is left to expire: something that it protects may still happen", self._lease
            )
            return
        try:
            await within(self._clock, self._options.attempt_limit, self._claim.release())
        except (WindlassError, TimeoutError) as error:
            _log.warning("the lease %s could not be handed over, and will expire: %s", self._lease, error)
        else:
            _log.info("handed over the lease %s", self._lease)
        self._notice()

    async def _attempt(self, attempt: Coroutine[Any, Any, float | None], limit: timedelta) -> float | None:
        """Try to get or keep the lease; every failure is one that another attempt may mend."""
        problem = ""
        try:
            return await within(self._clock, limit, attempt)
        except Conflict:
            return None  # another was faster
        except (WindlassError, TimeoutError) as error:
            problem = str(error)
            if problem != self._problem:
                _log.warning("the lease %s: %s", self._lease, problem)
            return None
        finally:
            self._problem = problem
            self._notice()

    def _notice(self) -> None:
        """Tell about a holder that is seen for the first time."""
        if self._claim.holder == self._holder:
            return
        self._holder = self._claim.holder
        self._since = self._clock.now()
        if self._holder and self._options.on_new_leader:
            self._options.on_new_leader(self._holder)


def _is_refusal(error: BaseException) -> bool:
    """Whether an error, or every one in a group, is that of a fence."""
    if isinstance(error, BaseExceptionGroup):
        return error.split(NotLeadingError)[1] is None
    return isinstance(error, NotLeadingError)
