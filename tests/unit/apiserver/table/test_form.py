from datetime import UTC, datetime
from typing import Any

import pytest

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.table import TableForm, builtin_layout, partial, partial_list, table

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
METADATA = {"name": "a", "resourceVersion": "7", "creationTimestamp": "2026-01-02T03:04:00Z"}
OBJECT: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": METADATA, "data": {"x": "1"}}
LAYOUT = builtin_layout("", "ConfigMap")


def test_a_table_has_columns_and_a_row_for_each_object() -> None:
    found = table([OBJECT, OBJECT], {"resourceVersion": "9", "continue": "c"}, LAYOUT, NOW)

    assert (found["kind"], found["apiVersion"]) == ("Table", "meta.k8s.io/v1")
    assert found["metadata"] == {"resourceVersion": "9", "continue": "c"}
    assert [column["name"] for column in found["columnDefinitions"]] == ["Name", "Data", "Age"]
    assert all(column["description"] for column in found["columnDefinitions"])
    assert found["rows"] == [{"cells": ["a", 1, "5s"], "object": partial(OBJECT)}] * 2


@pytest.mark.parametrize(
    ("include", "expected"),
    [("", partial(OBJECT)), ("Metadata", partial(OBJECT)), ("Object", OBJECT), ("None", None)],
)
def test_a_row_carries_as_much_of_its_object_as_was_asked_for(include: str, expected: Any) -> None:
    [row] = table([OBJECT], {}, LAYOUT, NOW, TableForm(include=include))["rows"]

    assert row["object"] == expected


def test_any_other_inclusion_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        TableForm(include='x"')

    assert caught.value.code == 400
    assert caught.value.message == (
        r'Unable to convert to Table as requested: includeObject: Invalid value: "x\"": '
        "must be 'Metadata', 'Object', 'None', or empty"
    )


def test_columns_can_be_left_out() -> None:
    assert table([OBJECT], {}, LAYOUT, NOW, TableForm(headers=False))["columnDefinitions"] is None


def test_the_older_version_is_said_of_the_table_and_of_what_is_in_it() -> None:
    found = table([OBJECT], {}, LAYOUT, NOW, TableForm(version="v1beta1"))

    assert found["apiVersion"] == found["rows"][0]["object"]["apiVersion"] == "meta.k8s.io/v1beta1"


@pytest.mark.parametrize(("kind", "rows"), [("ConfigMap", []), ("LimitRange", None)])
def test_no_rows_are_null_only_where_a_kind_has_no_columns_of_its_own(kind: str, rows: Any) -> None:
    assert table([], {}, builtin_layout("", kind), NOW)["rows"] == rows


def test_metadata_alone_is_left_of_an_object() -> None:
    assert partial(OBJECT) == {
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": METADATA,
    }


def test_metadata_alone_is_left_of_the_items_of_a_list() -> None:
    assert partial_list([OBJECT], {"resourceVersion": "9"}) == {
        "kind": "PartialObjectMetadataList",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "9"},
        "items": [partial(OBJECT)],
    }


def test_an_empty_list_of_metadata_has_null_for_items() -> None:
    assert partial_list([], {})["items"] is None
