from __future__ import annotations

from typing import Any

import pytest

from windlass.schema.golang import (
    go_syntax,
    json_kind,
    json_text,
    number,
    printed,
    quoted,
    shown,
    shown_unstructured,
    type_name,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (2**63 - 1, "9223372036854775807"),
        (2**63, "9.223372036854776e+18"),
        (1.0, "1"),
        (1.5, "1.5"),
        (-0.0, "-0"),
        (100000.5, "100000.5"),
        (1000000.0, "1e+06"),
        (2147483648.0, "2.147483648e+09"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e21, "1e+21"),
        (1.5e-10, "1.5e-10"),
        (1e100, "1e+100"),
    ],
)
def test_a_number_is_written_as_go_prints_it(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ("<a>&\u2028é", '"\\u003ca\\u003e\\u0026\\u2028é"'),
        (2.0, "2"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (2**64, "18446744073709552000"),
    ],
)
def test_a_value_is_written_as_go_encodes_it(value: Any, text: str) -> None:
    assert json_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [("a<b", '"a<b"'), (True, "true"), (None, "null"), ({"a": "<"}, '{"a":"\\u003c"}')]
)
def test_a_value_in_a_message(value: Any, text: str) -> None:
    assert shown(value) == shown_unstructured(value) == text


def test_a_list_in_a_sentence() -> None:
    assert printed(["a", 1, True, None, {"b": [2.5], "a": 1}]) == "[a 1 true <nil> map[a:1 b:[2.5]]]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"b": [1, True, None], "a": "x"},
            'map[string]interface {}{"a":"x", "b":[]interface {}{1, true, interface {}(nil)}}',
        ),
        ([1e7, 1.5], "[]interface {}{1e+07, 1.5}"),
    ],
)
def test_a_value_in_the_syntax_of_go(value: Any, text: str) -> None:
    assert go_syntax(value) == text


@pytest.mark.parametrize(
    ("value", "kind", "name"),
    [
        ({}, "object", "map[string]interface {}"),
        ([], "array", "[]interface {}"),
        ("", "string", "string"),
        (True, "bool", "bool"),
        (1, "number", "int64"),
        (1.5, "number", "float64"),
        (None, "null", "<nil>"),
    ],
)
def test_a_value_has_a_kind_and_a_type(value: Any, kind: str, name: str) -> None:
    assert (json_kind(value), type_name(value)) == (kind, name)


def test_what_cannot_be_printed_is_escaped() -> None:
    assert quoted('a"\\\n\x00\x7fé\u00ad\u200b\U000e0001') == r'"a\"\\\n\x00\x7fé\u00ad\u200b\U000e0001"'


def test_the_members_of_a_struct_stand_as_they_are_given_and_those_of_a_map_in_order() -> None:
    value = {"b": {"d": 1, "c": "<"}, "a": 2}

    assert shown(value) == '{"b":{"d":1,"c":"\\u003c"},"a":2}'
    assert shown_unstructured(value) == '{"a":2,"b":{"c":"\\u003c","d":1}}'
