"""Entries of managed fields: reading, order, the cap on updaters."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import EARLIER, LATER, NOW, V1, V2, Object, thing
from windlass.schema.ownership.entry import Managed, is_reset
from windlass.schema.ownership.owner import Manager, Owned


def entry(manager: str, operation: str = "Update", **fields: Any) -> Object:
    known = {
        "manager": manager,
        "operation": operation,
        "apiVersion": V1,
        "time": NOW,
        "fieldsType": "FieldsV1",
    }
    return {**known, "fieldsV1": {"f:spec": {}}, **fields}


def test_entries_that_do_not_change_are_the_same_objects() -> None:
    entries = [entry("a", "Apply"), entry("b"), entry("b", subresource="status")]

    found = Managed(entries).entries()

    assert all(one is other for one, other in zip(found, entries, strict=True))


def test_entries_stand_by_operation_time_manager_version_and_subresource() -> None:
    entries = [
        entry("z", "Apply", time=EARLIER),
        entry("a", "Apply"),
        entry("b", "Apply"),
        {**entry("y"), "time": None},
        entry("z", time=EARLIER),
        entry("a", apiVersion=V1),
        entry("a", apiVersion=V1, subresource="status"),
        entry("a", apiVersion=V2),
        entry("b"),
        entry("0", time=LATER),
    ]

    assert Managed(reversed(entries)).entries() == entries


def test_a_new_entry_has_its_fields_in_order_and_nothing_that_is_empty() -> None:
    managed = Managed()
    managed.owners[Manager.applier("a")] = Owned({"f:b": {}, "f:a": {}}, V1, applied=True)
    (found,) = managed.entries()

    assert list(found) == ["manager", "operation", "apiVersion", "fieldsType", "fieldsV1"]
    assert list(found["fieldsV1"]) == ["f:a", "f:b"]


def test_a_manager_without_a_name_is_unknown() -> None:
    assert Manager.applier("").name == Manager.updater("", V1).name == "unknown"


@pytest.mark.parametrize(
    ("manager", "text"),
    [
        (Manager.applier("a"), '"a"'),
        (Manager.applier("a", "status"), '"a" with subresource "status"'),
        (Manager.updater("a", V1), '"a" using example.com/v1'),
        (Manager.updater('a"', V1, "scale"), '"a\\"" with subresource "scale" using example.com/v1'),
    ],
)
def test_conflicts_name_managers_by_what_they_did(manager: Manager, text: str) -> None:
    assert str(manager) == text


@pytest.mark.parametrize(
    ("entries", "reset"),
    [
        ([], True),
        ([{}], True),
        ([{"manager": "", "time": None}], True),
        ([{}, {}], False),
        ([{"fieldsV1": {}}], False),
        ([{"manager": "a"}], False),
        (None, False),
        ("text", False),
    ],
)
def test_an_empty_list_or_one_empty_entry_is_a_reset(entries: Any, *, reset: bool) -> None:
    assert is_reset(entries) is reset


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        ["text"],
        [entry("b", operation="Frobnicate")],
        [entry("b", fieldsType="FieldsV9")],
        [entry("b", apiVersion="")],
        [entry("b", fieldsV1={"nonsense": 1})],
        [entry("b"), entry("c", fieldsV1=1)],
    ],
)
def test_entries_that_make_no_sense_leave_it_at_the_stored_ones(sent: Any) -> None:
    live = thing(metadata={"managedFields": [entry("a")]})

    assert Managed.sent(sent, live).entries() == [entry("a")]


def test_entries_that_are_sent_are_taken_with_their_fields_in_our_form() -> None:
    live = thing(metadata={"managedFields": [entry("a")]})
    sent = [entry("b", fieldsV1={"f:a": {".": {}}, "x:later": {}})]

    assert Managed.sent(sent, live).entries() == [entry("b", fieldsV1={"f:a": {}})]


def updaters(count: int, **fields: Any) -> list[Object]:
    return [
        entry(
            f"m{number:02}", time=f"2026-01-01T00:00:{number:02}Z", fieldsV1={f"f:{number:02}": {}}, **fields
        )
        for number in range(count)
    ]


def test_ten_updaters_are_left_alone_and_appliers_do_not_count() -> None:
    entries = [entry("applier", "Apply"), *updaters(10)]
    managed = Managed(entries)

    managed.cap()

    assert managed.entries() == entries


def test_the_oldest_updaters_beyond_ten_become_one_with_the_time_of_the_last() -> None:
    managed = Managed(updaters(12))

    managed.cap()

    ancient, *rest = managed.entries()
    assert ancient == entry(
        "ancient-changes", time="2026-01-01T00:00:02Z", fieldsV1={"f:00": {}, "f:01": {}, "f:02": {}}
    )
    assert [each["manager"] for each in rest] == [f"m{number:02}" for number in range(3, 12)]


def test_ancient_changes_take_in_those_that_come_after() -> None:
    managed = Managed(updaters(11))
    managed.cap()
    again = Managed([*managed.entries(), entry("late", time="2026-01-01T00:01:00Z")])

    again.cap()

    ancient, *rest = again.entries()
    assert ancient["fieldsV1"] == {"f:00": {}, "f:01": {}, "f:02": {}}
    assert [each["manager"] for each in rest] == [*(f"m{number:02}" for number in range(3, 11)), "late"]


def test_updates_through_different_versions_do_not_become_one() -> None:
    others = [{**each, "apiVersion": V2} for each in updaters(1)]
    managed = Managed([*others, *updaters(10)])

    managed.cap()

    found = [(each["manager"], each["apiVersion"]) for each in managed.entries()]
    assert found[:3] == [("m00", V2), ("ancient-changes", V1), ("m02", V1)]
    assert len(found) == 10
