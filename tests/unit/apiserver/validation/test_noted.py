from __future__ import annotations

import re
from typing import Any, Final

import pytest

from windlass.apiserver.validation.noted import noted_list

_FIELDS: Final = {"Key": str, "TolerationSeconds": int}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("null", []),
        ("[]", []),
        ("[null]", [{}]),
        ('[{"key": "a", "other": 1}]', [{"key": "a"}]),
        ('[{"KEY": "a", "tolerationseconds": 5}]', [{"key": "a", "tolerationSeconds": 5}]),
        ('[{"key": null}]', [{}]),
    ],
)
def test_an_annotation_lists_structs(text: str, found: list[Any]) -> None:
    assert noted_list(text, "Toleration", _FIELDS) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{", "unexpected end of JSON input"),
        ("{}", "json: cannot unmarshal object into Go value of type []core.Toleration"),
        ("[1]", "json: cannot unmarshal number into Go value of type core.Toleration"),
        ("1e400", "json: cannot unmarshal number into Go value of type []core.Toleration"),
        ('[{"key": {}}]', "json: cannot unmarshal object into Go struct field Toleration.Key of type string"),
        (
            '[{"tolerationSeconds": "x"}]',
            "json: cannot unmarshal string into Go struct field Toleration.TolerationSeconds of type int64",
        ),
    ],
)
def test_an_annotation_that_lists_no_structs_is_refused_in_the_words_of_go(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        noted_list(text, "Toleration", _FIELDS)
