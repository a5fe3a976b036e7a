from __future__ import annotations

from windlass.apiserver.validation.declared import Pointer, as_declared, difference


def test_absent_fields_show_their_zero_values_in_the_order_of_declaration() -> None:
    structure = {"name": "", "apiGroup": None, "uid": "", "count": 0}

    assert list(as_declared({"count": 2, "name": "a"}, structure).items()) == [
        ("Name", "a"),
        ("APIGroup", None),
        ("UID", ""),
        ("Count", 2),
    ]


def test_structures_stand_in_structures() -> None:
    structure = {"inner": {"a": ""}, "pointer": Pointer({"b": 0}), "list": [{"c": ""}], "fsType=FSType": ""}

    assert as_declared({}, structure) == {"Inner": {"A": ""}, "Pointer": None, "List": None, "FSType": ""}
    assert as_declared({"pointer": {}, "list": [{"c": "x"}]}, structure) == {
        "Inner": {"A": ""},
        "Pointer": {"B": 0},
        "List": [{"C": "x"}],
        "FSType": "",
    }


def test_a_difference_shows_three_lines_around_it() -> None:
    old = dict.fromkeys("abcdefgh", 1)

    assert difference(old, {**old, "h": 2}) == (
        '@@ -6,5 +6,5 @@\n  "e": 1,\n  "f": 1,\n  "g": 1,\n- "h": 1\n+ "h": 2\n }\n'
    )
