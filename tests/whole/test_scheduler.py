"""Which node a pod gets, and what it is told when there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE
from placing import GROUP, HOSTNAME, ZONE, place
from polling import until
from windlass.client import JsonPatch, MergePatch
from windlass.kinds.core.v1 import Node
from windlass.kinds.events.v1 import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from placing import Place
    from windlass.client import Client

Wire = dict[str, Any]


@pytest.fixture
async def here(client: Client, namespace: str) -> AsyncIterator[Place]:
    """Nodes of the test's own."""
    async with place(client, namespace) as made:
        yield made


def near(labels: dict[str, str], topology: str) -> Wire:
    """A term about pods with these labels."""
    return {"labelSelector": {"matchLabels": labels}, "topologyKey": topology}


def node_terms(*expressions: Wire) -> Wire:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


async def test_a_pod_gets_the_only_node_that_does(here: Place) -> None:
    await here.node("plain", {"size": "3"})
    await here.node("tainted", taints=[{"key": "only", "value": "us", "effect": "NoSchedule"}])
    await here.node("devices", {"size": "9"}, {"example.com/device": "2"})
    toleration = {"key": "only", "operator": "Equal", "value": "us", "effect": "NoSchedule"}
    on_tainted = node_terms({"key": "size", "operator": "DoesNotExist"})
    greater = node_terms({"key": "size", "operator": "Gt", "values": ["5"]})

    await here.pod("by-selector", nodeSelector={"size": "3"})
    await here.pod("by-affinity", affinity=greater)
    await here.pod("tolerates", affinity=on_tainted, tolerations=[toleration])
    await here.pod("asks-for-a-device", requests={"example.com/device": "2"})

    assert await here.placed("by-selector", "by-affinity", "tolerates", "asks-for-a-device") == {
        "by-selector": "plain",
        "by-affinity": "devices",
        "tolerates": "tainted",
        "asks-for-a-device": "devices",
    }
    pod = await here.when("by-selector", lambda pod: True)
    scheduled = next(each for each in pod.status.conditions if each.type == "PodScheduled")
    assert (scheduled.status, scheduled.reason) == ("True", None)


_REFUSED = re.compile(
    r"0/(?P<all>\d+) nodes are available: (?P<reasons>.+)\. no new claims to deallocate, "
    r"preemption: 0/(?P=all) nodes are available: 1 No preemption victims found for incoming pod, "
    r"(?P<hopeless>\d+) Preemption is not helpful for scheduling\."
)


async def test_a_pod_is_told_why_there_is_no_node(here: Place, client: Client, namespace: str) -> None:
    await here.node("small", allocatable={"cpu": "1"})
    await here.node("full", allocatable={"pods": "0"})
    await here.node("tainted", taints=[{"key": "x", "effect": "NoExecute"}])
    await here.node("cordoned", unschedulable=True)

    await here.pod("big", cpu="3")
    told = _REFUSED.fullmatch(await here.refused("big"))
    assert told is not None
    reasons = told["reasons"].split(", ")
    counts = {reason.partition(" ")[2]: int(reason.partition(" ")[0]) for reason in reasons}
    assert {
        "Insufficient cpu",
        "Too many pods",
        "node(s) had untolerated taint(s)",
        "node(s) were unschedulable",
    } <= set(counts)
    assert reasons == sorted(reasons)
    assert sum(counts.values()) == int(told["all"])  # other tests have nodes, too, which come and go
    assert int(told["hopeless"]) == int(told["all"]) - 1
    events = await events_about(client, namespace, "big", "FailedScheduling")
    assert events[0].type == "Warning"
    assert _REFUSED.fullmatch(events[0].note or "")


