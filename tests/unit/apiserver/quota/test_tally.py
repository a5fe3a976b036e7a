from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from windlass.aio import ManualClock
from windlass.apiserver.quota.amount import written
from windlass.apiserver.quota.meter import meter_of
from windlass.apiserver.quota.tally import Tally
from windlass.apiserver.world import World

START = datetime(2026, 1, 1, tzinfo=UTC)


def ending_pod() -> dict[str, Any]:
    """A pod that was told to end at the start, within half a minute."""
    containers = [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]
    meta = {"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 30}
    return {"metadata": {"namespace": "ns", "name": "a", **meta}, "spec": {"containers": containers}}


async def test_a_pod_that_should_have_ended_leaves_what_it_took_when_it_goes() -> None:
    clock = ManualClock(START)
    world = World(clock=clock)
    pods = world.store.collection("/pods")
    record = pods.put("ns/a", ending_pod(), None)
    meter = meter_of("", "pods")
    assert meter is not None
    tally = Tally(meter, {"requests.cpu", "pods", "count/pods"}, "ns", {})
    assert written(tally.total(world)) == {"count/pods": "1", "pods": "1", "requests.cpu": "1"}

    await clock.advance(timedelta(minutes=1))
    written_again = pods.put("ns/a", record.object(), record)
    assert written(tally.total(world)) == {"count/pods": "1", "pods": "0", "requests.cpu": "0"}

    pods.delete("ns/a", written_again)
    assert written(tally.total(world)) == {"count/pods": "0", "pods": "0", "requests.cpu": "0"}
