"""Field sets read with the schema at hand."""

from __future__ import annotations

import pytest

from ownership_samples import ATOMIC, MAP, SET, TEXT, UNKNOWN, Object, array, list_map, obj, shape
from windlass.schema.ownership.atom import Grammar
from windlass.schema.ownership.reading import conformed, with_named
from windlass.schema.ownership.tree import LEAF

NAMED = list_map("name", name=TEXT, more=obj(value=TEXT))


def test_named_fields_belong_to_a_set_with_what_is_below_them() -> None:
    atom = Grammar().atom(shape(obj(a=obj(b=MAP), list=NAMED, free=UNKNOWN)))
    tree: Object = {
        "f:a": {"f:b": {"f:x": {"f:y": {}}}},
        "f:list": {'k:{"name":"a"}': {"f:more": {"f:value": {}}}, "v:1": {"f:more": {"f:value": {}}}},
        "f:free": {"f:x": {"f:y": {}}},
        "f:gone": {"f:a": {}},
    }

    assert with_named(tree, atom) == {
        "f:a": {".": {}, "f:b": {".": {}, "f:x": {"f:y": {}}}},
        "f:list": {
            ".": {},
            'k:{"name":"a"}': {"f:more": {".": {}, "f:value": {}}},
            "v:1": {"f:more": {"f:value": {}}},
        },
        "f:free": {".": {}, "f:x": {"f:y": {}}},
        "f:gone": {"f:a": {}},
    }


@pytest.mark.parametrize(
    ("schema", "node", "kept"),
    [
        pytest.param({**MAP, **ATOMIC}, {"f:a": {}}, LEAF, id="map"),
        pytest.param({**MAP, **ATOMIC}, {".": {}, "f:a": {}}, LEAF, id="map that was owned too"),
        pytest.param({**obj(a=TEXT), **ATOMIC}, {"f:a": {}}, LEAF, id="object"),
        pytest.param(array(TEXT), {'v:"a"': {}}, LEAF, id="list"),
        pytest.param(MAP, {"f:a": {}}, {"f:a": {}}, id="map that is still granular"),
        pytest.param(SET, {'v:"a"': {}}, {'v:"a"': {}}, id="set"),
        pytest.param(TEXT, {"f:a": {}}, {"f:a": {}}, id="scalar"),
        pytest.param(
            {"type": "object", **ATOMIC}, {"f:a": {}}, {"f:a": {}}, id="map of which nothing is said"
        ),
        pytest.param(UNKNOWN, {"f:a": {"f:b": {}}}, {"f:a": {"f:b": {}}}, id="unknown"),
    ],
)
def test_who_owned_parts_of_what_became_atomic_owns_it_as_a_whole(
    schema: Object, node: Object, kept: Object
) -> None:
    items = Grammar().atom(shape(obj(list=list_map("name", name=TEXT, f=schema), other=TEXT)))
    tree = {"f:list": {'k:{"name":"a"}': {".": {}, "f:f": node}}, "f:other": {}}

    found = conformed(tree, items)

    assert found == {"f:list": {'k:{"name":"a"}': {".": {}, "f:f": kept}}, "f:other": {}}
    assert (found is tree) is (kept == node)
