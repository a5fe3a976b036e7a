"""What a server says of a configuration that does not fit; the messages are recorded from a real one."""

from __future__ import annotations

from typing import Any

import pytest

from ownership_samples import INTEGER, PORTS, SET, TEXT, array, list_map, obj, shape
from windlass.schema.ownership.atom import Grammar
from windlass.schema.ownership.fit import fits, misfits, strays, told

SPEC = obj(
    s=TEXT,
    n={"type": "number"},
    i=INTEGER,
    b={"type": "boolean"},
    o=obj(a=TEXT),
    l=array(TEXT),
    ios={"x-kubernetes-int-or-string": True},
    d={"type": "string", "format": "date-time"},
    set=SET,
    ports=PORTS,
    named=list_map("name", name=TEXT, v=TEXT),
)
ATOM = Grammar().atom(shape(obj(spec=SPEC)))
OMITS = (
    'associative list with keys has an element that omits all key fields ["name"] '
    "(and doesn't have default values for any key fields)"
)
GOT = "expected string, got &value.valueUnstructured"
MAP = 'map[string]interface {}{"a":"b", "c":[]interface {}{1, interface {}(nil), "x"}}'
TWICE = '.spec.named: duplicate entries for key [name="a"]'
WRONG = f'.spec.named[name="a"].v: {GOT}{{Value:1}}'


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"s": 5}, f".spec.s: {GOT}{{Value:5}}"),
        ({"s": 1.5}, f".spec.s: {GOT}{{Value:1.5}}"),
        ({"s": True}, f".spec.s: {GOT}{{Value:true}}"),
        (
            {"s": {"a": "b", "c": [1, None, "x"]}},
            f".spec.s: {GOT}{{Value:{MAP}}}",
        ),
        ({"n": "x"}, ".spec.n: expected numeric (int or float), got string"),
        ({"n": {"a": 1}}, ".spec.n: expected numeric (int or float), got map[string]interface {}"),
        ({"i": [1]}, ".spec.i: expected numeric (int or float), got []interface {}"),
        ({"i": True}, ".spec.i: expected numeric (int or float), got bool"),
        ({"b": "x"}, ".spec.b: expected boolean, got &{x}"),
        ({"b": {"a": None}}, ".spec.b: expected boolean, got &{map[a:<nil>]}"),
        ({"o": "x"}, ".spec.o: expected map, got &{x}"),
        ({"o": [1, "a"]}, ".spec.o: expected map, got &{[1 a]}"),
        ({"o": {"x": 1}}, ".spec.o.x: field not declared in schema"),
        ({"l": {"a": 1}}, ".spec.l: expected list, got &{map[a:1]}"),
        ({"l": ["a", 1]}, f".spec.l[1]: {GOT}{{Value:1}}"),
        ({"d": {"a": 1}}, ".spec.d: expected any scalar, got &{map[a:1]}"),
        (
            {"set": [None]},
            ".spec.set: element 0: associative list without keys has an element that's an explicit null",
        ),
        (
            {"ports": ["x"]},
            ".spec.ports: element 0: associative list with keys may not have non-map elements",
        ),
        ({"named": [{"name": "a"}, {"v": "1"}]}, f".spec.named: element 1: {OMITS}"),
        ({"set": ['a<b"\n', 'a<b"\n']}, '.spec.set: duplicate entries for key [="a<b\\"\\n"]'),
        (
            {"ports": [{"port": 1}, {"port": 1, "protocol": "TCP"}]},
            '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
        ),
        (
            {"named": [{"name": "a"}, {"name": "a", "v": 1}]},
            f"errors:\n  {TWICE}\n  {WRONG}",
        ),
        ("x", ".spec: expected map, got &{x}"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_said_in_the_words_of_the_server(spec: Any, message: str) -> None:
    assert told(misfits({"spec": spec}, ATOM)) == message
    assert fits({"spec": spec}, ATOM) is (not misfits({"spec": spec}, ATOM, doubles=True))


@pytest.mark.parametrize(
    "spec",
    [
        None,
        {},
        {"s": None, "o": None, "l": None, "set": None, "ports": None},
        {"s": "x", "n": 1.5, "i": 1, "b": False, "o": {"a": "x"}, "l": ["x", "x"], "d": 5},
        {"ios": {"a": 1}},
        {"ports": [{"protocol": "UDP"}, {"port": 80}, {"port": 80, "protocol": "UDP"}]},
    ],
    ids=str,
)
def test_a_null_fits_everywhere_and_types_are_all_that_is_checked(spec: Any) -> None:
    assert misfits({"spec": spec}, ATOM) == []
    assert fits({"spec": spec}, ATOM)


def test_items_may_be_there_twice_where_updates_may_have_left_them() -> None:
    spec = {"set": ["a", "a"], "named": [{"name": "a"}, {"name": "a"}]}

    assert len(misfits({"spec": spec}, ATOM)) == 2
    assert misfits({"spec": spec}, ATOM, doubles=True) == []
    assert fits({"spec": spec}, ATOM)


def test_every_stray_item_is_told_and_nothing_else_that_does_not_fit() -> None:
    nested = Grammar().atom(
        shape(obj(a=list_map("k", k=INTEGER, below=list_map("k", k=INTEGER)), l=array(TEXT)))
    )
    value = {"a": [None, {"k": 1, "below": [{"k": "x"}, {}]}, 5], "l": [None]}

    assert strays(value, nested) == [
        (".a", "element 0: associative list with keys may not have a null element"),
        (".a", "element 2: associative list with keys may not have non-map elements"),
        (".a[k=1].below", f"element 1: {OMITS.replace('name', 'k')}"),
    ]
