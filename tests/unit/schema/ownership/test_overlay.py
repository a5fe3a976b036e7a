from __future__ import annotations

from typing import Any

import pytest

from windlass.schema import Shape
from windlass.schema.ownership import Grammar, Unfit, overlaid

TEXT = {"type": "string"}
ATOM = Grammar().resource(
    Shape(
        {
            "type": "object",
            "properties": {
                "text": TEXT,
                "map": {"type": "object", "additionalProperties": {"type": "array", "items": TEXT}},
                "set": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
                "list": {"type": "array", "items": TEXT},
                "struct": {
                    "type": "object",
                    "properties": {"list": {"type": "array", "items": TEXT}},
                    "x-kubernetes-map-type": "atomic",
                },
                "items": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    "items": {
                        "type": "object",
                        "properties": {"name": TEXT, "a": TEXT, "list": {"type": "array", "items": TEXT}},
                    },
                },
            },
        }
    )
)


@pytest.mark.parametrize(
    ("live", "config", "outcome"),
    [
        ({"text": "a"}, {}, {"text": "a"}),
        ({"text": "a"}, {"text": "b"}, {"text": "b"}),
        ({"list": ["a"]}, {"text": "b"}, {"list": ["a"], "text": "b"}),
        ({"set": ["a", "b"]}, {"set": ["b", "c"]}, {"set": ["a", "b", "c"]}),
        ({"map": {"a": ["b"]}}, {"map": {"c": ["d"]}}, {"map": {"a": ["b"], "c": ["d"]}}),
        (
            {"items": [{"name": "x", "list": ["a"]}, {"name": "y"}]},
            {"items": [{"name": "x", "a": "b"}]},
            {"items": [{"name": "x", "list": ["a"], "a": "b"}, {"name": "y"}]},
        ),
    ],
)
def test_a_configuration_is_merged_and_takes_nothing_away(live: Any, config: Any, outcome: Any) -> None:
    assert overlaid(live, config, ATOM) == outcome


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ({"list": ["a"]}, ".list"),
        ({"struct": {"list": ["a"]}}, ".struct, .struct.list"),
        ({"items": [{"name": "x"}, {"name": "y", "list": []}]}, ".items[1].list"),
    ],
)
def test_what_would_be_replaced_as_a_whole_may_not_be_set(config: Any, paths: str) -> None:
    with pytest.raises(Unfit, match=f"maps or structs: {paths}$".replace("[", r"\[")):
        overlaid({}, config, ATOM)


def test_neither_may_be_unfit() -> None:
    with pytest.raises(
        Unfit, match=r"^failed to convert patch object to typed object: \.none: field not declared"
    ):
        overlaid({}, {"none": 1}, ATOM)
    with pytest.raises(
        Unfit, match=r"^failed to convert original object to typed object: \.none: field not decl"
    ):
        overlaid({"none": 1}, {}, ATOM)
