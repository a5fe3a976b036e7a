from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Key
from windlass.controller.journal import Journal, JournalOptions, Run

START = datetime(2026, 1, 1, tzinfo=UTC)


def run(name: str, number: int = 0, size: int = 1, controller: str = "webapp") -> Run:
    return Run(
        id=f"{name}-{number}",
        controller=controller,
        key=Key("default", name),
        started=START + timedelta(seconds=number),
        causes=(),
        waited=timedelta(),
        attempt=1,
        reads=(),
        writes=(),
        effects=(),
        outcome="ready",
        reason="Ready",
        message="",
        took=timedelta(),
        left_out=0,
        size=size,
    )


def journal_of(options: JournalOptions, *runs: Run) -> Journal:
    journal = Journal(options)
    for each in runs:
        journal.add(each)
    return journal


def ids(runs: object) -> list[str]:
    assert isinstance(runs, (list, tuple))
    return [each["id"] if isinstance(each, dict) else each.id for each in runs]


def test_the_last_runs_of_each_object_are_kept_the_last_one_first() -> None:
    journal = journal_of(JournalOptions(runs=2), run("a", 1), run("b", 2), run("a", 3), run("a", 4))

    assert ids(journal.runs("webapp", Key("default", "a"))) == ["a-4", "a-3"]
    assert ids(journal.runs("webapp", Key("default", "b"))) == ["b-2"]
    assert ids(journal.runs("other", Key("default", "a"))) == []


def test_the_object_that_has_been_quiet_for_longest_leaves_first() -> None:
    journal = journal_of(JournalOptions(objects=2), run("a", 1), run("b", 2), run("a", 3), run("c", 4))

    assert ids(journal.recent()) == ["c-4", "a-3", "a-1"]


def test_recent_runs_are_those_of_all_objects_the_last_one_first() -> None:
    journal = journal_of(JournalOptions(), run("a", 1), run("b", 2), run("a", 3))

    assert ids(journal.recent(2)) == ["a-3", "b-2"]


def test_runs_are_found_by_whatever_is_known_of_them() -> None:
    elsewhere = replace(run("a", 5), key=Key("other", "a"))
    journal = journal_of(
        JournalOptions(), run("a", 1), run("b", 2, controller="db"), elsewhere, run("a", 9, controller="db")
    )

    assert ids(journal.find()) == ["a-9", "a-5", "b-2", "a-1"]
    assert ids(journal.find(controller="db")) == ["a-9", "b-2"]
    assert ids(journal.find(namespace="other")) == ["a-5"]
    assert ids(journal.find("webapp", "default", "a")) == ["a-1"]


def test_large_runs_push_out_others_before_there_are_many() -> None:
    journal = journal_of(JournalOptions(bytes=100), run("a", 1, 60), run("b", 2, 30), run("c", 3, 50))

    assert ids(journal.recent()) == ["c-3", "b-2"]
    assert journal.bytes == 80


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(1, 60)), max_size=60))
def test_a_journal_keeps_its_bounds_and_its_books(told: list[tuple[str, int]]) -> None:
    journal = Journal(JournalOptions(objects=4, runs=3, bytes=150))
    for number, (name, size) in enumerate(told):
        journal.add(run(name, number, size))

        kept = journal.recent(1000)
        assert journal.bytes == sum(each.size for each in kept)
        assert len({each.key for each in kept}) <= 4
        assert len(kept) == len(journal) <= 12
        assert journal.bytes <= 150 or len({each.key for each in kept}) == 1
        assert kept[0].id == f"{name}-{number}"


def test_a_journal_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room"):
        JournalOptions(runs=0)
