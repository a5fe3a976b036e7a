"""Steps of paths: one text for one value, in Go's words and Go's order."""

from __future__ import annotations

import random

import pytest

from windlass.schema.ownership.element import MalformedElement, in_order, json_text, parsed, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("web", '"web"'),
        ('say "hi"\\', '"say \\"hi\\"\\\\"'),
        ("<a&b>", '"\\u003ca\\u0026b\\u003e"'),
        ("a\n\t\r\x00\x1f", '"a\\n\\t\\r\\u0000\\u001f"'),
        ("é 💻", '"é 💻"'),
        ("\u2028", '"\\u2028"'),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (-7, "-7"),
        (1.0, "1"),
        (-0.0, "-0"),
        (1.5, "1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (0.000001, "0.000001"),
        (1e-7, "1e-07"),
        (1.25e-10, "1.25e-10"),
        ([1, "a", [True]], '[1,"a",[true]]'),
        ({"b": 1, "a": {"d": None}}, '{"a":{"d":null},"b":1}'),
    ],
    ids=repr,
)
def test_json_is_written_as_go_writes_it(value: object, text: str) -> None:
    assert json_text(value) == text


@pytest.mark.parametrize(
    ("sent", "step"),
    [
        ("f:name", "f:name"),
        ("f:", "f:"),
        ("f:a:b", "f:a:b"),
        ('k:{"b": 1,  "a":"x"}', 'k:{"a":"x","b":1}'),
        ("v: 3", "v:3"),
        ("v:3.0", "v:3"),
        ('v:"<"', 'v:"\\u003c"'),
        ("i:07", "i:7"),
        ("x:later", None),
    ],
)
def test_a_step_that_somebody_wrote_gets_its_one_form(sent: str, step: str | None) -> None:
    assert parsed(sent) == step


@pytest.mark.parametrize("sent", ["", "f", "nonsense", "k:", "k:5", "k:{", "v:", "v:{", "i:", "i:x"])
def test_what_is_no_step_is_refused(sent: str) -> None:
    with pytest.raises(MalformedElement):
        parsed(sent)


def test_steps_stand_in_the_order_of_their_kinds_and_values() -> None:
    steps = [
        "f:B",
        "f:a",
        "f:b",
        'k:{"name":"a"}',
        'k:{"name":"a","z":1}',
        'k:{"name":"a b"}',
        'k:{"port":9,"protocol":"UDP"}',
        'k:{"port":80,"protocol":"TCP"}',
        'k:{"port":80,"protocol":"UDP"}',
        'k:{"port":"80"}',
        "v:-1",
        "v:1.5",
        "v:9",
        "v:10",
        'v:"10"',
        'v:"9"',
        "v:false",
        "v:true",
        "v:[1]",
        'v:{"a":1}',
        "v:null",
        "i:9",
        "i:10",
    ]
    shuffled = random.Random(1).sample(steps, len(steps))

    assert in_order(shuffled) == steps


def test_names_sort_by_character_and_not_by_what_follows_them() -> None:
    steps = ["f:a", "f:a b", "f:a-b", "f:ab", "f:é"]

    assert in_order(sorted(steps, reverse=True)) == steps


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("f:name", ".name"),
        ("f:a.b/c", ".a.b/c"),
        ('k:{"name":"web"}', '[name="web"]'),
        ('k:{"containerPort":80,"protocol":"TCP"}', '[containerPort=80,protocol="TCP"]'),
        ('v:"a\\u003c\\n"', '[="a<\\n"]'),
        ("v:1", "[=1]"),
        ("v:true", "[=true]"),
        ("v:null", "[=null]"),
        ("v:1000000000000000000000.5", "[=1e+21]"),
        ('k:{"k":[{"a":1,"b":"x"},null],"l":{}}', '[k=[a=1b="x",null],l=]'),
        ("i:3", "[3]"),
    ],
)
def test_a_step_is_shown_as_messages_have_it(step: str, text: str) -> None:
    assert shown(step) == text
