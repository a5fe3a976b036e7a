from __future__ import annotations

from typing import Any

import pytest

from windlass.schema.golang import go_syntax, json_kind, json_text, number, printed, quoted, shown, shown_unstructured, type_name


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
