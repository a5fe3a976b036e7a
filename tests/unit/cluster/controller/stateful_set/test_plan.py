from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from set_pods import NOW, pod, stateful
from windlass.cluster.controller.stateful_set.plan import Create, steps

if TYPE_CHECKING:
    from windlass.kinds.core.v1 import Pod

_PARALLEL = {"podManagementPolicy": "Parallel"}
_ON_DELETE = {"updateStrategy": {"type": "OnDelete"}}


def _rolling(**limits: Any) -> dict[str, Any]:
    return {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": limits}}


def _pods(*states: str, first: int = 0) -> list[Pod]:
    """Pods in their order; `ready/old` is one of an old revision, and `-` is a gap."""
    made = []
    for number, said in enumerate(states, start=first):
        state, _, revision = said.partition("/")
        if state != "-":
            made.append(pod(f"web-{number}", state, revision or "new"))
    return made


def _planned(replicas: int, pods: list[Pod], **spec: Any) -> list[str]:
    """What is planned: `+0` makes a pod, `-0` deletes one."""
    found = steps(stateful(replicas, **spec), pods, "new", NOW)
    return [f"+{step.ordinal}" if isinstance(step, Create) else f"-{step.name[4:]}" for step in found]


@pytest.mark.parametrize(
    ("replicas", "states", "spec", "expected"),
    [
        (0, [], {}, []),
        (3, [], {}, ["+0"]),
        (3, ["pending"], {}, []),
        (3, ["running"], {}, []),
        (3, ["ready"], {}, ["+1"]),
        (3, ["going"], {}, []),
        (3, ["ready", "-", "ready"], {}, ["+1"]),
        (2, ["failed", "-"], {}, ["-0"]),
        (2, ["succeeded"], {}, ["-0"]),
        (2, ["ready", "ready", "ready", "ready"], {}, ["-3"]),
        (2, ["ready", "ready", "ready", "running"], {}, ["-3"]),
        (2, ["ready", "ready", "running", "ready"], {}, []),
        (2, ["ready", "ready", "running", "running"], {}, []),
        (2, ["ready", "ready", "ready", "going"], {}, []),
        (2, ["running", "ready", "ready"], {}, []),
        (3, [], _PARALLEL, ["+0", "+1", "+2"]),
        (3, ["running", "-", "failed"], _PARALLEL, ["+1", "-2"]),
        (1, ["ready", "ready", "going", "running"], _PARALLEL, ["-3", "-1"]),
    ],
)
def test_pods_are_made_and_deleted_in_order_or_all_at_once(
    replicas: int, states: list[str], spec: dict[str, Any], expected: list[str]
) -> None:
    assert _planned(replicas, _pods(*states), **spec) == expected


@pytest.mark.parametrize(
    ("states", "spec", "expected"),
    [
        (["ready/old", "ready/old", "ready/old"], {}, ["-2"]),
        (["ready/old", "ready/old", "ready"], {}, ["-1"]),
        (["ready/old", "ready/old", "ready"], _rolling(partition=1), ["-1"]),
        (["ready/old", "ready", "ready"], _rolling(partition=1), []),
        (["ready/old", "ready/old", "ready/old"], _rolling(partition=9), []),
        (["ready/old", "ready/old", "ready/old"], _ON_DELETE, []),
        (["ready/old", "ready/old", "ready/old"], _rolling(maxUnavailable=2), ["-2", "-1"]),
        (["ready/old", "ready/old", "ready/old"], _rolling(maxUnavailable="67%"), ["-2", "-1"]),
        (["ready/old", "ready/old", "ready/old"], _rolling(maxUnavailable="1%"), ["-2"]),
        (["ready/old", "ready/old", "running"], {}, []),
        (["ready/old", "ready/old", "running"], _PARALLEL, []),
        (["ready/old", "ready/old", "running"], {**_PARALLEL, **_rolling(maxUnavailable=2)}, ["-1"]),
        (["ready/old", "ready/old", "running/old"], {}, []),
        (["ready/old", "ready/old", "running/old"], _PARALLEL, ["-2"]),
        (["ready/old", "ready/old", "going/old"], _PARALLEL, []),
    ],
)
def test_old_pods_are_replaced_from_the_last_to_the_partition(
    states: list[str], spec: dict[str, Any], expected: list[str]
) -> None:
    assert _planned(3, _pods(*states), **spec) == expected


def test_ordinals_begin_where_the_set_says_and_others_are_too_many() -> None:
    assert _planned(2, _pods("ready", "ready"), ordinals={"start": 1}) == ["+2"]
    assert _planned(2, _pods("ready", "ready", "ready"), ordinals={"start": 1}) == ["-0"]


def test_a_pod_that_is_ready_only_just_holds_up_the_next() -> None:
    fresh = [pod("web-0", "ready", age=5)]
    assert _planned(2, fresh, minReadySeconds=10) == []
    assert _planned(2, fresh, minReadySeconds=5) == ["+1"]


def test_pods_whose_names_are_not_of_the_set_are_left_alone() -> None:
    assert _planned(1, [pod("web-0"), pod("web-x"), pod("other-1"), pod("web--1")]) == []