async def test_a_pod_that_waits_is_placed_once_a_change_helps(here: Place, client: Client) -> None:
    node = await here.node("one", allocatable={"cpu": "1"}, unschedulable=True)
    await here.pod("first", cpu="600m")
    await here.pod("picky", nodeSelector={"colour": "red"})
    await here.refused("first", "unschedulable")
    await here.refused("picky")

    await client.patch(Node, node, MergePatch({"spec": {"unschedulable": None}}))
    assert await here.placed("first") == {"first": "one"}
    await client.patch(Node, node, MergePatch({"metadata": {"labels": {"colour": "red"}}}))
    assert await here.placed("picky") == {"picky": "one"}

    await here.pod("second", cpu="600m")
    await here.refused("second", "Insufficient cpu")
    await here.remove("first")
    assert await here.placed("second") == {"second": "one"}

    await here.pod("gated", schedulingGates=[{"name": "example.com/wait"}])
    await here.pod("late", cpu="600m")
    await here.refused("late")
    gated = await here.when("gated", lambda pod: True)
    assert gated.status.conditions[0].reason == "SchedulingGated"
    await client.patch(type(gated), "gated", JsonPatch([{"op": "remove", "path": "/spec/schedulingGates"}]))
    assert await here.placed("gated") == {"gated": "one"}
    await here.node("two", allocatable={"cpu": "1"})
    assert await here.placed("late") == {"late": "two"}


async def test_pods_keep_near_to_some_and_away_from_others(here: Place) -> None:
    for name, zone in (("a", "east"), ("b", "east"), ("c", "west")):
        await here.node(name, {ZONE: zone})
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    alone = {"podAntiAffinity": {required: [near({"app": "web"}, HOSTNAME)]}}

    await here.pod("base", {"app": "db"}, nodeSelector={HOSTNAME: f"{here.group}-c"})
    await here.placed("base")
    await here.pod("close", {"app": "web"}, affinity={"podAffinity": {required: [near({"app": "db"}, ZONE)]}})
    assert await here.placed("close") == {"close": "c"}
    for number in range(2):
        await here.pod(f"alone-{number}", {"app": "hermit"}, affinity=alone)
    hermits = await here.placed("alone-0", "alone-1")
    assert set(hermits.values()) <= {"a", "b"}
    apart = {"podAntiAffinity": {required: [near({"app": "hermit"}, ZONE)]}}
    await here.pod("apart", {"app": "apart"}, affinity=apart)
    assert await here.placed("apart") == {"apart": "c"}
    await here.pod("unwelcome", {"app": "web"}, nodeSelector={ZONE: "east", HOSTNAME: node_of(here, hermits)})
    assert "node(s) didn't satisfy existing pods anti-affinity rules" in await here.refused("unwelcome")
    await here.pod("far", affinity={"podAffinity": {required: [near({"app": "nobody"}, ZONE)]}})
    assert "3 node(s) didn't match pod affinity rules" in await here.refused("far")
    own = {"podAffinity": {required: [near({"app": "clan"}, ZONE)]}}
    await here.pod("clan-0", {"app": "clan"}, affinity=own, nodeSelector={ZONE: "east"})
    await here.placed("clan-0")
    await here.pod("clan-1", {"app": "clan"}, affinity=own)
    assert (await here.placed("clan-1"))["clan-1"] in ("a", "b")


def node_of(here: Place, placed: dict[str, str]) -> str:
    return f"{here.group}-{next(iter(placed.values()))}"


async def test_pods_are_spread_over_the_domains_of_a_label(here: Place, client: Client) -> None:
    for name, zone in (("a", "east"), ("b", "east"), ("c", "west")):
        await here.node(name, {ZONE: zone})
    evenly = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    names = [f"web-{number}" for number in range(6)]
    for name in names:
        await here.pod(name, {"app": "web"}, topologySpreadConstraints=[evenly])
    placed = await here.placed(*names)
    assert sum(each == "c" for each in placed.values()) == 3

    await client.patch(Node, f"{here.group}-c", MergePatch({"spec": {"unschedulable": True}}))
    await here.pod("seventh", {"app": "web"}, topologySpreadConstraints=[evenly])
    await here.placed("seventh")
    await here.pod("eighth", {"app": "web"}, topologySpreadConstraints=[evenly])
    message = await here.refused("eighth")
    assert "2 node(s) didn't match pod topology spread constraints" in message
    many = {**evenly, "topologyKey": "rack"}
    await here.pod("nowhere", {"app": "web"}, topologySpreadConstraints=[many])
    assert "(missing required label)" in await here.refused("nowhere")


