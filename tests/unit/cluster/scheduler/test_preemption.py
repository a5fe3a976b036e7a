from __future__ import annotations

from random import Random
from typing import Any

from windlass.cluster.scheduler.ledger import Ledger
from windlass.cluster.scheduler.pod import PodInfo
from windlass.cluster.scheduler.preemption import Clearance, clear, ineligible
from windlass.cluster.scheduler.search import Wanted, search
from windlass.kinds.core.v1 import Node, Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget


def pod(name: str, cpu: int, priority: int, node: str = "", **more: Any) -> Pod:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": str(cpu)}}}
    spec = {"containers": [container], "priority": priority, **({"nodeName": node} if node else {})}
    labels = {"app": more.get("app", name)}
    status = {"startTime": f"2026-01-01T00:00:{more.get('second', 0):02}Z"}
    return Pod.from_wire(
        {
            "metadata": {"name": name, "namespace": "default", "uid": name, "labels": labels},
            "spec": spec | more.get("spec", {}),
            "status": status,
        }
    )


def cleared(*there: Pod, budgets: tuple[PodDisruptionBudget, ...] = (), cpu: int = 2) -> Clearance | str:
    """What happens to pods on nodes of 4 CPUs for a pod of priority 100 that wants some."""
    ledger = Ledger()
    for each in there:
        name = each.spec.node_name or ""
        status = {"allocatable": {"cpu": "4", "pods": "10"}}
        ledger.put_node(Node.from_wire({"metadata": {"name": name}, "status": status}))
    for each in there:
        ledger.put_placed(PodInfo.of(each))
    wanting = pod("wanting", cpu, 100)
    wanted = Wanted(PodInfo.of(wanting), wanting.spec)
    found = search(wanted, ledger)
    assert not found.fits
    assert not ineligible(wanted, ledger, found.verdicts)
    return clear(wanted, ledger, found.verdicts, budgets, Random(1))


def victims(clearance: Clearance | str) -> tuple[str, list[str]]:
    assert isinstance(clearance, Clearance)
    return clearance.node, [each.key.name for each in clearance.victims]


def test_the_node_with_the_least_important_victims_is_cleared() -> None:
    assert victims(cleared(pod("x", 4, 50, "a"), pod("y", 4, 10, "b"))) == ("b", ["y"])


def test_of_equal_victims_fewer_are_better() -> None:
    many = (pod("x", 2, 10, "a"), pod("y", 2, 10, "a"))

    assert victims(cleared(*many, pod("z", 4, 10, "b"), cpu=4)) == ("b", ["z"])


def test_of_equal_victims_the_one_that_has_run_shortest_goes() -> None:
    found = cleared(pod("old", 4, 10, "a", second=1), pod("young", 4, 10, "b", second=9))

    assert victims(found) == ("b", ["young"])


def test_who_can_stay_does_and_the_most_important_is_asked_first() -> None:
    found = cleared(pod("low", 2, 1, "a"), pod("middle", 2, 50, "a"), cpu=2)

    assert victims(found) == ("a", ["low"])


def test_who_is_as_important_never_goes() -> None:
    found = cleared(pod("same", 4, 100, "a"), pod("more", 4, 200, "b"))

    assert found == "0/2 nodes are available: 2 No preemption victims found for incoming pod."


def test_where_even_an_empty_node_is_too_small_nobody_goes() -> None:
    found = cleared(pod("x", 4, 1, "a"), cpu=8)

    assert found == "0/1 nodes are available: 1 Preemption is not helpful for scheduling."


def test_a_budget_is_rather_not_violated() -> None:
    budget = PodDisruptionBudget.from_wire(
        {
            "metadata": {"name": "b", "namespace": "default"},
            "spec": {"selector": {"matchLabels": {"app": "kept"}}},
            "status": {"disruptionsAllowed": 0},
        }
    )
    found = cleared(pod("kept", 4, 1, "a"), pod("other", 4, 10, "b"), budgets=(budget,))

    assert victims(found) == ("b", ["other"])


def test_a_pod_whose_victims_are_going_sends_nobody_else_away() -> None:
    ledger = Ledger()
    ledger.put_node(Node.from_wire({"metadata": {"name": "a"}, "status": {"allocatable": {"pods": "1"}}}))
    going = pod("x", 0, 1, "a").to_wire()
    going["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    reason = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
    going["status"]["conditions"] = [reason]
    ledger.put_placed(PodInfo.of(Pod.from_wire(going)))
    wanting = pod("wanting", 0, 100)
    wanting.status.nominated_node_name = "a"
    wanted = Wanted(PodInfo.of(wanting), wanting.spec)

    why = ineligible(wanted, ledger, search(wanted, ledger).verdicts)

    assert why == "not eligible due to a terminating pod on the nominated node."
    never = pod("never", 0, 100, spec={"preemptionPolicy": "Never"})
    assert "Never" in ineligible(Wanted(PodInfo.of(never), never.spec), ledger, {})
