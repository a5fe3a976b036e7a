from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from windlass.manager import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Key
    from windlass.manager import Metrics
    from windlass.operators.peerpod.types import PeerPod

FINALIZER: Final = "peer.pod/finalizer"
"""The cloud-api-adaptor puts it on a PeerPod, and takes it off when it has deleted the instance itself."""


class Dangling:
    """How many instances there are whose PeerPod is deleted and who still are to be, for Prometheus."""

    def __init__(self) -> None:
        self._providers: dict[Key, str] = {}
        self._instances = Readings(
            "peerpod_dangling_instances",
            "Instances in a cloud whose PeerPod is deleted and that have not been seen to go, by provider.",
            ("provider",),
        )
        self._instances.read(self._counted)

    def show(self, metrics: Metrics) -> None:
        """Let the manager show it with its own metrics."""
        metrics.show(self._instances)

    def see(self, change: Change[PeerPod]) -> None:
        """A PeerPod was found, or has changed, or is gone."""
        peer = change.new.shared if change.new else None
        if peer is not None and is_dangling(peer):
            self._providers[change.key] = peer.spec.cloud_provider
        else:
            self._providers.pop(change.key, None)

    def _counted(self) -> Iterable[tuple[tuple[str], float]]:
        counts = Counter(self._providers.values())
        return [((provider,), float(count)) for provider, count in sorted(counts.items())]


def is_dangling(peer: PeerPod) -> bool:
    """Whether a PeerPod is deleted, and nobody has seen to its instance yet."""
    return (
        peer.metadata.deletion_timestamp is not None
        and FINALIZER in peer.metadata.finalizers
        and bool(peer.spec.instance_id)
        and not peer.status.cleand
    )
