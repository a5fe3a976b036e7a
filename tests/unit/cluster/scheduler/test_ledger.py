from __future__ import annotations

from typing import Any

from windlass.api import Key
from windlass.cluster.scheduler.ledger import Ledger
from windlass.cluster.scheduler.pod import PodInfo
from windlass.kinds.core.v1 import Node, Pod


def node(name: str) -> Node:
    return Node.from_wire({"metadata": {"name": name}, "status": {"allocatable": {"cpu": "4", "pods": "10"}}})


def pod(name: str, node: str = "", **metadata: Any) -> PodInfo:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    spec = {"containers": [container], **({"nodeName": node} if node else {})}
    whole = {"metadata": {"name": name, "namespace": "default", "uid": name, **metadata}, "spec": spec}
    return PodInfo.of(Pod.from_wire(whole))


def snapshot(ledger: Ledger) -> object:
    """Everything that a ledger has counted."""
    taken = {name: (dict(state.taken), sorted(state.pods)) for name, state in ledger.nodes.items()}
    kin = {space: {each: dict(found) for each, found in kin.items()} for space, kin in ledger.kin.items()}
    return taken, kin, set(ledger.waiting)


def test_an_assumed_pod_counts_until_the_cluster_says_otherwise() -> None:
    ledger = Ledger()
    ledger.put_node(node("a"))
    waiting = pod("p")
    ledger.put_waiting(waiting)

    ledger.assume(waiting, "a")
    ledger.put_waiting(waiting)  # an event from before the binding
    assert ledger.nodes["a"].taken["cpu"] == 1000
    assert not ledger.waiting
    ledger.put_placed(pod("p", "a"))
    assert ledger.nodes["a"].taken["cpu"] == 1000
    ledger.release(waiting)  # it is placed for good
    assert ledger.nodes["a"].taken["cpu"] == 1000
    ledger.drop(waiting.key)
    assert ledger.nodes["a"].taken["cpu"] == 0


def test_a_pod_that_could_not_be_bound_waits_again() -> None:
    ledger = Ledger()
    ledger.put_node(node("a"))
    ledger.put_waiting(pod("p"))
    before = snapshot(ledger)
    ledger.assume(pod("p"), "a")

    ledger.release(pod("p"))

    assert set(ledger.waiting) == {Key("default", "p")}
    assert ledger.kin == {}
    assert before == ({"a": ({}, [])}, {}, {Key("default", "p")})


def test_another_pod_of_the_same_name_is_another_pod() -> None:
    ledger = Ledger()
    ledger.put_node(node("a"))
    ledger.put_placed(pod("p", "a"))

    ledger.put_waiting(pod("p", uid="second"))

    assert not ledger.nodes["a"].pods
    assert ledger.waiting[Key("default", "p")].uid == "second"


def test_what_is_supposed_leaves_no_trace() -> None:
    ledger = Ledger()
    ledger.put_node(node("a"))
    there = pod("there", "a", labels={"app": "web"})
    ledger.put_placed(there)
    before = snapshot(ledger)

    with ledger.supposing(gone=[there], there=[pod("new", "a")]):
        assert list(ledger.nodes["a"].pods) == [Key("default", "new")]

    assert snapshot(ledger) == before


def test_pods_of_a_node_that_comes_later_count_when_it_is_there() -> None:
    ledger = Ledger()
    ledger.put_placed(pod("p", "a"))
    assert not ledger.nodes

    ledger.put_node(node("a"))
    assert ledger.nodes["a"].taken["cpu"] == 1000
    ledger.drop_node("a")
    assert not ledger.nodes
    ledger.drop(Key("default", "p"))
    assert not ledger._states


def test_pods_that_are_alike_are_counted_together() -> None:
    ledger = Ledger()
    for number in range(5):
        ledger.put_placed(pod(f"p{number}", "a" if number < 3 else "b", labels={"app": "web"}))

    assert [dict(kin) for kin in ledger.kin["default"].values()] == [{"a": 3, "b": 2}]
