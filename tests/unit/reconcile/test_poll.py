from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from sink import RecordingSink, running
from windlass.api import Key, Model
from windlass.reconcile import Poll

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUTE = timedelta(minutes=1)


class Remote:
    """An outside system."""

    def __init__(self, *items: Any) -> None:
        self.items: Sequence[Any] = items
        self.fails = False
        self.calls = 0

    async def list(self) -> Sequence[Any]:
        self.calls += 1
        if self.fails:
            raise ConnectionError("unreachable")
        return self.items


def key(name: str) -> Key:
    return Key("default", name)


def key_of(item: dict[str, Any]) -> Key | None:
    return key(item["owner"]) if item["owner"] else None


async def test_objects_whose_items_are_new_changed_or_gone_are_woken() -> None:
    remote = Remote({"owner": "a", "size": 1}, {"owner": "b", "size": 1}, {"owner": "c", "size": 1})
    sink = RecordingSink()
    async with running(Poll(remote.list, MINUTE, key_of), sink):
        sink.woken.clear()
        remote.items = ({"size": 1, "owner": "a"}, {"owner": "b", "size": 2}, {"owner": "d", "size": 1})
        await sink.clock.advance(MINUTE)

    assert sink.woken == [
        (key("b"), "poll found a change"),
        (key("d"), "poll found it"),
        (key("c"), "poll found it gone"),
    ]


async def test_the_first_answer_wakes_whatever_it_names_and_an_equal_one_nobody() -> None:
    remote, sink = Remote({"owner": "a"}, {"owner": ""}), RecordingSink()
    async with running(Poll(remote.list, MINUTE, key_of), sink):
        await sink.clock.advance(MINUTE * 5)

    assert remote.calls == 6
    assert sink.woken == [(key("a"), "poll found it")]


async def test_the_order_of_the_items_of_one_object_does_not_matter_but_their_number_does() -> None:
    one, two = {"owner": "a", "id": 1}, {"owner": "a", "id": 2}
    remote, sink = Remote(one, two), RecordingSink()
    async with running(Poll(remote.list, MINUTE, key_of), sink):
        remote.items = (two, one)
        await sink.clock.advance(MINUTE)
        assert len(sink.woken) == 1
        remote.items = (two, one, one)
        await sink.clock.advance(MINUTE)

    assert sink.woken[1:] == [(key("a"), "poll found a change")]


@dataclass
class Record:
    tags: set[str] = field(default_factory=set)


class Typed(Model):
    size: int = 0


class Plain:
    def __init__(self, size: int) -> None:
        self.size = size


@pytest.mark.parametrize(
    ("before", "same", "after"),
    [
        (Record({"x", "y"}), Record({"y", "x"}), Record({"x"})),
        (Typed(size=1), Typed(size=1), Typed(size=2)),
        (Plain(1), Plain(1), Plain(2)),
        ((1, 2), (1, 2), (2, 1)),
        ("a", "a", "b"),
        ({1: 1 + 2j}, {1: 1 + 2j}, {1: 1 + 3j}),
    ],
    ids=["dataclass", "model", "plain object", "tuple", "text", "what JSON does not know"],
)
async def test_items_of_any_kind_are_compared_by_what_they_hold(before: Any, same: Any, after: Any) -> None:
    remote, sink = Remote(before), RecordingSink()
    async with running(Poll(remote.list, MINUTE, lambda _: key("a")), sink):
        remote.items = (same,)
        await sink.clock.advance(MINUTE)
        assert len(sink.woken) == 1
        remote.items = (after,)
        await sink.clock.advance(MINUTE)

    assert len(sink.woken) == 2


async def test_failures_in_a_row_are_logged_once_and_tried_ever_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    remote, sink = Remote({"owner": "a"}), RecordingSink()
    remote.fails = True
    async with running(Poll(remote.list, MINUTE, key_of), sink):
        await sink.clock.advance(MINUTE * 60)

        assert [wait / MINUTE for wait in sink.clock.sleeps[:6]] == [2, 4, 8, 10, 10, 10]
        assert [record.levelname for record in caplog.records] == ["WARNING"]

        remote.fails = False
        await sink.clock.advance(MINUTE * 10)
        assert sink.woken == [(key("a"), "poll found it")]
        assert sink.clock.sleeps[-1] == MINUTE
        assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_what_was_known_before_a_failure_is_known_after_it() -> None:
    remote, sink = Remote({"owner": "a"}), RecordingSink()
    async with running(Poll(remote.list, MINUTE, key_of), sink):
        remote.fails = True
        await sink.clock.advance(MINUTE)
        remote.fails = False
        await sink.clock.advance(MINUTE * 5)

    assert len(sink.woken) == 1


def test_a_poll_without_a_pause_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Poll\(0:00:00\): the period has to be at least 0:00:00.1"):
        Poll(Remote().list, timedelta(), key_of)
