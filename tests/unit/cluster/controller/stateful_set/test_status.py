from __future__ import annotations

from set_pods import NOW, pod, stateful
from windlass.cluster.controller.stateful_set.status import Revisions, status_of

_ROLLING = Revisions("old", "new", 0)


def test_pods_are_counted_by_state_and_by_revision() -> None:
    pods = [
        pod("web-0", "ready", "old"),
        pod("web-1", "ready", "old", age=5),
        pod("web-2", "going", "old"),
        pod("web-3", "running", "new"),
    ]
    assert status_of(stateful(4, minReadySeconds=10), pods, _ROLLING, NOW).to_wire() == {
        "observedGeneration": 7,
        "replicas": 4,
        "readyReplicas": 3,
        "availableReplicas": 2,
        "currentReplicas": 2,
        "updatedReplicas": 1,
        "currentRevision": "old",
        "updateRevision": "new",
        "collisionCount": 0,
    }


def test_a_rollout_is_complete_when_all_pods_are_new_and_ready() -> None:
    done = [pod("web-0"), pod("web-1")]
    assert status_of(stateful(2), done, _ROLLING, NOW).current_revision == "new"
    for pods in (done[:1], [done[0], pod("web-1", "running")], [done[0], pod("web-1", "ready", "old")]):
        assert status_of(stateful(2), pods, _ROLLING, NOW).current_revision == "old"
    by_hand = stateful(2, updateStrategy={"type": "OnDelete"})
    assert status_of(by_hand, done, _ROLLING, NOW).current_revision == "old"


def test_what_is_nothing_is_left_out_as_the_server_does() -> None:
    found = status_of(stateful(0), [], Revisions("new", "new", 2), NOW).to_wire()
    assert {name for name, value in found.items() if value == 0} == {"replicas", "availableReplicas"}
