from typing import Any

import pytest

from windlass.apiserver.table.json_path import BadPathError, JsonPath
from windlass.apiserver.table.json_step import NotFoundError

OBJECT: dict[str, Any] = {
    "text": "7",
    "null": None,
    "tags": ["x", "y", "z"],
    "empty": [],
    "nested": [[1, 2], [3]],
    "map": {"a.b/c": "1", "x": "2"},
    "conditions": [
        {"type": "Synced", "status": "False", "n": 1, "f": 1.0, "b": False, "other": "Synced"},
        {"type": "Ready", "status": "True", "n": 2, "f": 1.25, "b": True, "other": "x"},
        {"type": "Re(ady", "status": "Odd"},
    ],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (".text", "7"),
        (".null", None),
        (".tags", ["x", "y", "z"]),
        (".tags[1]", "y"),
        (".tags[]", "x"),
        (".tags[-1]", "z"),
        (".tags[*]", "x"),
        (".tags[1:]", "y"),
        (".tags[:-1]", "x"),
        (".tags[1::2]", "y"),
        (".tags[2,0]", "z"),
        (".nested[0][1]", 2),
        (".nested[1][*]", 3),
        (r".map.a\.b/c", "1"),
        (r".map['a\.b/c']", "1"),
        (".map['x']", "2"),
        ("['text']", "7"),
        (".map.*", "1"),
        ("..status", "False"),
        ('.conditions[?(@.type=="Ready")].status', "True"),
        (".conditions[?(@.type=='Ready')].status", "True"),
        ('.conditions[?( @.type == "Ready" )].status', "True"),
        ('.conditions[?(@.type=="Re(ady")].status', "Odd"),
        ('.conditions[?(@.type!="Synced")].status', "True"),
        (".conditions[?(@.n>1)].type", "Ready"),
        (".conditions[?(@.n>=1)].type", "Synced"),
        (".conditions[?(@.n==2)].type", "Ready"),
        (".conditions[?(@.f>1.1)].type", "Ready"),
        (".conditions[?(@.b==true)].type", "Ready"),
        (".conditions[?(@.b)].type", "Synced"),
        (".conditions[?(@.type==@.other)].type", "Synced"),
        (".conditions[*].status", "False"),
        ("$.text", "7"),
        (" .text ", "7"),
    ],
)
def test_a_path_finds_the_first_of_what_it_leads_to(path: str, value: Any) -> None:
    assert JsonPath(path).first(OBJECT) == value


@pytest.mark.parametrize(
    "path",
    [
        ".absent",
        ".absent.deeply",
        ".text.deeper",
        ".text[0]",
        ".text[?(@.a)]",
        ".map[0]",
        ".tags[7]",
        ".tags[-7]",
        ".tags[2:1]",
        ".tags[0:9]",
        ".tags[0:2:0]",
        ".empty[*]",
        ".conditions.type",
        '.conditions[?(@.type=="no")]',
        ".conditions[?(@.absent)]",
        '.conditions[?(@.n=="1")]',
        ".conditions[?(@.n==1.0)]",
        ".conditions[?(@.b<true)]",
        ".conditions[?(@.*==1)]",
        ".text word",
        "..[1]",
        ".",
    ],
)
def test_a_path_that_leads_nowhere_says_so(path: str) -> None:
    with pytest.raises(NotFoundError):
        JsonPath(path).first(OBJECT)


@pytest.mark.parametrize(
    "path",
    [
        ".a[x]",
        ".a[1",
        ".a[-]",
        ".a[1:-]",
        ".a[?(@.b",
        '.a[?(@.b=="c)]',
        ".a{.b}",
        '.a "b',
        ".a[?(@.b==1.2.3)]",
        ".a]",
    ],
)
def test_a_text_that_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(BadPathError):
        JsonPath(path)
