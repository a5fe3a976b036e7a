from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission.policy import Expressions
from windlass.apiserver.admission.policy.plain import Mistyped, Unsayable, check_types, plain
from windlass.schema.cel import object_type


def made(expression: str) -> Any:
    """What an expression makes of the value that is the field `a` of an object."""
    compiled = Expressions(params=False).patching(f"Object{{a: {expression}}}", object_type("Object"))
    assert compiled.program is not None, compiled.problem
    return compiled.program.evaluate({}, 1_000_000).value["a"]


@pytest.mark.parametrize(
    ("expression", "written", "held"),
    [
        ("1", 1, 1),
        ("1u", 1, 1),
        ("1.0", 1, 1.0),
        ("0.5", 0.5, 0.5),
        ("9007199254740992", "9007199254740992", 9007199254740992),
        ("true", True, True),
        ("'b'", "b", "b"),
        ("b'b'", "Yg==", "Yg=="),
        ("null", None, 0),
        ("duration('90s')", "90s", 90_000_000_000),
        ("timestamp('2020-01-01T00:00:00Z')", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("[1, 2].map(x, x + 1)", [2, 3], [2, 3]),
        ("{1: 2u, 3: 4u}", {"1": 2, "3": 4}, {"1": 2, "3": 4}),
        ("{true: 'b'}", {"true": "b"}, {"true": "b"}),
        ("Object.a{b: [Object.a.b{c: 1}]}", {"b": [{"c": 1}]}, {"b": [{"c": 1}]}),
    ],
)
def test_a_value_is_json_as_it_is_written_and_as_it_is_held(expression: str, written: Any, held: Any) -> None:
    value = made(expression)

    assert (plain(value, exact=False), plain(value)) == (written, held)


def test_a_value_of_a_library_cannot_be_said() -> None:
    with pytest.raises(Unsayable, match="from 'Quantity'"):
        plain([made("quantity('1Ki')")])


def test_objects_in_their_places_are_right() -> None:
    check_types(made("Object.a{b: Object.a.b{}, c: [Object.a.c{}], d: {'e': Object.a.d{}}}"))


@pytest.mark.parametrize(
    ("expression", "wrong"),
    [
        ("Object.a{b: Object.b{}}", ["Object.b"]),
        ("Object.a{b: [Object.a{}]}", ["Object.a"]),
        ("Object.a{b: {'c': Object.a.c{}}, d: Object.e{}}", ["Object.a.c", "Object.e"]),
    ],
)
def test_every_object_in_a_wrong_place_is_named(expression: str, wrong: list[str]) -> None:
    with pytest.raises(Mistyped) as raised:
        check_types(made(expression))

    lines = str(raised.value).removeprefix("type mismatch: ").splitlines()
    assert [line.split('"')[1] for line in lines] == wrong
