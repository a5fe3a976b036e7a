from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from set_pods import NOW, daemons, host, pod
from windlass.cluster.controller.daemon_set.desired import pod_on, target_of, tolerations
from windlass.cluster.controller.daemon_set.eligible import places
from windlass.cluster.controller.daemon_set.plan import Rules
from windlass.cluster.controller.daemon_set.status import status_of

if TYPE_CHECKING:
    from windlass.kinds.core.v1 import Node, Pod


@pytest.mark.parametrize(
    ("template", "node", "wants", "keeps"),
    [
        ({}, host("a"), True, True),
        ({"nodeSelector": {"disk": "ssd"}}, host("a", disk="ssd"), True, True),
        ({"nodeSelector": {"disk": "ssd"}}, host("a"), False, False),
        ({"nodeName": "b"}, host("a"), False, False),
        ({}, host("a", ("gpu", "NoSchedule")), False, True),
        ({}, host("a", ("gpu", "NoExecute")), False, False),
        ({}, host("a", ("gpu", "PreferNoSchedule")), True, True),
        (
            {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
            host("a", ("gpu", "NoExecute")),
            True,
            True,
        ),
        ({}, host("a", ("node.kubernetes.io/not-ready", "NoExecute")), True, True),
        ({}, host("a", ("node.kubernetes.io/not-ready", "NoSchedule")), False, True),
        ({}, host("a", ("node.kubernetes.io/unschedulable", "NoSchedule")), True, True),
        ({}, host("a", ("node.kubernetes.io/network-unavailable", "NoSchedule")), False, True),
        (
            {"hostNetwork": True},
            host("a", ("node.kubernetes.io/network-unavailable", "NoSchedule")),
            True,
            True,
        ),
    ],
)
def test_a_node_has_a_pod_if_it_is_selected_and_its_taints_are_tolerated(
    template: dict[str, Any], node: Node, *, wants: bool, keeps: bool
) -> None:
    (place,) = places(daemons(template), [node], [])
    assert (place.wants, place.keeps) == (wants, keeps)


def test_a_pod_belongs_to_the_node_that_it_is_meant_for_the_one_that_is_placed_first() -> None:
    owner = daemons()
    meant = _named(pod_on(owner, "new", "a"), "meant")
    placed = pod("placed", node="a")
    lost = _named(pod_on(owner, "new", "gone"), "lost")
    done = pod("done", "going", node="a")
    done.status.phase = "Failed"
    found = places(owner, [host("a")], [meant, placed, lost, pod("stray", node="gone"), done])
    assert [(place.name, [each.metadata.name for each in place.pods]) for place in found] == [
        ("a", ["placed", "meant"]),
        ("gone", ["lost"]),
    ]
    assert not found[1].keeps


def test_the_pod_of_a_node_can_be_placed_there_only_whatever_else_its_template_says() -> None:
    terms = [{"matchExpressions": [{"key": "disk", "operator": "Exists"}]}]
    preferred = [{"weight": 1, "preference": terms[0]}]
    affinity = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms},
            "preferredDuringSchedulingIgnoredDuringExecution": preferred,
        },
        "podAffinity": {},
    }
    made = pod_on(daemons({"affinity": affinity}), "new", "a")
    assert target_of(made) == "a"
    kept = made.to_wire()["spec"]["affinity"]
    assert kept["nodeAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"] == preferred
    assert kept["podAffinity"] == {}
    assert made.metadata.generate_name == "web-"


def test_a_toleration_that_the_template_has_already_is_there_once() -> None:
    mine = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
    found = tolerations(daemons({"tolerations": [{**mine, "tolerationSeconds": 5}]}))
    same = [each for each in found if each.key == mine["key"]]
    assert [each.toleration_seconds for each in same] == [None]


def test_nodes_are_counted_by_their_first_pod() -> None:
    owner = daemons()
    owner.metadata.generation = 4
    nodes = [host("a"), host("b"), host("c"), host("d", ("gpu", "NoSchedule"))]
    pods = [
        pod("a0", "ready", node="a"),
        pod("b0", "running", "old", node="b"),
        pod("d0", "ready", node="d"),
    ]
    found = status_of(places(owner, nodes, pods), Rules(owner, "new", NOW), 0)
    assert found.to_wire() == {
        "observedGeneration": 4,
        "desiredNumberScheduled": 3,
        "currentNumberScheduled": 2,
        "numberMisscheduled": 1,
        "numberReady": 1,
        "numberAvailable": 1,
        "numberUnavailable": 2,
        "updatedNumberScheduled": 1,
    }


def _named(made: Pod, name: str) -> Pod:
    made.metadata.name = name
    return made
