"""Random clusters: what is placed breaks no rule, and what is refused could not be placed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from placement_oracle import HOSTNAME, World
from windlass.cluster.scheduler.ledger import Ledger
from windlass.cluster.scheduler.pod import PodInfo
from windlass.cluster.scheduler.search import Wanted, choose, enough, search
from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from random import Random

Wire = dict[str, Any]

ZONE = "zone"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_LABELS = st.fixed_dictionaries({"app": st.sampled_from(["web", "db", "x"])})
_TOPOLOGIES = st.sampled_from([ZONE, HOSTNAME])


@st.composite
def nodes(draw: st.DrawFn) -> dict[str, Wire]:
    made = {}
    for number in range(draw(st.integers(1, 5))):
        name = f"n{number}"
        labels = {HOSTNAME: name, "size": draw(st.sampled_from(["big", "small"]))}
        zone = draw(st.sampled_from(["", "east", "west"]))
        labels |= {ZONE: zone} if zone else {}
        taints = [
            {"key": key, "effect": draw(st.sampled_from(["NoSchedule", "NoExecute", "PreferNoSchedule"]))}
            for key in draw(st.sets(st.sampled_from(["t1", "t2"])))
        ]
        room = {"cpu": draw(st.sampled_from(["1", "2", "4"])), "pods": draw(st.sampled_from(["1", "3", "9"]))}
        room |= draw(st.sampled_from([{}, {"example.com/device": "2"}]))
        made[name] = {
            "metadata": {"name": name, "labels": labels},
            "spec": {"taints": taints, "unschedulable": draw(st.sampled_from([False, False, False, True]))},
            "status": {"allocatable": room},
        }
    return made


@st.composite
def term(draw: st.DrawFn) -> Wire:
    return {"labelSelector": {"matchLabels": draw(_LABELS)}, "topologyKey": draw(_TOPOLOGIES)}


@st.composite
def pod(draw: st.DrawFn) -> Wire:
    requests = draw(
        st.sampled_from([{}, {"cpu": "1"}, {"cpu": "2"}, {"cpu": "1", "example.com/device": "1"}])
    )
    container: Wire = {"name": "c", "image": "i", "resources": {"requests": requests}}
    if draw(st.sampled_from([False, False, True])):
        container["ports"] = [{"containerPort": 80, "hostPort": draw(st.sampled_from([80, 81]))}]
    spec: Wire = {"containers": [container]}
    if draw(st.sampled_from([False, False, True])):
        spec["nodeSelector"] = {"size": draw(st.sampled_from(["big", "small"]))}
    spec["tolerations"] = [
        {"key": key, "operator": "Exists"} for key in draw(st.sets(st.sampled_from(["t1", "t2"])))
    ]
    affinity = {
        kind: {_REQUIRED: draw(st.lists(term(), min_size=1, max_size=2))}
        for kind in draw(st.sets(st.sampled_from(["podAffinity", "podAntiAffinity"]), max_size=1))
    }
    spec["affinity"] = affinity
    spec["topologySpreadConstraints"] = [
        {
            "maxSkew": draw(st.integers(1, 2)),
            "topologyKey": key,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": draw(_LABELS)},
        }
        for key in draw(st.sets(_TOPOLOGIES, max_size=2))
    ]
    return {"metadata": {"namespace": "default", "labels": draw(_LABELS)}, "spec": spec}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(nodes=nodes(), pods=st.lists(pod(), max_size=14), chance=st.randoms(use_true_random=False))
def test_what_is_placed_breaks_no_rule_and_what_is_refused_has_no_place(
    nodes: dict[str, Wire], pods: list[Wire], chance: Random
) -> None:
    world, ledger = World(nodes), Ledger()
    for each in nodes.values():
        ledger.put_node(Node.from_wire(each))
    for number, each in enumerate(pods):
        named = {**each, "metadata": {**each["metadata"], "name": f"p{number}", "uid": f"u{number}"}}
        typed = Pod.from_wire(named)
        wanted = Wanted(PodInfo.of(typed), typed.spec)
        found = search(wanted, ledger, chance.randrange(10))
        allowed = {name for name in nodes if world.allows(named, name)}
        assert {state.name for state in found.fits} == allowed
        if not found.fits:
            continue
        node = choose(wanted, found.fits, ledger, chance).name
        ledger.assume(wanted.pod, node)
        world.pods.append((named, node))
        if chance.random() < 0.2:
            gone, _ = world.pods.pop(chance.randrange(len(world.pods)))
            ledger.drop(PodInfo.of(Pod.from_wire(gone)).key)


def test_in_a_large_cluster_some_nodes_are_enough() -> None:
    assert [enough(count) for count in (1, 99, 100, 1000, 5000, 20_000)] == [1, 99, 100, 420, 500, 1000]
