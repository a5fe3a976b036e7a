from typing import Any

import pytest

from windlass.apiserver.patch.go import printed, type_name


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, True, None], "a": {"x": "y z"}}, "map[a:map[x:y z] b:[1 true <nil>]]"),
        ([], "[]"),
        (1.5, "1.5"),
        (2.0, "2"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (0.0001, "0.0001"),
        (0.000015, "1.5e-05"),
        (0.0, "0"),
    ],
)
def test_values_are_printed_as_go_prints_them(value: Any, text: str) -> None:
    assert printed(value) == text


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({}, "map[string]interface {}"),
        ([], "[]interface {}"),
        (1, "int64"),
        (True, "bool"),
        (None, "%!s(<nil>)"),
    ],
)
def test_types_have_the_names_of_go(value: Any, name: str) -> None:
    assert type_name(value) == name
