import copy
from typing import Any

import orjson
import pytest

from windlass.apiserver.patch import json_patched
from windlass.apiserver.patch.json_patch import MOST_COPIED, MOST_OPERATIONS, MOST_STEPS
from windlass.apiserver.refusal import Refusal

REJECTED = "the server rejected our request due to an error in our request"
DOCUMENT = {
    "kind": "Thing",
    "data": {"key": "value", "a~b/c": {"d": 1}},
    "list": ["x", "y", {"z": 1}],
    "null": None,
}


def patched(*operations: Any, **options: Any) -> dict[str, Any]:
    before = copy.deepcopy(DOCUMENT)
    result = json_patched(DOCUMENT, orjson.dumps(operations), **options).document
    assert before == DOCUMENT
    return result


def op(name: str, path: str, **fields: Any) -> dict[str, Any]:
    return {"op": name, "path": path, **fields}


def refused(body: bytes, **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        json_patched(DOCUMENT, body, **options)
    return caught.value


@pytest.mark.parametrize(
    ("operation", "key", "expected"),
    [
        (op("add", "/new", value=1), "new", 1),
        (op("add", "/new"), "new", None),
        (op("add", "/list/0", value="w"), "list", ["w", "x", "y", {"z": 1}]),
        (op("add", "/list/3", value="w"), "list", ["x", "y", {"z": 1}, "w"]),
        (op("add", "/list/-1", value="w"), "list", ["x", "y", {"z": 1}, "w"]),
        (op("add", "/list/-", value="w"), "list", ["x", "y", {"z": 1}, "w"]),
        (op("add", "/list/+1", value="w"), "list", ["x", "w", "y", {"z": 1}]),
        (op("remove", "/list/-3"), "list", ["y", {"z": 1}]),
        (op("replace", "/list/2/z", value=2), "list", ["x", "y", {"z": 2}]),
        (op("replace", "/absent", value=2), "absent", 2),
        (op("replace", "/data/a~0b~1c/d", value=2), "data", {"key": "value", "a~b/c": {"d": 2}}),
        (op("move", "/moved", **{"from": "/list/2"}), "moved", {"z": 1}),
        (op("copy", "/copied", **{"from": "/absent"}), "copied", None),
        (op("add", "anything/new", value=1), "new", 1),
    ],
    ids=str,
)
def test_an_operation_changes_what_its_pointer_names(operation: Any, key: str, expected: Any) -> None:
    assert patched(operation)[key] == expected


@pytest.mark.parametrize(
    "operation",
    [
        op("add", "", value={}),
        op("add", "/absent/deep", value=1),
        op("add", "/null/deep", value=1),
        op("add", "/data/key/deep", value=1),
        op("add", "/list/5", value=1),
        op("add", "/list/1_0", value=1),
        op("remove", "/absent"),
        op("remove", "/list/3"),
        op("remove", "/list/-4"),
        op("remove", "/list/-"),
        op("replace", "/list/-", value=1),
        op("replace", "", value=3),
        op("replace", "", value=None),
        op("move", "/x", **{"from": "/absent"}),
        op("move", "/x"),
        op("copy", "/x", **{"from": "/list/9"}),
        op("test", "/data/key", value="other"),
        op("test", "/data/key"),
        op("test", "/list/9", value=None),
        op("frobnicate", "/x"),
        {"path": "/x"},
        {"op": "add", "value": 1},
        None,
    ],
    ids=str,
)
def test_an_operation_that_cannot_be_carried_out_is_rejected(operation: Any) -> None:
    refusal = refused(orjson.dumps([operation]))

    assert (refusal.code, refusal.reason, refusal.message) == (422, "Invalid", REJECTED)


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, 1.0), (1, True), (0, False), ({}, []), ({"a": 1}, {"a": 1, "b": 2}), ([1, 2], [2, 1]), ("", None)],
    ids=str,
)
def test_values_that_are_written_differently_are_not_equal(left: Any, right: Any) -> None:
    operations = [op("add", "/tested", value=left), op("test", "/tested", value=right)]

    assert refused(orjson.dumps(operations)).message == REJECTED


@pytest.mark.parametrize(("digits", "equal"), [(b"1.5", True), (b"1.50", False), (b"15e-1", False)])
def test_a_number_of_the_object_is_compared_by_its_digits(digits: bytes, *, equal: bool) -> None:
    body = b'[{"op":"test","path":"/spec/ratio","value":%b}]' % digits
    document = {"spec": {"ratio": 1.5}}

    if equal:
        assert json_patched(document, body).document == document
    else:
        with pytest.raises(Refusal):
            json_patched(document, body)


