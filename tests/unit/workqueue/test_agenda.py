from __future__ import annotations

from windlass.workqueue import Priority
from windlass.workqueue.agenda import Agenda
from windlass.workqueue.entry import Entry


def entry(name: str, at: float) -> Entry[str, str]:
    return Entry(name, "", Priority.FRESH, at)


def test_what_is_due_comes_in_the_order_of_its_time_and_then_as_it_came() -> None:
    agenda: Agenda[str, str] = Agenda()
    for name, at in (("c", 3.0), ("b", 2.0), ("a", 2.0), ("d", 4.0)):
        agenda.put(entry(name, at))

    assert [each.key for each in agenda.due(3.0)] == ["b", "a", "c"]
    assert (len(agenda), agenda.next) == (1, 4.0)


def test_a_time_that_floats_miss_by_a_hair_is_due() -> None:
    agenda: Agenda[str, str] = Agenda()
    agenda.put(entry("a", 0.1 + 0.2))

    assert [each.key for each in agenda.due(0.3)] == ["a"]


def test_an_entry_brought_forward_is_due_once() -> None:
    agenda: Agenda[str, str] = Agenda()
    moved = entry("a", 9.0)
    agenda.put(moved)
    moved.at = 1.0
    agenda.left()
    agenda.put(moved)

    assert [each.key for each in agenda.due(1.0)] == ["a"]
    assert list(agenda.due(10.0)) == []
    assert (len(agenda), agenda.next) == (0, None)


def test_entries_brought_forward_again_and_again_do_not_pile_up() -> None:
    agenda: Agenda[str, str] = Agenda()
    moved = entry("a", 10_000.0)
    agenda.put(moved)
    for step in range(5_000):
        moved.at = 9_999.0 - step
        agenda.left()
        agenda.put(moved)

    assert len(agenda._heap) <= 67
    assert len(agenda) == 1
