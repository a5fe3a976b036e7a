from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.api import ObjectMeta
from windlass.errors import ApiError, NotFound
from windlass.kinds.coordination.v1 import Lease, LeaseSpec

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.aio import Clock
    from windlass.client import Client
    from windlass.manager.election_options import ElectionOptions

_RELEASED_SECONDS = 1  # as client-go leaves it behind; a lease must have some duration

# The others go by what changes in the lease. A wall clock that stands still, or is held back, must not make
# two renewals look alike.
_STANDSTILL = timedelta(seconds=1)


class Claim:
    """What one process has seen of a lease, and its attempts to get, keep and hand over that lease.

    A lease of others is judged by our own clock since we last saw it change, never by the times written in
    it, which are other machines' wall clocks. Every write names the version that it changes, so that of two
    processes that judge alike one succeeds.
    """

    def __init__(self, client: Client, options: ElectionOptions, identity: str, clock: Clock) -> None:
        self.identity = identity
        self._client = client
        self._options = options
        self._clock = clock
        self._lease: Lease | None = None
        self._seen: LeaseSpec = LeaseSpec()
        self._seen_at = 0.0

    @property
    def holder(self) -> str:
        """Who held the lease when it was last seen; empty for nobody."""
        return self._seen.holder_identity or ""

    @property
    def transitions(self) -> int:
        """How often the lease had changed hands when it was last seen."""
        return self._seen.lease_transitions or 0

    @property
    def is_ours(self) -> bool:
        """Whether we held the lease when it was last seen."""
        return self.holder == self.identity

    async def acquire(self) -> float | None:
        """Get the lease; `None` while another holds it.

        What is returned is a moment of the clock's `elapsed` before the request that was granted.

        Raises:
            ApiError: the server refused; `Conflict` when another was faster.
            ConnectionFailedError: no answer came, and the lease may be ours all the same.
        """
        await self._look()
        return None if self._belongs_to_another() else await self._write()

    async def renew(self) -> float | None:
        """Keep the lease; `None` when it has passed to another. Returns and raises as `acquire` does."""
        try:
            return await self._write()
        except ApiError:
            await self._look()  # somebody wrote it, perhaps only a label, or deleted it
        return await self._write() if self.is_ours else None

    async def release(self) -> None:
        """Hand the lease over, if it is ours. Whatever it protected must have ended.

        Raises:
            ApiError, ConnectionFailedError: it was not; the lease will expire.
        """
        await self._look()
        if self._lease is None or not self.is_ours:
            return
        lease = self._lease.model_copy(deep=True)
        lease.spec.holder_identity = ""
        lease.spec.lease_duration_seconds = _RELEASED_SECONDS
        lease.spec.acquire_time = lease.spec.renew_time = self._clock.now()
        self._see(await self._client.update(lease))

    async def _look(self) -> None:
        try:
            self._see(await self._client.get(Lease, self._options.name, self._options.namespace))
        except NotFound:
            # Somebody deleted it. What was seen stays in mind: its holder may not know yet.
            self._lease = None

    def _see(self, lease: Lease) -> None:
        if self._seen != lease.spec:
            self._seen_at = self._clock.elapsed()
        self._lease, self._seen = lease, lease.spec

    def _belongs_to_another(self) -> bool:
        if not self.holder or self.is_ours:
            return False
        seconds = self._seen.lease_duration_seconds
        promised = self._options.lease_duration if seconds is None else timedelta(seconds=seconds)
        return self._clock.elapsed() < self._seen_at + promised.total_seconds()

    async def _write(self) -> float:
        asked, now = self._clock.elapsed(), self._clock.now()
        if self._lease is None:
            metadata = ObjectMeta(name=self._options.name, namespace=self._options.namespace)
            lease = Lease(metadata=metadata, spec=LeaseSpec(lease_transitions=0, acquire_time=now))
            self._see(await self._client.create(self._claimed(lease, now)))
            return asked
        lease = self._lease.model_copy(deep=True)  # with all that we do not know of it
        if not self.is_ours:
            lease.spec.lease_transitions = self.transitions + 1
            lease.spec.acquire_time = now
        self._see(await self._client.update(self._claimed(lease, now)))
        return asked

    def _claimed(self, lease: Lease, now: datetime) -> Lease:
        before = self._seen.renew_time
        if before is not None and timedelta() <= before - now < _STANDSTILL:
            now = before + timedelta(microseconds=1)
        lease.spec.holder_identity = self.identity
        lease.spec.lease_duration_seconds = int(self._options.lease_duration.total_seconds())
        lease.spec.renew_time = now
        return lease
