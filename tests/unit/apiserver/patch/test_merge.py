import copy
from typing import Any

import orjson
import pytest

from windlass.apiserver.patch import merge_patched
from windlass.apiserver.refusal import Refusal

DOCUMENT = {"kind": "Thing", "data": {"a": "1", "deep": {"b": "2"}}, "list": [1, {"x": 1}]}


def patched(patch: Any) -> dict[str, Any]:
    before = copy.deepcopy(DOCUMENT)
    result = merge_patched(DOCUMENT, orjson.dumps(patch)).document
    assert before == DOCUMENT
    return result


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, {}),
        ({"data": {"a": None, "c": "3"}}, {"data": {"c": "3", "deep": {"b": "2"}}}),
        ({"data": {"deep": {"b": None}}}, {"data": {"a": "1", "deep": {}}}),
        ({"data": "text"}, {"data": "text"}),
        ({"list": {"a": None, "b": 1}}, {"list": {"b": 1}}),
        ({"new": {"a": None, "b": {"c": None}}}, {"new": {"b": {}}}),
        ({"absent": None}, {}),
        ({"list": [None, {"a": None, "b": [{"c": None}]}]}, {"list": [None, {"b": [{}]}]}),
        ({"data": [{"a": None}]}, {"data": [{"a": None}]}),
    ],
    ids=str,
)
def test_members_merge_and_everything_else_is_replaced(patch: Any, expected: dict[str, Any]) -> None:
    assert patched(patch) == DOCUMENT | expected


def test_null_removes_a_member() -> None:
    assert patched({"data": None, "list": None}) == {"kind": "Thing"}


@pytest.mark.parametrize(
    ("body", "checked", "message"),
    [
        (b"[]", True, "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (b"3", True, "error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}"),
        (b"{", True, "error decoding patch: unexpected end of JSON input"),
        (b'{"a": 1e400}', True, "error decoding patch: json: cannot unmarshal number 1e400 into Go value of type float64"),
        (b"null", True, "Invalid JSON Patch"),
        (b"null", False, "Invalid JSON Patch"),
        (b"3", False, "Invalid JSON Patch"),
        (b"{", False, "Invalid JSON Patch"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_object_is_a_bad_request(body: bytes, checked: bool, message: str) -> None:  # noqa: FBT001
    with pytest.raises(Refusal) as caught:
        merge_patched(DOCUMENT, body, checked=checked)

    assert (caught.value.code, caught.value.message) == (400, message)


def test_without_validation_a_list_takes_the_place_of_the_object_and_is_invalid() -> None:
    with pytest.raises(Refusal) as caught:
        merge_patched(DOCUMENT, b'[{"a":null}]', checked=False)

    assert caught.value.code == 422
    assert caught.value.message.startswith(
        ' "" is invalid: patch: Invalid value: "[{}]": couldn\'t get version/kind'
    )


def test_strict_validation_finds_fields_that_are_given_twice() -> None:
    body = b'{"data": {"a": "1", "a": "2", "b": [{"c": 1, "c": 2}]}, "data": {"d": "4"}}'

    found = merge_patched(DOCUMENT, body)

    assert found.document["data"] == {"a": "1", "deep": {"b": "2"}, "d": "4"}
    assert found.problems == (
        'duplicate field "data.a"',
        'duplicate field "data.b[0].c"',
        'duplicate field "data"',
    )
    assert merge_patched(DOCUMENT, body, checked=False).problems == ()


def test_at_most_a_hundred_problems_are_named() -> None:
    members = ",".join(f'"{index}":1' for index in range(150))

    assert len(merge_patched(DOCUMENT, f"{{{members},{members}}}".encode()).problems) == 100


def test_a_result_that_cannot_be_decoded_is_shown_as_json() -> None:
    refusal = merge_patched({"b": 1, "a": "<&>"}, b"{}").refusal("json: cannot unmarshal")

    assert refusal.message == (
        r' "" is invalid: patch: Invalid value: "{\"a\":\"\\u003c\\u0026\\u003e\",\"b\":1}": json: cannot unmarshal'
    )
    assert refusal.status["details"]["causes"][0]["field"] == "patch"


def test_strict_validation_refuses_the_problems_of_patch_and_result_together() -> None:
    found = merge_patched({}, b'{"a":1,"a":2}')

    assert found.strict_refusal(['unknown field "a"']).message.endswith(
        'strict decoding error: duplicate field "a", unknown field "a"'
    )
