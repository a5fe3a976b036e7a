from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.operators.peerpod.cloud.error import InstanceMissingError
from windlass.operators.peerpod.cloud.interface import Cloud

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.operators.peerpod.cloud.error import CloudError


class FakeCloud(Cloud):
    """A cloud in memory. `instances` are those that exist, each with what it is for.

    With a `clock`, each call takes as long as `latency` says.
    """

    def __init__(self, clock: Clock | None = None, latency: timedelta | None = None) -> None:
        self.instances: dict[str, str] = {}
        self.deleted: list[str] = []
        self._clock = clock
        self._latency = latency
        self._faults: deque[CloudError] = deque()
        self._count = 0

    def launch(self, purpose: str) -> str:
        """Start an instance; returns its id, which no other ever has."""
        self._count += 1
        instance_id = f"i-{self._count:08x}"
        self.instances[instance_id] = purpose
        return instance_id

    def refuse(self, *faults: CloudError) -> None:
        """Let the next calls fail, one after the other."""
        self._faults.extend(faults)

    @override
    async def delete_instance(self, instance_id: str) -> None:
        if self._clock and self._latency:
            await self._clock.sleep(self._latency)
        if self._faults:
            raise self._faults.popleft()
        if self.instances.pop(instance_id, None) is None:
            raise InstanceMissingError(f"there is no instance {instance_id}")
        self.deleted.append(instance_id)
