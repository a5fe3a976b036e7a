"""What becomes of the answers of admission webhooks that are no answers, or patches that cannot be."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from aiohttp import web

from hooking import allowed, denied

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract import Object
    from hooking import Hooked

V1 = "admission.k8s.io/v1"
UNREAD = "failed to call webhook: couldn't get version/kind; json parse error: "
HEADER = (
    r'into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; '
    r'Kind string "json:\"kind,omitempty\"" }'
)
FIELD = "failed to call webhook: json: cannot unmarshal {} into Go struct field AdmissionResponse.response.{}"
UNKNOWN_KIND = 'failed to call webhook: no kind "{}" is registered for version "{}" in scheme "pkg/runtime/scheme.go:111"'
CONVERTED = "failed to call webhook: converting ({}) to (v1.AdmissionReview): unknown conversion"


def raw(body: Any, status: int = 200, content_type: str = "application/json") -> Any:
    """A webhook that answers this, whatever it is asked."""
    data = body if isinstance(body, bytes) else orjson.dumps(body)
    return lambda _request: web.Response(body=data, status=status, content_type=content_type)


def review(response: Any = None, **header: Any) -> Any:
    """A webhook that answers a review with this response."""
    return raw({"kind": "AdmissionReview", "apiVersion": V1, "response": response, **header})


def patching(*operations: Object) -> Any:
    """The response of a webhook that patches."""
    return allowed(patch=list(operations))


def op(name: str, path: str, **more: Any) -> Object:
    return {"op": name, "path": path, **more}


async def said(hooked: Hooked, answers: Mapping[str, Any], phase: str) -> dict[str, str]:
    """What the server says of a webhook that gives each of these answers, without what it always says."""
    found = {}
    async with hooked.configured(phase, hooked.hook("/hook")):
        for name, answer in answers.items():
            hooked.hooks.respond("/hook", answer)
            status = (await hooked.create()).refused(500, "InternalError")
            message = status["message"].removeprefix("Internal error occurred: ")
            assert status["details"] == {"causes": [{"message": message}]}
            asked = hooked.hooks.requests("/hook")[-1]["uid"]
            message = message.replace(asked, "UID")
            found[name] = message.removeprefix('failed calling webhook "hook.example.com": ')
    return found


@pytest.mark.parametrize("phase", ["mutating", "validating"])
async def test_an_answer_that_is_no_review_fails_the_call(hooked: Hooked, phase: str) -> None:
    absent = "received invalid webhook response: webhook response was absent"
    wrong_uid = 'received invalid webhook response: expected response.uid="UID", got "{}"'
    empty = (
        "failed to call webhook: 0-length response with status code: {} and content type: application/json"
    )
    cases = {
        "nothing": (raw(b""), empty.format(200)),
        "no content": (raw(b"", 204), empty.format(204)),
        "text": (raw(b"nope"), f"{UNREAD}json: cannot unmarshal string {HEADER}"),
        "array": (raw([]), f"{UNREAD}json: cannot unmarshal array {HEADER}"),
        "number": (raw(5), f"{UNREAD}json: cannot unmarshal number {HEADER}"),
        "null": (raw(b"null"), absent),
        "more": (raw(b"{}x"), f"{UNREAD}invalid character 'x' after top-level value"),
        "kind": (
            raw({"kind": 5}),
            f"{UNREAD}json: cannot unmarshal number into Go struct field .kind of type string",
        ),
        "no response": (review(), absent),
        "another response": (
            review("x"),
            (
                "failed to call webhook: json: cannot unmarshal string into Go struct field "
                "AdmissionReview.response of type v1.AdmissionResponse"
            ),
        ),
        "another version": (review({}, apiVersion=f"{V1}beta1"), CONVERTED.format("v1beta1.AdmissionReview")),
        "unknown version": (
            review({}, apiVersion="admission.k8s.io/v9"),
            UNKNOWN_KIND.format("AdmissionReview", "admission.k8s.io/v9"),
        ),
        "another kind": (review({}, kind="Foo"), UNKNOWN_KIND.format("Foo", V1)),
        "status": (
            raw({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "boo"}),
            CONVERTED.format("v1.Status"),
        ),
        "no uid": (review({"allowed": True}), wrong_uid.format("")),
        "another uid": (review({"uid": "x"}), wrong_uid.format("x")),
    }

    found = await said(hooked, {name: answer for name, (answer, _) in cases.items()}, phase)

    assert found == {name: words for name, (_, words) in cases.items()}


async def test_a_review_must_say_that_it_is_one(hooked: Hooked) -> None:
    def unnamed(request: Object) -> web.Response:
        return web.json_response({"response": {"uid": request["uid"], "allowed": True}})

    expected = f"expected webhook response of {V1}, Kind=AdmissionReview, got /, Kind="

    found = await said(hooked, {"unnamed": unnamed}, "mutating")

    assert found == {"unnamed": f"received invalid webhook response: {expected}"}


async def test_a_response_whose_fields_have_other_types_fails_the_call(hooked: Hooked) -> None:
    cases = {
        "allowed": ({"allowed": "yes"}, FIELD.format("string", "allowed of type bool")),
        "uid": ({"uid": 5}, FIELD.format("number", "uid of type types.UID")),
        "patch": ({"patch": 5}, FIELD.format("number", "patch of type []uint8")),
        "base64": ({"patch": "!!!"}, "failed to call webhook: illegal base64 data at input byte 0"),
        "warnings": ({"warnings": "text"}, FIELD.format("string", "warnings of type []string")),
        "warning": ({"warnings": [1]}, FIELD.format("number", "warnings of type string")),
        "annotation": (
            {"auditAnnotations": {"a": 1}},
            FIELD.format("number", "auditAnnotations of type string"),
        ),
        "status": ({"status": "no"}, FIELD.format("string", "status of type v1.Status")),
        "code": (
            {"status": {"code": "x"}},
            (
                "failed to call webhook: json: cannot unmarshal string into Go struct field "
                "Status.response.status.code of type int32"
            ),
        ),
    }

    found = await said(hooked, {name: response for name, (response, _) in cases.items()}, "mutating")

    assert found == {name: words for name, (_, words) in cases.items()}


async def test_a_failure_says_what_a_go_client_says_of_its_code(hooked: Hooked) -> None:
    server = 'an error on the server ("{}") has prevented the request from succeeding'
    failure = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 409}
    cases = {
        "301": (
            raw(b"", 301),
            "the server responded with the status code 301 but did not return more information",
        ),
        "400": (raw(b"x", 400), "the server rejected our request for an unknown reason"),
        "401": (raw(b"x", 401), "the server has asked for the client to provide credentials"),
        "403": (raw(b"x", 403), "unknown"),
        "403 text": (raw(b" no ", 403, "text/plain"), "no"),
        "404": (raw(b"x", 404), "the server could not find the requested resource"),
        "405": (raw(b"x", 405), "the server does not allow this method on the requested resource"),
        "406": (
            raw(b"x", 406),
            "the server was unable to respond with a content type that the client supports",
        ),
        "409": (raw(b"x", 409), "the server reported a conflict"),
        "418": (
            raw(b"x", 418),
            "the server responded with the status code 418 but did not return more information",
        ),
        "422": (raw(b"x", 422), "the server rejected our request due to an error in our request"),
        "429": (
            raw(b"x", 429),
            "the server has received too many requests and has asked us to try again later",
        ),
        "500": (raw(b"x", 500), server.format("unknown")),
        "500 text": (raw(b'a "b"\n', 500, "text/plain"), server.format(r"a \"b\"")),
        "500 status": (raw({**failure, "message": "boo"}, 500), "boo"),
        "500 silent status": (raw(failure, 500), ""),
        "503": (raw(b"x", 503), "the server is currently unable to handle the request"),
        "504": (
            raw(b"x", 504),
            (
                "the server was unable to return a response in the time allotted, "
                "but may still be processing the request"
            ),
        ),
    }

    found = await said(hooked, {name: answer for name, (answer, _) in cases.items()}, "validating")

    assert found == {name: f"failed to call webhook: {words}" for name, (_, words) in cases.items()}


async def test_a_patch_and_its_type_belong_together(hooked: Hooked) -> None:
    invalid = "received invalid webhook response: "
    patch = base64.b64encode(b"[]").decode()
    cases = {
        "no type": ({"patch": patch}, f"{invalid}webhook returned response.patch but not response.patchType"),
        "no patch": (
            {"patchType": "JSONPatch"},
            f"{invalid}webhook returned response.patchType but not response.patch",
        ),
        "empty type": (
            {"patch": patch, "patchType": ""},
            f'{invalid}webhook returned invalid response.patchType of ""',
        ),
        "another type": (
            {**patching(op("add", "/data", value={})), "patchType": "MergePatch"},
            'unsupported patch type "MergePatch"',
        ),
    }
    answers = {name: {"allowed": True, **response} for name, (response, _) in cases.items()}

    found = await said(hooked, answers, "mutating")
    judged = await said(hooked, {name: answers[name] for name in ("no type", "no patch")}, "validating")

    assert found == {name: words for name, (_, words) in cases.items()}
    assert judged == {
        "no type": f"{invalid}validating webhook may not return response.patch",
        "no patch": f"{invalid}validating webhook may not return response.patchType",
    }


async def test_a_patch_that_cannot_be_carried_out_says_why(hooked: Hooked) -> None:
    undecodable = "received undecodable patch in webhook response: "
    cases: dict[str, tuple[Object, str]] = {
        "no list": (
            {"patch": {"op": "add"}},
            f"{undecodable}json: cannot unmarshal object into Go value of type jsonpatch.Patch",
        ),
        "unknown": ({"patch": [op("nope", "/data")]}, "Unexpected kind: nope"),
        "no path": ({"patch": [{"op": "add"}]}, "add operation failed to decode path: missing value"),
        "missing": (
            {"patch": [op("add", "/a/b/c", value=1)]},
            'add operation does not apply: doc is missing path: "/a/b/c": missing value',
        ),
        "removed": (
            {"patch": [op("remove", "/nope")]},
            "error in remove for path: '/nope': Unable to remove nonexistent key: nope: missing value",
        ),
        "replaced": (
            {"patch": [op("replace", "/a/b", value=1)]},
            "replace operation does not apply: doc is missing path: /a/b: missing value",
        ),
        "moved": (
            {"patch": [op("move", "/x", **{"from": "/nope"})]},
            "error in move for path: 'nope': Unable to remove nonexistent key: nope: missing value",
        ),
        "copied": (
            {"patch": [op("copy", "/x", **{"from": "/a/b"})]},
            "copy operation does not apply: doc is missing from path: /a/b: missing value",
        ),
        "tested": (
            {"patch": [op("test", "/metadata/name", value="y")]},
            "testing value /metadata/name failed: test failed",
        ),
        "index": (
            {
                "patch": [
                    op("add", "/metadata/finalizers", value=[]),
                    op("add", "/metadata/finalizers/1", value="a"),
                ]
            },
            (
                "error in add for path: '/metadata/finalizers/1': "
                "Unable to access invalid index: 1: invalid index referenced"
            ),
        ),
        "no index": (
            {
                "patch": [
                    op("add", "/metadata/finalizers", value=[]),
                    op("add", "/metadata/finalizers/a", value="a"),
                ]
            },
            (
                "error in add for path: '/metadata/finalizers/a': value was not a proper array index: 'a': "
                'strconv.Atoi: parsing "a": invalid syntax'
            ),
        ),
    }

    found = await said(hooked, {name: allowed(**answer) for name, (answer, _) in cases.items()}, "mutating")

    assert found == {name: words for name, (_, words) in cases.items()}


async def test_a_patch_must_leave_an_object_of_the_kind(hooked: Hooked) -> None:
    cases = {
        "list": (
            op("replace", "", value=[]),
            f"couldn't get version/kind; json parse error: json: cannot unmarshal array {HEADER}",
        ),
        "type": (
            op("add", "/data", value="text"),
            "json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string",
        ),
        "version": (
            op("add", "/apiVersion", value="v2"),
            'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
        ),
    }

    found = await said(hooked, {name: patching(each) for name, (each, _) in cases.items()}, "mutating")

    assert found == {name: words for name, (_, words) in cases.items()}


async def test_a_patch_may_not_make_another_kind_of_an_object(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", patching(op("add", "/kind", value="Secret")))

    async with hooked.mutating(hooked.hook("/hook")):
        reply = await hooked.create()

    assert (reply.status, reply.body.get("reason")) == (500, None)
    assert reply.body["message"] == "converting (v1.Secret) to (core.ConfigMap): unknown conversion"


@pytest.mark.parametrize(
    ("operation", "status", "words"),
    [
        (
            op("add", "/metadata/namespace", value="default"),
            400,
            "the namespace of the provided object does not match the namespace sent on the request",
        ),
        (
            op("remove", "/metadata"),
            422,
            'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
        ),
        (
            op("add", "/metadata/resourceVersion", value="5"),
            500,
            "resourceVersion should not be set on objects to be created",
        ),
    ],
    ids=["namespace", "metadata", "version"],
)
async def test_what_a_patch_leaves_is_checked_as_what_a_client_sends(
    hooked: Hooked, operation: Object, status: int, words: str
) -> None:
    hooked.hooks.respond("/hook", patching(operation))

    async with hooked.mutating(hooked.hook("/hook")):
        reply = await hooked.create()

    assert (reply.status, reply.body["message"]) == (status, words)


async def test_a_patch_may_rename_an_object_but_not_choose_what_the_server_chooses(hooked: Hooked) -> None:
    hooked.hooks.respond(
        "/hook",
        patching(
            op("add", "/metadata/name", value="renamed"),
            op("remove", "/metadata/namespace"),
            op("add", "/metadata/uid", value="mine"),
            op("add", "/metadata/creationTimestamp", value="2001-01-01T00:00:00Z"),
            op("add", "/nosuch", value="field"),
        ),
    )

    async with hooked.mutating(hooked.hook("/hook")):
        created = (await hooked.create()).ok()

    meta = created["metadata"]
    assert (meta["name"], meta["namespace"]) == ("renamed", hooked.namespace)
    assert meta["uid"] != "mine"
    assert not meta["creationTimestamp"].startswith("2001")
    assert "nosuch" not in created


async def test_a_review_may_be_written_in_yaml_and_have_unknown_fields(hooked: Hooked) -> None:
    def answer(request: Object) -> web.Response:
        response = f"{{allowed: true, uid: {request['uid']}, nosuch: 5}}"
        return web.Response(text=f"kind: AdmissionReview\napiVersion: {V1}\nresponse: {response}")

    hooked.hooks.respond("/hook", answer)

    async with hooked.mutating(hooked.hook("/hook")):
        (await hooked.create()).ok()


async def test_a_refusal_carries_the_details_of_the_webhook(hooked: Hooked) -> None:
    details = {"name": "n", "causes": [{"reason": "r", "message": "m", "field": "f"}], "retryAfterSeconds": 3}
    hooked.hooks.respond("/hook", denied(code=422, reason="Invalid", message="no", details=details))

    async with hooked.validating(hooked.hook("/hook")):
        status = (await hooked.create()).refused(422, "Invalid")

    assert status["details"] == details
