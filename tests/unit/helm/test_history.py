"""What the records of a release say about the next step."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from windlass.api import ObjectMeta
from windlass.helm.history import CAPABILITIES, INPUT, History, is_ours, is_underway, marked, written
from windlass.helm.record import ReleaseRecord

if TYPE_CHECKING:
    from windlass.helm.blueprint import Blueprint


def record(number: int, state: str = "deployed", digest: str = "", made: int | None = None) -> ReleaseRecord:
    labels = {"name": "web", "owner": "helm", "version": str(number), "status": state}
    if digest:
        labels[INPUT] = marked(digest, number if made is None else made)
    metadata = ObjectMeta(name=f"sh.helm.release.v1.web.v{number}", namespace="shop", labels=labels)
    return ReleaseRecord(metadata=metadata)


def test_records_are_in_the_order_of_their_numbers_not_of_their_names() -> None:
    history = History.of([record(10), record(9, "superseded"), record(2, "superseded")])

    assert [each.number for each in history.records] == [2, 9, 10]
    assert history.latest is history.deployed


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], False),
        ([record(1, digest="a")], True),
        ([record(1, digest="b")], False),
        ([record(1, "superseded", "b"), record(2, digest="a")], True),
        ([record(1, digest="a"), record(2, "failed", "b")], False),  # something was tried since
        ([record(1, "superseded", "a"), record(2, digest="a", made=1)], False),  # a person's helm hands it on
        ([record(1)], False),  # operator-sdk made it
        ([record(1, "pending-install", "a")], False),
    ],
)
def test_a_release_is_made_from_a_blueprint_only_if_its_last_revision_is(
    records: list[ReleaseRecord], *, expected: bool
) -> None:
    assert History.of(records).is_made_from(cast("Blueprint", SimpleNamespace(digest="a"))) is expected


def test_a_revision_is_rendered_for_the_capabilities_that_its_record_names() -> None:
    made = record(1, digest="a")
    made.metadata.labels[CAPABILITIES] = "c"
    history = History.of([made])

    assert history.is_rendered_for(cast("Blueprint", SimpleNamespace(capabilities_digest="c")))
    assert not history.is_rendered_for(cast("Blueprint", SimpleNamespace(capabilities_digest="d")))
    assert not History.of([]).is_rendered_for(cast("Blueprint", SimpleNamespace(capabilities_digest="c")))


@pytest.mark.parametrize("version", ["latest", "", "-1"])
def test_a_secret_that_has_no_number_is_no_record(version: str) -> None:
    fake = record(1)
    fake.metadata.labels["version"] = version

    assert History.of([fake]).records == []


def test_what_failed_since_the_last_success_is_told() -> None:
    history = History.of([record(1, "failed"), record(2), record(3, "failed"), record(4, "pending-upgrade")])

    assert [each.number for each in history.failed] == [3, 4]
    assert [each.number for each in History.of([record(1, "failed")]).failed] == [1]


def test_pending_records_are_underway() -> None:
    states = ("deployed", "failed", "pending-install", "pending-upgrade", "pending-rollback", "uninstalling")

    assert [state for state in states if is_underway(record(1, state))] == list(states[2:5])


def test_a_record_is_ours_if_its_mark_is_about_itself() -> None:
    assert is_ours(record(3, digest="a"))
    assert not is_ours(record(3, digest="a", made=2))
    assert not is_ours(record(3))


def test_the_time_of_a_record_is_that_of_its_last_writing() -> None:
    found = record(1)
    found.metadata.labels |= {"createdAt": "10"}
    assert written(found) == datetime.fromtimestamp(10, UTC)
    found.metadata.labels |= {"modifiedAt": "20"}
    assert written(found) == datetime.fromtimestamp(20, UTC)
    found.metadata.labels |= {"modifiedAt": "soon"}
    assert written(found) == datetime.fromtimestamp(0, UTC)


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ([], None),
        (["deployed"], None),
        (["superseded", "deployed", "failed"], None),
        (["failed"], None),  # it never went well
        (["superseded", "uninstalling"], None),  # somebody removes it
        (["superseded", "uninstalled"], None),
        (["pending-install"], (1, "failed")),
        (["failed", "pending-upgrade"], (2, "failed")),
        (["deployed", "pending-upgrade"], (2, "failed")),
        (["superseded", "deployed", "failed", "pending-rollback"], (4, "failed")),
        (["superseded", "pending-upgrade"], (2, "deployed")),  # only the last of all notes is missing
        (["superseded", "failed", "pending-rollback"], (3, "deployed")),
        (["superseded", "superseded"], (2, "deployed")),  # a person deleted the record in effect
        (["superseded", "failed"], (1, "deployed")),
    ],
)
def test_what_a_crash_or_a_person_left_wrong_is_found(
    states: list[str], expected: tuple[int, str] | None
) -> None:
    found = History.of([record(number, state) for number, state in enumerate(states, 1)]).correction

    assert (found and (found[0].number, found[1])) == expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], False),
        ([record(1, "pending-install", "a")], True),
        (
            [record(1, digest="a"), record(2, "pending-upgrade", "a", made=1)],
            False,
        ),  # a person's `helm upgrade`
        ([record(1, digest="a"), record(2, "failed", "b"), record(3, "pending-rollback", "a", made=1)], True),
        ([record(1, "superseded", "a"), record(2, digest="b"), record(3, "pending-rollback", "a", 1)], False),
        ([record(1, "pending-rollback", "a")], True),
    ],
)
def test_a_rollback_is_ours_if_it_follows_a_failure_of_ours(
    records: list[ReleaseRecord], *, expected: bool
) -> None:
    assert History.of(records).is_ours is expected
