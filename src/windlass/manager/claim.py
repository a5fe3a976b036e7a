from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.api import ObjectMeta
from windlass.errors import Conflict, NotFound
from windlass.kinds.coordination.v1 import Lease

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.aio import Clock
    from windlass.client import Client
    from windlass.manager.election_options import ElectionOptions

_RELEASED_SECONDS = 1  # as client-go leaves it behind; a lease must have some duration


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
        self._seen: Lease | None = None
        self._seen_at = 0.0
        self._known = False

    @property
    def holder(self) -> str:
        """Who held the lease when it was last seen; empty for nobody."""
        return (self._seen.spec.holder_identity or "") if self._seen else ""

    @property
    def transitions(self) -> int:
        """How often the lease had changed hands when it was last seen."""
        return (self._seen.spec.lease_transitions or 0) if self._seen else 0

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
        except (Conflict, NotFound):
            await self._look()  # somebody wrote it, perhaps only a label
        return await self._write() if self.is_ours else None

    async def release(self) -> None:
        """Hand the lease over, if it is ours. Whatever it protected must have ended.

        Raises:
            ApiError, ConnectionFailedError: it was not; the lease will expire.
        """
        await self._look()
        if not self.is_ours or self._seen is None:
            return
        lease = self._seen.model_copy(deep=True)
        lease.spec.holder_identity = ""
        lease.spec.lease_duration_seconds = _RELEASED_SECONDS
        lease.spec.acquire_time = lease.spec.renew_time = self._clock.now()
        self._see(await self._client.update(lease))

    async def _look(self) -> None:
        try:
            self._see(await self._client.get(Lease, self._options.name, self._options.namespace))
        except NotFound:
            # Somebody deleted it. What was seen stays in mind: its holder may not know yet.
            self._known = False

    def _see(self, lease: Lease) -> None:
        if self._seen is None or self._seen.spec != lease.spec:
            self._seen_at = self._clock.elapsed()
        self._seen = lease
        self._known = True

    def _belongs_to_another(self) -> bool:
        if self._seen is None or not self.holder or self.is_ours:
            return False
        seconds = self._seen.spec.lease_duration_seconds
        promised = self._options.lease_duration if seconds is None else timedelta(seconds=seconds)
        return self._clock.elapsed() < self._seen_at + promised.total_seconds()

    async def _write(self) -> float:
        lease = self._claimed(self._clock.now())
        asked = self._clock.elapsed()
        if self._known:
            self._see(await self._client.update(lease))
        else:
            self._see(await self._client.create(lease))
        return asked

    def _claimed(self, now: datetime) -> Lease:
        """The lease as ours: what we do not know of it stays as it is."""
        options = self._options
        if self._known and self._seen is not None:
            lease = self._seen.model_copy(deep=True)
        else:
            lease = Lease(metadata=ObjectMeta(name=options.name, namespace=options.namespace))
        spec = lease.spec
        if not self._known:
            spec.lease_transitions = 0
            spec.acquire_time = now
        elif not self.is_ours:
            spec.lease_transitions = self.transitions + 1
            spec.acquire_time = now
        spec.holder_identity = self.identity
        spec.lease_duration_seconds = int(options.lease_duration.total_seconds())
        spec.renew_time = now
        return lease
