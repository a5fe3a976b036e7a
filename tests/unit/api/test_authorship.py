"""Who changed an object, by the record that servers keep."""

from __future__ import annotations

from typing import Any

import pytest

from windlass.api import last_written
from windlass.api.authorship import managers_of

EARLIER, NOW = "2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"
PORTS: dict[str, Any] = {'k:{"name":"web"}': {".": {}, "f:name": {}, "f:port": {}}}


def entry(manager: str, fields: Any, *, time: str = NOW, operation: str = "Update") -> dict[str, Any]:
    return {"manager": manager, "operation": operation, "time": time, "fieldsV1": fields}


def obj(spec: Any, *entries: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"metadata": {**metadata, "managedFields": list(entries)}, "spec": spec}


def wrote(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, ...]:
    return managers_of(last_written(new["metadata"]), old, new)


@pytest.mark.parametrize(
    ("before", "after", "fields", "managers"),
    [
        ({"size": 1}, {"size": 2}, {"f:spec": {"f:size": {}}}, ("kubectl",)),
        ({"size": 1}, {"size": 2}, {"f:spec": {".": {}, "f:color": {}}}, ("operator",)),
        ({"size": 1}, {"size": 2}, {"f:spec": {".": {}}}, ("operator",)),
        ({"size": 1}, {"size": 2}, {"f:spec": {}}, ("operator",)),  # that there is a spec
        ({"map": {"a": 1}}, {"map": {"a": 2}}, {"f:spec": {"f:map": {}}}, ("kubectl",)),  # taken whole
        (
            {"size": 1, "ports": [{"name": "web", "port": 1}]},
            {"size": 1, "ports": [{"name": "web", "port": 2}]},
            {"f:spec": {"f:ports": PORTS}},
            ("kubectl",),
        ),
        ({"tags": ["a"]}, {"tags": ["a", "b"]}, {"f:spec": {"f:tags": {'v:"b"': {}}}}, ("kubectl",)),
        ({"tags": ["a"]}, {"tags": ["c"]}, {"f:spec": {"f:tags": {}}}, ("kubectl",)),
    ],
)
def test_of_those_who_wrote_in_one_second_the_owner_of_the_field_changed_it(
    before: Any, after: Any, fields: Any, managers: tuple[str, ...]
) -> None:
    ours: dict[str, Any] = (
        {"f:spec": {"f:size": {}}} if managers == ("operator",) else {"f:spec": {"f:other": {}}}
    )
    new = obj(after, entry("operator", ours, operation="Apply"), entry("kubectl", fields))

    assert wrote(obj(before), new) == managers


def test_where_nobody_owns_the_field_all_who_wrote_last_are_named() -> None:
    new = obj({"size": 2}, entry("one", {}), entry("two", {}), entry("old", {}, time=EARLIER))
    assert wrote(obj({"size": 1}), new) == ("one", "two")


def test_a_removal_is_not_taken_for_a_write_of_the_one_who_wrote_last() -> None:
    operator = entry("operator", {"f:spec": {"f:size": {}}}, operation="Apply", time=EARLIER)
    assert wrote(obj({"size": 1, "color": "red"}, operator), obj({"size": 1}, operator)) == ()
    assert wrote(obj({"tags": ["a", "b"]}, operator), obj({"tags": ["a"]}, operator)) == ()


def test_a_removal_by_an_apply_is() -> None:
    before = entry("operator", {"f:spec": {"f:color": {}}}, operation="Apply", time=EARLIER)
    after = entry("operator", {}, operation="Apply")
    assert wrote(obj({"size": 1, "color": "red"}, before), obj({"size": 1}, after)) == ("operator",)


def test_a_deletion_is_nobodys_as_the_server_does_not_record_it() -> None:
    operator = entry("operator", {"f:spec": {}}, time=EARLIER)
    new = obj({"size": 1}, operator, deletionTimestamp=NOW, deletionGracePeriodSeconds=0, generation=2)
    assert wrote(obj({"size": 1}, operator, generation=1), new) == ()


def test_without_times_nobody_is_named() -> None:
    assert last_written({}) == ()
    assert last_written({"managedFields": [{"manager": "a"}]}) == ()
