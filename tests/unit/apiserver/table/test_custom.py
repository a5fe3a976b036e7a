from datetime import UTC, datetime
from typing import Any

import pytest

from windlass.apiserver.table import CustomLayout

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OBJECT = {
    "kind": "Widget",
    "metadata": {"name": "a", "creationTimestamp": "2026-01-02T03:00:00Z"},
    "spec": {
        "text": "7",
        "count": 3,
        "share": 1.5,
        "whole": 2.0,
        "huge": 1e21,
        "on": True,
        "tags": ["y", "<"],
        "map": {"b": 1, "a": None},
        "null": None,
        "date": "2026-01-02T03:04:00Z",
    },
}


def column(path: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": "X", "type": kind, "jsonPath": path, **more}


@pytest.mark.parametrize(
    ("path", "kind", "cell"),
    [
        (".spec.text", "string", "7"),
        (".spec.count", "string", "3"),
        (".spec.share", "string", "1.5"),
        (".spec.huge", "string", "1e+21"),
        (".spec.on", "string", "true"),
        (".spec.null", "string", "<no value>"),
        (".spec.tags", "string", r'["y","\u003c"]'),
        (".spec.map", "string", '{"a":null,"b":1}'),
        (".spec.absent", "string", None),
        (".spec.count", "integer", 3),
        (".spec.share", "integer", 1),
        (".spec.huge", "integer", -(2**63)),
        (".spec.text", "integer", None),
        (".spec.on", "integer", None),
        (".spec.count", "number", 3),
        (".spec.share", "number", 1.5),
        (".spec.whole", "number", 2),
        (".spec.huge", "number", 1e21),
        (".spec.on", "boolean", True),
        (".spec.text", "boolean", None),
        (".spec.date", "date", "5s"),
        (".spec.text", "date", "<invalid>"),
        (".spec.count", "date", None),
        (".spec.absent", "date", None),
    ],
)
def test_a_cell_has_the_type_of_its_column_or_is_empty(path: str, kind: str, cell: Any) -> None:
    found = CustomLayout([column(path, kind)]).cells(OBJECT, NOW)

    assert found == ["a", cell]
    assert type(found[1]) is type(cell)


def test_without_columns_of_its_own_a_table_shows_the_age() -> None:
    layout = CustomLayout(None)

    assert [(each.name, each.type) for each in layout.columns] == [("Name", "string"), ("Age", "date")]
    assert layout.cells(OBJECT, NOW) == ["a", "4m5s"]


def test_a_column_says_what_its_definition_says() -> None:
    given = column(".spec.text", format="byte", priority=1, description="what it says")

    assert CustomLayout([given]).columns[1].wire == {
        "name": "X",
        "type": "string",
        "format": "byte",
        "description": "what it says",
        "priority": 1,
    }


def test_a_column_without_a_description_shows_its_path() -> None:
    [_, found] = CustomLayout([column(".spec.text")]).columns

    assert found.description == "Custom resource definition column (in JSONPath format): .spec.text"


def test_a_column_that_cannot_be_read_ends_the_table() -> None:
    layout = CustomLayout([column(".spec.text"), column(".spec.tags[x]"), column(".kind")])

    assert len(layout.columns) == 2
    assert layout.cells(OBJECT, NOW) == ["a", "7"]
