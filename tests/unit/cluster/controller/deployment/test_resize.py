"""What a Deployment does next, given the sizes of its sets and how many of their pods serve."""

from __future__ import annotations

from typing import Any

import pytest

from rollouts import rollout
from windlass.cluster.controller.deployment.resize import next_resizes, wants_new


def steps(**said: Any) -> list[tuple[str, int, int]]:
    return [(each.name, each.before, each.after) for each in next_resizes(rollout(**said))]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # Size and available pods of each set; the last one is new.
        ({"sets": [(10, 10), (0, 0)], "limits": (3, 2)}, [("set-1", 0, 3)]),
        ({"sets": [(10, 10), (3, 0)], "limits": (3, 2)}, [("set-0", 10, 8)]),
        ({"sets": [(8, 8), (3, 0)], "limits": (3, 2)}, [("set-1", 3, 5)]),
        ({"sets": [(8, 8), (5, 0)], "limits": (3, 2)}, []),
        ({"sets": [(8, 8), (5, 4)], "limits": (3, 2)}, [("set-0", 8, 4)]),
        ({"sets": [(0, 0), (10, 10)], "limits": (3, 2)}, []),
        ({"sets": [(0, 0), (12, 12)], "limits": (3, 2)}, [("set-1", 12, 10)]),
        # What does not serve goes before what does, the oldest set first.
        ({"sets": [(4, 1), (8, 8), (0, 0)], "limits": (3, 2)}, [("set-2", 0, 1)]),
        ({"sets": [(4, 1), (8, 8), (1, 0)], "limits": (3, 2)}, [("set-0", 4, 1), ("set-0", 1, 0)]),
        # An old set that has not told yet that it shrank is not counted for what it was.
        ({"sets": [(5, 11), (3, 0)], "replicas": 5, "limits": (3, 2)}, [("set-0", 5, 3)]),
        # No room, and nothing may be missing: one may, else nothing would move.
        ({"sets": [(1, 1), (0, 0)], "replicas": 1, "limits": (0, "1%")}, [("set-0", 1, 0)]),
        # Percentages are rounded: up for what may be too many, down for what may be missing.
        ({"sets": [(3, 3), (0, 0)], "replicas": 3, "limits": ("1%", "1%")}, [("set-1", 0, 1)]),
        ({"sets": [(3, 3), (1, 0)], "replicas": 3, "limits": ("1%", "1%")}, []),
        ({"sets": [(3, 3), (1, 0)], "replicas": 3, "limits": ("1%", "34%")}, [("set-0", 3, 2)]),
    ],
)
def test_a_rolling_update_takes_the_next_step(
    said: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    assert steps(**{"replicas": 10, **said}) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # The example of the documentation: 15 wanted where there were 10, in the middle of a rollout.
        (
            {"sets": [(8, 8), (5, 0)], "replicas": 15, "told": (10, 13), "limits": (3, 2)},
            [("set-0", 8, 11), ("set-1", 5, 7)],
        ),
        (
            {"sets": [(11, 11), (7, 0)], "replicas": 5, "told": (15, 18), "limits": (3, 2)},
            [("set-0", 11, 5), ("set-1", 7, 3)],
        ),
        ({"sets": [(8, 8), (5, 0)], "replicas": 0, "told": (10, 13)}, [("set-0", 8, 0), ("set-1", 5, 0)]),
        # Of sets of one size the newer grows first, and the older shrinks first.
        ({"sets": [(5, 5), (5, 0)], "replicas": 11, "told": (10, 10)}, [("set-1", 5, 6), ("set-0", 5, 5)]),
        ({"sets": [(5, 5), (5, 0)], "replicas": 9, "told": (10, 10)}, [("set-0", 5, 4), ("set-1", 5, 5)]),
        # What is told nothing of the whole is estimated by what is there.
        (
            {"sets": [(4, 4), (2, 0)], "replicas": 12, "told": (6, 0), "status": {"replicas": 6}},
            [("set-0", 4, 8), ("set-1", 2, 4)],
        ),
        # One set alone follows at once; where none has pods, the newest does.
        ({"sets": [(0, 0), (3, 3)], "replicas": 7, "told": (3, 3)}, [("set-1", 3, 7)]),
        ({"sets": [(3, 3), (0, 0)], "replicas": 7, "told": (3, 3)}, [("set-0", 3, 7)]),
        ({"sets": [(0, 0), (0, 0)], "replicas": 2, "paused": True}, [("set-1", 0, 2)]),
        ({"sets": [(0, 0), (2, 2)], "replicas": 2, "paused": True}, []),
        # A new set that has all it needs leaves nothing to old ones.
        ({"sets": [(1, 1), (3, 3)], "replicas": 3, "told": (3, 3), "paused": True}, [("set-0", 1, 0)]),
    ],
)
def test_scaling_keeps_the_proportions_of_a_rollout(
    said: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    assert steps(**{"limits": (0, 1), **said}) == expected


def test_a_set_whose_size_stays_is_told_the_size_of_the_whole() -> None:
    said = {"sets": [(5, 5), (1, 0)], "replicas": 6, "told": (5, 6), "limits": (0, 1)}

    assert steps(**said) == [("set-0", 5, 5), ("set-1", 1, 1)]


def test_recreation_waits_until_no_old_pod_runs() -> None:
    assert steps(sets=[(2, 2), (0, 0)], replicas=2, recreate=True) == [("set-0", 2, 0)]
    assert steps(sets=[(0, 0), (0, 0)], pods=[2, 0], replicas=2, recreate=True) == []
    assert steps(sets=[(0, 0), (0, 0)], terminating=[1, 0], replicas=2, recreate=True) == []
    assert steps(sets=[(0, 0), (0, 0)], unobserved=[0], replicas=2, recreate=True) == []
    assert steps(sets=[(0, 0), (0, 0)], replicas=2, recreate=True) == [("set-1", 0, 2)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"sets": []}, True),
        ({"sets": [(2, 2)]}, True),
        ({"sets": [(2, 2)], "paused": True}, False),
        ({"sets": [(2, 2)], "told": (3, 3)}, False),
        ({"sets": [(2, 2)], "recreate": True}, False),
        ({"sets": [(0, 0)], "pods": [1], "recreate": True}, False),
        ({"sets": [(0, 0)], "recreate": True}, True),
    ],
)
def test_a_new_set_is_made_when_its_time_has_come(said: dict[str, Any], expected: bool) -> None:  # noqa: FBT001
    assert wants_new(rollout(**{"replicas": 2, "new": False, **said})) is expected
