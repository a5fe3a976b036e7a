from __future__ import annotations

import pytest

from schemas import INTEGER, obj
from windlass.schema.custom.field_path import field_path

SCHEMA = obj(
    a=obj(**{"b": INTEGER, "c.d": obj(e=INTEGER), "it's": INTEGER}),
    m={"type": "object", "additionalProperties": obj(x=INTEGER)},
    free={"type": "object"},
)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (".a", "a"),
        (".a.b", "a.b"),
        (".a['c.d'].e", "a.c.d.e"),
        (r".a['it\'s']", "a.it's"),
        ("['a'].b", "a.b"),
        (".m.key", "m[key]"),
        (".m['a.b'].x", "m[a.b].x"),
        ("", ""),
    ],
)
def test_a_path_that_leads_somewhere(text: str, path: str) -> None:
    assert field_path(text, SCHEMA) == path


@pytest.mark.parametrize(
    "text",
    [
        *("a", ".", ".zz", ".a.", "..a", ".a[b]", ".a['b'", ".a['b", ".a[]", ".a[''']", ".free.x", ".a.b.c"),
        *(r".a['\q']", ".a]", ".a[0]", ".a['b'x"),
    ],
)
def test_a_path_that_leads_nowhere(text: str) -> None:
    assert field_path(text, SCHEMA) is None
