from __future__ import annotations

from typing import Any

import pytest

from set_pods import NOW, daemons, pod
from windlass.cluster.controller.daemon_set.eligible import Place
from windlass.cluster.controller.daemon_set.plan import Create, Rules, Step, placing, updating

_ONE = {"maxUnavailable": 1, "maxSurge": 0}
_SURGE = {"maxUnavailable": 0, "maxSurge": 1}
_WANTED, _STAYING, _REFUSED = (True, True), (False, True), (False, False)


def _places(told: dict[str, tuple[tuple[bool, bool], str]]) -> list[Place]:
    """Places by name: whether a pod is wanted there and may stay, and the pods, such as `ready/old`."""
    found = []
    for name, ((wants, keeps), states) in told.items():
        pods = [
            pod(f"{name}{number}", *said.split("/"), node=name) for number, said in enumerate(states.split())
        ]
        found.append(Place(name, wants, keeps, pods))
    return found


def _said(found: list[Step]) -> list[str]:
    return [f"+{step.node}" if isinstance(step, Create) else f"-{step.name}" for step in found]


def _rules(**rolling: Any) -> Rules:
    return Rules(daemons(**rolling), "new", NOW)


@pytest.mark.parametrize(
    ("where", "states", "rolling", "expected"),
    [
        (_WANTED, "", _ONE, ["+a"]),
        (_WANTED, "pending", _ONE, []),
        (_WANTED, "going", _ONE, []),
        (_WANTED, "failed", _ONE, ["-a0"]),
        (_WANTED, "succeeded", _ONE, ["-a0"]),
        (_WANTED, "ready running ready", _ONE, ["-a1", "-a2"]),
        (_STAYING, "", _ONE, []),
        (_STAYING, "ready", _ONE, []),
        (_REFUSED, "ready going", _ONE, ["-a0"]),
        (_WANTED, "going", _SURGE, ["+a"]),
        (_WANTED, "ready/old running/new", _SURGE, []),
        (_WANTED, "running/old running/new", _SURGE, ["-a0"]),
        (_WANTED, "ready/old ready/new", _SURGE, ["-a0"]),
        (_WANTED, "ready/old ready/old running/new running/new", _SURGE, ["-a3", "-a1"]),
    ],
)
def test_each_node_that_wants_one_has_one_pod(
    where: tuple[bool, bool], states: str, rolling: dict[str, Any], expected: list[str]
) -> None:
    assert _said(placing(_places({"a": (where, states)}), _rules(**rolling), ())) == expected


def test_a_node_that_rests_keeps_the_pod_that_failed() -> None:
    places = _places({"a": (_WANTED, "failed"), "b": (_WANTED, "failed")})
    assert _said(placing(places, _rules(**_ONE), {"a"})) == ["-b0"]


@pytest.mark.parametrize(
    ("states", "rolling", "expected"),
    [
        (["ready/old", "ready/old", "ready/old"], _ONE, ["-a0"]),
        (["ready/old", "ready/new", "ready/old"], _ONE, ["-a0"]),
        (["ready/old", "running/new", "ready/old"], _ONE, []),
        (["ready/old", "going/old", "ready/old"], _ONE, []),
        (["ready/old", "running/old", "ready/old"], _ONE, ["-b0"]),
        (["ready/old", "ready/old", "ready/old"], {"maxUnavailable": "50%", "maxSurge": 0}, ["-a0", "-b0"]),
        (["ready/old", "ready/old", "ready/old"], {"maxUnavailable": 0, "maxSurge": 0}, ["-a0"]),
        (["ready/old", "ready/old", "ready/old"], {"type": "OnDelete"}, []),
        (["ready/old", "ready/old", "ready/old"], _SURGE, ["+a"]),
        (["ready/old", "ready/old running/new", "ready/old"], _SURGE, []),
        (["ready/old", "ready/old ready/new", "ready/old"], _SURGE, ["-b0", "+a"]),
        (["ready/old", "running/old", "ready/old"], _SURGE, ["+b", "+a"]),
        (["ready/old", "ready/old", "ready/old"], {"maxSurge": "50%", "maxUnavailable": 0}, ["+a", "+b"]),
    ],
)
def test_as_many_old_pods_are_replaced_as_the_strategy_allows(
    states: list[str], rolling: dict[str, Any], expected: list[str]
) -> None:
    places = _places({name: (_WANTED, said) for name, said in zip("abc", states, strict=True)})
    assert _said(updating(places, _rules(**rolling))) == expected


def test_a_set_that_surges_leaves_a_node_only_when_another_is_served() -> None:
    moving = {"a": (_STAYING, "ready/old"), "b": (_WANTED, "running/new")}
    assert _said(updating(_places(moving), _rules(**_SURGE))) == []
    moved = {"a": (_STAYING, "ready/old"), "b": (_WANTED, "ready/new")}
    assert _said(updating(_places(moved), _rules(**_SURGE))) == ["-a0"]


def test_a_pod_of_the_present_generation_is_not_old_though_its_hash_is_another() -> None:
    rules = _rules(**_ONE)
    rules.owner.metadata.annotations["deprecated.daemonset.template.generation"] = "3"
    made = pod("a0", "ready", "another")
    assert not rules.is_updated(made)
    made.metadata.labels["pod-template-generation"] = "3"
    assert rules.is_updated(made)
