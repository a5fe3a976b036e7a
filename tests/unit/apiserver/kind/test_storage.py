from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from windlass.aio import ManualClock
from windlass.apiserver.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = "2026-05-01T00:00:00Z"
BEFORE = "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("status", "since"),
    [
        ({"phase": "Bound"}, NOW),
        ({"phase": "Bound", "lastPhaseTransitionTime": BEFORE}, NOW),
        ({"phase": "Bound", "lastPhaseTransitionTime": "2026-02-01T00:00:00Z"}, "2026-02-01T00:00:00Z"),
        ({"phase": "Pending"}, BEFORE),
        ({"phase": "Pending", "lastPhaseTransitionTime": "2026-02-01T00:00:00Z"}, "2026-02-01T00:00:00Z"),
    ],
    ids=["another phase", "another phase, the old time", "a time of its own", "the same phase", "corrected"],
)
def test_a_volume_says_since_when_it_is_in_its_phase(
    traits: Callable[[str, str], Any], status: dict[str, str], since: str
) -> None:
    world = World(clock=ManualClock(datetime(2026, 5, 1, tzinfo=UTC)))
    old = {"metadata": {}, "spec": {}, "status": {"phase": "Pending", "lastPhaseTransitionTime": BEFORE}}
    obj = {"metadata": {}, "spec": {}, "status": status}

    traits("v1", "PersistentVolume").prepare_status(obj, old, world)

    assert obj["status"]["lastPhaseTransitionTime"] == since


def test_changes_of_a_driver_are_counted_from_nothing(traits: Callable[[str, str], Any]) -> None:
    drivers = traits("storage.k8s.io/v1", "CSIDriver")
    old: dict[str, Any] = {"metadata": {}, "spec": {}}
    changed: dict[str, Any] = {"metadata": {}, "spec": {"podInfoOnMount": True}}
    same: dict[str, Any] = {"metadata": {"labels": {"a": "b"}}, "spec": {}}

    drivers.prepare_update(changed, old, World())
    drivers.prepare_update(same, old, World())

    assert changed["metadata"]["generation"] == 1
    assert "generation" not in same["metadata"]
