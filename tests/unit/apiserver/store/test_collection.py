"""A collection: the newest state, the past, and who listens."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import Any

import pytest

from windlass.apiserver.store import Collection, Expired, Record, Stale, Store


def named(name: str, **fields: Any) -> dict[str, Any]:
    return {"metadata": {"name": name}, **fields}


def keys(records: Any) -> list[str]:
    return [record.key for record in records]


@pytest.fixture
def store() -> Store:
    return Store(history=4)


@pytest.fixture
def things(store: Store) -> Collection:
    return store.collection("example.com/things")


def test_a_write_takes_the_next_revision_and_puts_it_into_the_object(
    store: Store, things: Collection
) -> None:
    before = store.revision

    record = things.put("a", named("a"), None)

    assert record.revision == store.revision == before + 1
    assert record.object()["metadata"]["resourceVersion"] == str(record.revision)


def test_kind_and_version_are_not_stored_but_stay_with_the_caller(things: Collection) -> None:
    obj = {"kind": "Thing", "apiVersion": "example.com/v1", **named("a")}

    record = things.put("a", obj, None)

    assert set(record.object()) == {"metadata"}
    assert (obj["kind"], obj["apiVersion"]) == ("Thing", "example.com/v1")


def test_a_write_on_top_of_another_version_is_stale_and_changes_nothing(things: Collection) -> None:
    first = things.put("a", named("a"), None)
    second = things.put("a", named("a", x=1), first)

    for expected in (None, first):
        with pytest.raises(Stale):
            things.put("a", named("a", x=2), expected)
    with pytest.raises(Stale):
        things.delete("a", first)

    assert things.get("a") is second


def test_what_was_created_again_is_not_what_was_read_before(things: Collection) -> None:
    first = things.put("a", named("a"), None)
    things.delete("a", first)
    things.put("a", named("a"), None)

    with pytest.raises(Stale):
        things.delete("a", first)


def test_a_deletion_is_recorded_under_its_own_revision(things: Collection) -> None:
    first = things.put("a", named("a", x=1), None)

    last = things.delete("a", first)

    assert last.revision > first.revision
    assert last.object() == named("a", x=1) | {
        "metadata": {"name": "a", "resourceVersion": str(last.revision)}
    }
    assert things.get("a") is None


def test_a_page_is_in_the_order_of_keys_and_tells_what_is_left(things: Collection) -> None:
    for key in ("b/x", "a/y", "a/x", "ab/x"):
        things.put(key, named(key), None)

    whole, first, rest = things.page(), things.page(limit=1), things.page(first="a/x\0", limit=2)

    assert keys(whole.records) == ["a/x", "a/y", "ab/x", "b/x"]
    assert (keys(first.records), first.left) == (["a/x"], 3)
    assert (keys(rest.records), rest.left) == (["a/y", "ab/x"], 1)


def test_a_prefix_is_a_namespace_and_not_one_whose_name_begins_alike(things: Collection) -> None:
    for key in ("a/x", "ab/x", "b/x"):
        things.put(key, named(key), None)

    assert keys(things.page("a/").records) == ["a/x"]


def test_a_page_of_the_past_shows_everything_as_it_was(store: Store, things: Collection) -> None:
    kept = things.put("kept", named("kept", x=1), None)
    gone = things.put("gone", named("gone"), None)
    then = store.revision
    things.put("kept", named("kept", x=2), kept)
    things.delete("gone", gone)
    things.put("new", named("new"), None)

    past = things.page(revision=then)

    assert keys(past.records) == ["gone", "kept"]
    assert [record.object().get("x") for record in past.records] == [None, 1]
    assert past.revision == then


@pytest.mark.parametrize("seed", range(20))
def test_pages_of_the_past_add_up_to_the_list_of_then(seed: int) -> None:
    store, chance = Store(history=1000), Random(seed)
    things = store.collection("example.com/things")
    churn(things, chance)
    then, revision = [*things.page("b/").records], store.revision
    churn(things, chance)

    seen: list[Record] = []
    while True:
        page = things.page("b/", f"{seen[-1].key}\0" if seen else "", 3, revision)
        seen += page.records
        assert page.left == len(then) - len(seen)
        if not page.left:
            break

    assert seen == then == [*things.page("b/", revision=revision).records]


def churn(things: Collection, chance: Random) -> None:
    """Create, change and delete at random."""
    for _ in range(60):
        key = f"{chance.choice('abc')}/{chance.randrange(12):02}"
        record = things.get(key)
        if record is not None and chance.random() < 0.4:
            things.delete(key, record)
        else:
            things.put(key, named(key), record)


def test_the_past_expires_with_the_history(store: Store, things: Collection) -> None:
    record = things.put("a", named("a"), None)
    then = store.revision
    for number in range(10):
        record = things.put("a", named("a", x=number), record)

    with pytest.raises(Expired):
        things.page(revision=then)
    with pytest.raises(Expired) as expired:
        things.position(then)
    assert expired.value.oldest > then


def test_who_begins_anew_is_not_told_what_was_before(store: Store, things: Collection) -> None:
    then = store.revision
    record = things.put("a", named("a"), None)
    things.dismiss(anew=True)
    now = store.revision
    things.put("a", named("a", x=1), record)

    with pytest.raises(Expired):
        things.position(then)
    assert len(things.changes(things.position(now))) == 1
    assert things.page(revision=then).records == []


def test_the_history_is_bounded(things: Collection) -> None:
    record: Record | None = None
    for number in range(1000):
        record = things.put("a", named("a", x=number), record)

    with pytest.raises(Expired) as expired:
        things.position(0)
    kept = things.changes(things.position(expired.value.oldest))
    assert 4 <= len(kept) <= 6
    assert kept[-1].after is record


def test_what_readers_made_of_changes_is_kept_of_the_newest_only() -> None:
    things = Store(history=1000).collection("example.com/things")
    for number in range(1000):
        things.put(str(number), named(str(number)), None)
        things.changes(number)[-1].encodings["json"] = b"{}"

    assert [len(change.encodings) for change in things.changes(0)] == [0] * 744 + [1] * 256


def test_a_reader_that_is_passed_by_learns_it(things: Collection) -> None:
    position = things.end
    record: Record | None = None
    for number in range(10):
        record = things.put("a", named("a", x=number), record)

    with pytest.raises(Expired):
        things.changes(position)


def test_compaction_leaves_the_newest_and_those_who_are_up_to_date(store: Store, things: Collection) -> None:
    first = things.put("a", {"metadata": {"name": "a"}}, None)
    second = things.put("a", {"metadata": {"name": "a"}}, first)
    up_to_date = things.end

    store.compact()

    assert things.changes(up_to_date) == []
    assert things.get("a") is second
    assert things.position(second.revision) == up_to_date
    with pytest.raises(Expired):
        things.position(first.revision)
    with pytest.raises(Expired):
        things.page(revision=first.revision)
    things.put("a", {"metadata": {"name": "a"}}, second)
    assert len(things.changes(up_to_date)) == 1


def test_a_collection_that_comes_late_has_no_earlier_history(store: Store) -> None:
    store.collection("a").put("x", named("x"), None)
    then = store.revision - 1

    late = store.collection("b")

    with pytest.raises(Expired):
        late.position(then)
    assert late.position(store.revision) == 0


async def test_who_listens_is_told_of_each_change(things: Collection) -> None:
    with things.listening() as woken:
        assert not woken.is_set()
        things.put("a", named("a"), None)
        assert woken.is_set()


async def test_many_who_listen_are_told_at_once_whatever_the_time(things: Collection) -> None:
    with ExitStack() as stack:
        listeners = [stack.enter_context(things.listening()) for _ in range(50)]

        things.put("a", named("a"), None)

        assert all(each.is_set() for each in listeners)


async def test_who_is_dismissed_stops_and_who_comes_later_does_not(store: Store, things: Collection) -> None:
    with things.listening() as early:
        store.dismiss()
        with things.listening() as late:
            assert (early.dismissed, early.is_set()) == (True, True)
            assert (late.dismissed, late.is_set(), things.closed) == (False, False, False)


async def test_closing_wakes_everybody(store: Store, things: Collection) -> None:
    with things.listening() as woken:
        store.remove("example.com/things")

        assert woken.is_set()
        assert things.closed


def test_bodies_are_of_exact_size(things: Collection) -> None:
    import sys

    record = things.put("a", named("a", data="x" * 1000), None)

    assert sys.getsizeof(record.body) == len(record.body) + sys.getsizeof(b"")