def test_a_test_of_the_whole_object_does_not_mind_the_order_of_keys() -> None:
    reordered = dict(reversed(DOCUMENT.items()))

    assert patched(op("test", "", value=reordered)) == DOCUMENT


def test_null_and_absent_are_equal() -> None:
    assert patched(op("test", "/null"), op("test", "/absent", value=None)) == DOCUMENT


def test_a_copy_and_its_origin_change_apart() -> None:
    result = patched(
        op("copy", "/copied", **{"from": "/data"}),
        op("add", "/copied/key", value="of the copy"),
        op("add", "/data/key", value="of the origin"),
    )

    assert result["copied"]["key"] == "of the copy"
    assert result["data"]["key"] == "of the origin"


def test_a_value_of_the_patch_can_be_changed_by_a_later_operation() -> None:
    result = patched(
        op("add", "/a", value={"list": []}),
        op("copy", "/b", **{"from": "/a"}),
        op("add", "/a/list/-", value=1),
    )

    assert (result["a"], result["b"]) == ({"list": [1]}, {"list": []})


def test_the_whole_object_can_be_replaced() -> None:
    assert patched(op("replace", "", value={"a": 1}), op("add", "/b", value=2)) == {"a": 1, "b": 2}


def test_a_list_instead_of_the_object_is_invalid() -> None:
    refusal = refused(orjson.dumps([op("replace", "", value=[{"a": "<"}])]))

    assert refusal.code == 422
    assert refusal.message.startswith(
        r""" "" is invalid: patch: Invalid value: "[{\"a\":\"\\u003c\"}]": couldn't get version/kind; """
        "json parse error: json: cannot unmarshal array into Go value of type struct {"
    )


@pytest.mark.parametrize("body", [b"null", b"[]"])
def test_no_operations_change_nothing(body: bytes) -> None:
    assert json_patched(DOCUMENT, body).document == DOCUMENT


@pytest.mark.parametrize(
    ("body", "checked", "message"),
    [
        (b"{}", True, "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"),
        (b"[3]", True, "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"),
        (b'[{"op":3}]', True, "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string"),
        (b"[", True, "error decoding patch: unexpected end of JSON input"),
        (b"{}", False, "json: cannot unmarshal object into Go value of type jsonpatch.Patch"),
        (b"[3]", False, "json: cannot unmarshal number into Go value of type jsonpatch.Operation"),
        (b"[", False, "unexpected end of JSON input"),
    ],
)  # fmt: skip
def test_a_body_that_is_no_list_of_operations_is_a_bad_request(
    body: bytes,
    checked: bool,  # noqa: FBT001
    message: str,
) -> None:
    refusal = refused(body, checked=checked)

    assert (refusal.code, refusal.message) == (400, message)


def test_without_validation_an_operation_of_the_wrong_type_is_merely_rejected() -> None:
    assert refused(b'[{"op":3}]', checked=False).message == REJECTED


def test_more_operations_than_the_most_are_too_large() -> None:
    operation = op("test", "/kind", value="Thing")
    assert patched(*[operation] * MOST_OPERATIONS) == DOCUMENT

    refusal = refused(orjson.dumps([operation] * (MOST_OPERATIONS + 1)))

    assert (refusal.code, refusal.reason) == (413, "RequestEntityTooLarge")
    assert refusal.message.endswith("The allowed maximum operations in a JSON patch is 10000, got 10001")


def test_copies_may_add_up_to_so_much_only() -> None:
    big = op("add", "/big", value="x" * (MOST_COPIED // 2))
    copies = [op("copy", f"/copy{index}", **{"from": "/big"}) for index in range(2)]

    assert "copy0" in patched(big, copies[0])
    assert refused(orjson.dumps([big, *copies])).message == REJECTED


def test_copying_an_object_into_itself_ends_in_a_refusal() -> None:
    operations = [op("copy", "/data/key", **{"from": "/data"})] * 400

    assert refused(orjson.dumps(operations)).message == REJECTED


def test_a_pointer_has_so_many_steps_only() -> None:
    assert refused(orjson.dumps([op("test", "/x" * (MOST_STEPS + 1))])).message == REJECTED


def test_strict_validation_finds_unknown_and_duplicate_fields_of_operations() -> None:
    body = (
        b'[{"op":"test","path":"/kind","value":"Thing","op":"test"},'
        b'{"op":"add","path":"/x","value":{"a":[{"b":1,"b":2}]},"extra":{"c":1,"c":2},"extra":1}]'
    )

    assert json_patched(DOCUMENT, body).problems == (
        'json patch duplicate field "[0].op"',
        'json patch duplicate field "[1].value.a[0].b"',
        'json patch unknown field "[1].extra"',
    )
    assert json_patched(DOCUMENT, body, checked=False).problems == ()
