"""What becomes of a dependent, by how its owners stand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.cluster.controller.garbage.decision import Below, Delete, Keep, Release, Standing, verdict
from windlass.cluster.controller.garbage.graph import Reference
from windlass.cluster.controller.garbage.memory import Absentees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.cluster.controller.garbage.decision import Verdict

SOLID, WAITING, ABSENT, RELEASED = Standing.SOLID, Standing.WAITING, Standing.ABSENT, Standing.RELEASED
NOTHING, LEAF, CIRCLE = Below(), Below(any=True), Below(any=True, waiting=True)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def owner(uid: str) -> Reference:
    """An owner of this uid."""
    return Reference(uid, "v1", "ConfigMap", uid)


@pytest.mark.parametrize(
    ("standings", "finalizers", "below", "expected"),
    [
        ([], [], NOTHING, Keep()),
        ([SOLID], [], NOTHING, Keep()),
        ([SOLID, SOLID], [], CIRCLE, Keep()),
        ([ABSENT, SOLID], [], NOTHING, Release(frozenset("0"))),
        ([SOLID, WAITING, ABSENT], [], LEAF, Release(frozenset("12"))),
        ([ABSENT, RELEASED], [], NOTHING, Release(frozenset("1"))),
        ([ABSENT], [], NOTHING, Delete("Background")),
        ([ABSENT, ABSENT], [], LEAF, Delete("Background")),
        ([ABSENT], ["orphan"], LEAF, Delete("Orphan")),
        ([ABSENT], ["foregroundDeletion"], NOTHING, Delete("Foreground")),
        ([WAITING], [], NOTHING, Delete("Background")),
        ([WAITING, ABSENT], [], LEAF, Delete("Foreground")),
        ([WAITING], ["orphan"], LEAF, Delete("Foreground")),
        ([WAITING], [], CIRCLE, Delete("Foreground", unblock=True)),
        ([ABSENT], [], CIRCLE, Delete("Background")),
    ],
)
def test_the_verdict_follows_from_how_the_owners_stand(
    standings: Sequence[Standing], finalizers: Sequence[str], below: Below, expected: Verdict
) -> None:
    owners = {owner(str(number)): each for number, each in enumerate(standings)}
    assert verdict(owners, finalizers, below) == expected


def test_an_absentee_is_known_in_the_namespace_in_which_it_was_looked_for() -> None:
    absentees = Absentees()
    absentees.add(owner("a"), "default")
    absentees.add(owner("b")._replace(blocking=True), "")
    assert absentees.has(owner("a"), "default")
    assert not absentees.has(owner("a"), "elsewhere")
    assert not absentees.has(owner("a")._replace(name="other"), "default")
    assert absentees.has(owner("b"), "default")


def test_only_what_was_there_when_an_owner_let_its_dependents_stay_may_stay() -> None:
    absentees = Absentees()
    absentees.release("a", NOW)
    assert absentees.standing("a", NOW) is RELEASED
    assert absentees.standing("a", NOW + timedelta(seconds=1)) is ABSENT
    assert absentees.standing("b", NOW) is ABSENT


def test_absentees_are_forgotten_when_there_are_thousands_of_younger_ones() -> None:
    absentees = Absentees()
    for number in range(6000):
        absentees.add(owner(str(number)), "default")
    assert not absentees.has(owner("0"), "default")
    assert absentees.has(owner("5999"), "default")
