from __future__ import annotations

from typing import Any

import pytest

from windlass.cluster.scheduler.ledger import Ledger
from windlass.cluster.scheduler.pod import PodInfo
from windlass.cluster.scheduler.score import (
    affinity_scores,
    neighbour_scores,
    room_scores,
    scores,
    spread_scores,
    taint_scores,
)
from windlass.kinds.core.v1 import Node, Pod

HOSTNAME = "kubernetes.io/hostname"
OWNER = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "rs", "controller": True}


def pod(name: str, node: str = "", *, labels: dict[str, str] | None = None, **spec: Any) -> Pod:
    owned = spec.pop("owned", False)
    requests = spec.pop("requests", {})
    container = {"name": "c", "image": "i", "resources": {"requests": requests}}
    metadata: dict[str, Any] = {"name": name, "namespace": "default", "uid": name, "labels": labels or {}}
    if owned:
        metadata["ownerReferences"] = [OWNER]
    whole = {"containers": [container], **({"nodeName": node} if node else {}), **spec}
    return Pod.from_wire({"metadata": metadata, "spec": whole})


@pytest.fixture
def ledger() -> Ledger:
    """Two nodes of 4 CPUs and 8 GiB; one has labels and a taint that is better avoided."""
    made = Ledger()
    room = {"cpu": "4", "memory": "8Gi", "pods": "10"}
    for name, labels, taints in (
        ("a", {"disk": "ssd"}, [{"key": "t", "effect": "PreferNoSchedule"}]),
        ("b", {}, []),
    ):
        made.put_node(
            Node.from_wire(
                {
                    "metadata": {"name": name, "labels": {HOSTNAME: name, **labels}},
                    "spec": {"taints": taints},
                    "status": {"allocatable": room},
                }
            )
        )
    return made


def test_room_is_scored_as_the_real_one_does(ledger: Ledger) -> None:
    ledger.put_placed(PodInfo.of(pod("there", "a", requests={"cpu": "2", "memory": "2Gi"})))
    new = PodInfo.of(pod("new", requests={"cpu": "1", "memory": "2Gi"}))

    # a: 25 % of CPU and 50 % of memory left, b: 75 % of both; a stays as uneven as it was, b as even
    assert room_scores(new, ledger.order) == [37 + 75, 75 + 75]


def test_views_that_a_pod_has_no_opinion_on_say_nothing(ledger: Ledger) -> None:
    plain = pod("plain")
    info, nodes = PodInfo.of(plain), ledger.order

    assert affinity_scores(plain.spec, nodes) is None
    assert spread_scores(info, plain.spec, nodes, ledger) is None
    assert neighbour_scores(info, nodes, ledger) is None
    assert taint_scores(plain.spec, [ledger.nodes["b"]]) is None


def test_taints_affinity_and_neighbours_count_from_0_to_100(ledger: Ledger) -> None:
    weight = {"weight": 7, "preference": {"matchExpressions": [{"key": "disk", "operator": "Exists"}]}}
    near = {"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": HOSTNAME}
    preferred = "preferredDuringSchedulingIgnoredDuringExecution"
    affinity = {
        "nodeAffinity": {preferred: [weight]},
        "podAntiAffinity": {preferred: [{"weight": 5, "podAffinityTerm": near}]},
    }
    new = pod("new", affinity=affinity)
    ledger.put_placed(PodInfo.of(pod("db", "a", labels={"app": "db"})))

    assert taint_scores(new.spec, ledger.order) == [0, 100]
    assert affinity_scores(new.spec, ledger.order) == [100, 0]
    assert neighbour_scores(PodInfo.of(new), ledger.order, ledger) == [0, 100]


def test_what_pods_that_are_there_like_counts_too(ledger: Ledger) -> None:
    near = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": HOSTNAME}
    required = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [near]}}
    ledger.put_placed(PodInfo.of(pod("fan", "b", affinity=required)))

    found = neighbour_scores(PodInfo.of(pod("new", labels={"app": "web"})), ledger.order, ledger)

    assert found == [0, 100]


def test_replicas_are_spread_by_themselves_and_those_that_are_going_do_not_count(ledger: Ledger) -> None:
    for number in range(6):
        ledger.put_placed(PodInfo.of(pod(f"r{number}", "a", owned=True)))
    ledger.put_placed(PodInfo.of(pod("other", "b")))
    new = pod("new", owned=True)

    found = spread_scores(PodInfo.of(new), new.spec, ledger.order, ledger)

    assert found is not None
    assert found[0] < found[1] == 100


def test_a_wish_to_be_spread_goes_before_the_usual(ledger: Ledger) -> None:
    wish = {
        "maxSkew": 1,
        "topologyKey": HOSTNAME,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    ledger.put_placed(PodInfo.of(pod("there", "b", labels={"app": "web"})))
    new = pod("new", topologySpreadConstraints=[wish])

    assert spread_scores(PodInfo.of(new), new.spec, ledger.order, ledger) == [100, 0]
    assert scores(PodInfo.of(new), new.spec, ledger.order, ledger)
