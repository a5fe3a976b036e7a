from __future__ import annotations

from typing import TYPE_CHECKING

from set_pods import NOW, daemons, pod
from windlass.cluster.controller.daemon_set.desired import pod_on, target_of
from windlass.cluster.controller.members import Glimpse
from windlass.cluster.controller.pod_state import is_available

if TYPE_CHECKING:
    from windlass.kinds.core.v1 import Pod


def _glimpsed(whole: Pod) -> Pod:
    return Glimpse.of(whole).pod


def test_a_glimpse_tells_who_a_pod_is_and_how_it_is() -> None:
    whole = pod("web-0", "going", "old", node="a", age=60)
    seen = _glimpsed(whole)
    assert (seen.metadata.name, seen.metadata.uid) == (whole.metadata.name, whole.metadata.uid)
    assert seen.metadata.labels == whole.metadata.labels
    assert seen.metadata.creation_timestamp == whole.metadata.creation_timestamp
    assert seen.metadata.deletion_timestamp == whole.metadata.deletion_timestamp
    assert seen.status.phase == "Running"
    assert is_available(seen, 60, NOW)
    assert not is_available(seen, 61, NOW)


def test_a_glimpse_tells_where_a_pod_is_or_is_meant_to_be() -> None:
    assert target_of(_glimpsed(pod("web-0", node="a"))) == "a"
    assert target_of(_glimpsed(pod_on(daemons(), "new", "b"))) == "b"
    assert target_of(_glimpsed(pod("web-0"))) == ""


def test_a_glimpse_leaves_out_what_a_set_does_not_look_at() -> None:
    whole = pod_on(daemons({"hostNetwork": True}), "new", "b")
    assert whole.spec.containers
    assert not _glimpsed(whole).spec.containers
    assert _glimpsed(whole).spec.host_network is None