async def test_of_several_nodes_a_pod_gets_the_best(here: Place) -> None:
    await here.node("busy", {"tier": "gold"})
    await here.node("calm", {"tier": "iron"})
    await here.node("avoided", taints=[{"key": "x", "effect": "PreferNoSchedule"}])
    await here.pod("load", cpu="3", requests={"memory": "6Gi"}, nodeSelector={"tier": "gold"})
    await here.placed("load")

    await here.pod("light", cpu="100m", requests={"memory": "100Mi"})
    assert await here.placed("light") == {"light": "calm"}
    wish = {
        "weight": 100,
        "preference": {"matchExpressions": [{"key": "tier", "operator": "In", "values": ["gold"]}]},
    }
    preferred = {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [wish]}}
    await here.pod("wishes", affinity=preferred)
    assert await here.placed("wishes") == {"wishes": "busy"}
    company = {"weight": 100, "podAffinityTerm": near({"app": "friend"}, HOSTNAME)}
    await here.pod("friend", {"app": "friend"}, nodeSelector={"tier": "gold"})
    await here.placed("friend")
    liking = {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [company]}}
    await here.pod("likes", affinity=liking)
    assert await here.placed("likes") == {"likes": "busy"}
    disliking = {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [company]}}
    await here.pod("dislikes", affinity=disliking, nodeSelector={GROUP: here.group})
    assert (await here.placed("dislikes"))["dislikes"] != "busy"


async def test_what_a_pod_asks_for_counts_init_containers_sidecars_overhead_and_ports(here: Place) -> None:
    await here.node("one", allocatable={"cpu": "1"})
    resources = {"requests": {"cpu": "600m"}}
    sidecar = {"name": "side", "image": "s:1", "restartPolicy": "Always", "resources": resources}
    early = {"name": "early", "image": "s:1", "resources": resources}

    await here.pod("two-at-once", cpu="600m", initContainers=[sidecar])
    await here.refused("two-at-once", "Insufficient cpu")
    await here.pod("one-after-the-other", cpu="600m", initContainers=[early])
    assert await here.placed("one-after-the-other") == {"one-after-the-other": "one"}
    await here.pod("early-is-more", cpu="100m", initContainers=[early])
    await here.refused("early-is-more", "Insufficient cpu")

    def port(**fields: Any) -> Wire:
        return {"ports": [{"containerPort": 80, "hostPort": 8080, **fields}]}

    await here.pod("takes-a-port", container=port(hostIP="127.0.0.1"))
    await here.placed("takes-a-port")
    await here.pod("other-address", container=port(hostIP="127.0.0.2"))
    await here.pod("other-protocol", container=port(protocol="UDP"))
    await here.placed("other-address", "other-protocol")
    await here.pod("same-port", container=port())
    assert "1 node(s) didn't have free ports for the requested pod ports" in await here.refused("same-port")


async def events_about(client: Client, namespace: str, name: str, reason: str) -> list[Event]:
    """The events about a pod that give this reason, once there is one."""

    async def ask() -> list[Event]:
        found = await client.list(Event, namespace)
        return [
            each for each in found if each.regarding and each.regarding.name == name and each.reason == reason
        ]

    return await until(ask, patience=PATIENCE)


async def test_a_pod_that_got_a_node_says_so_in_an_event(here: Place, client: Client, namespace: str) -> None:
    node = await here.node("one")
    await here.pod("web")
    await here.placed("web")

    event = (await events_about(client, namespace, "web", "Scheduled"))[0]

    assert (event.type, event.note) == ("Normal", f"Successfully assigned {namespace}/web to {node}")
