"""From an AdmissionReview to its answer."""

from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest
from pydantic import BaseModel, ValidationError

from widget import Widget
from windlass.api import ObjectMeta
from windlass.errors import UndecodableError
from windlass.kinds.core.v1 import ConfigMap, Pod
from windlass.schema import Fault
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Verdict,
    Webhook,
    answer_review,
    mutating,
    validating,
)

Object = dict[str, Any]


@mutating(Widget)
def painted(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Give a widget a color, and tell."""
    widget = request.object
    widget.spec.color = widget.spec.color or "red"
    return Verdict.change(widget, warnings=["it is red now"], audit={"painted": "red"})


@validating(Widget, verbs=("create", "update", "delete"))
async def kept(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse that a widget shrinks, and that a large one is deleted."""
    if request.operation == "DELETE" and request.object.spec.size > 1:
        return Verdict.deny("large ones are kept", code=409, reason="Conflict")
    if request.old is not None and request.old.spec.size > request.object.spec.size:
        return Verdict.deny(f"{request.user.name} may not shrink it")
    return Verdict.allow(warnings=["looked at"])


def _widget(**spec: Any) -> Object:
    return {"apiVersion": "test.windlass.dev/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec}


async def _asked(webhook: Webhook[Any], **request: Any) -> Object:
    review = {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {"uid": "7", "operation": "CREATE", "userInfo": {"username": "jo"}, **request},
    }
    answer = orjson.loads(await answer_review(webhook, orjson.dumps(review)))
    assert answer["apiVersion"] == "admission.k8s.io/v1"
    assert answer["kind"] == "AdmissionReview"
    response: Object = answer["response"]
    assert response["uid"] == "7"
    return response


def _patch(response: Object) -> Any:
    assert response["patchType"] == "JSONPatch"
    return orjson.loads(base64.b64decode(response["patch"]))


async def test_a_change_is_a_patch_of_what_changed() -> None:
    response = await _asked(painted, object=_widget(size=2, unknown=[1]))

    assert response["allowed"]
    assert _patch(response) == [{"op": "add", "path": "/spec/color", "value": "red"}]
    assert response["warnings"] == ["it is red now"]
    assert response["auditAnnotations"] == {"painted": "red"}


async def test_a_change_that_changes_nothing_is_no_patch() -> None:
    response = await _asked(painted, object=_widget(color="blue"))

    assert "patch" not in response
    assert "patchType" not in response


async def test_a_refusal_has_words_and_a_code() -> None:
    response = await _asked(kept, operation="UPDATE", object=_widget(size=1), oldObject=_widget(size=2))

    assert not response["allowed"]
    assert response["status"] == {"code": 403, "message": "jo may not shrink it"}


@validating(Widget)
def quoting(_: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Refuse in the words of pydantic."""
    try:
        Sized.model_validate({"size": "hunter2"})
    except ValidationError as error:
        return Verdict.deny(str(error), warnings=[str(error), "see https://docs.test/widgets#size"])
    return Verdict.allow()


class Sized(BaseModel):
    """What not everything fits."""

    size: int


async def test_a_refusal_in_the_words_of_pydantic_has_no_link_and_no_value() -> None:
    response = await _asked(quoting, object=_widget())

    text = orjson.dumps(response).decode()
    assert "unable to parse string as an integer" in response["status"]["message"]
    assert "errors.pydantic.dev" not in text
    assert "hunter2" not in text
    assert response["warnings"][1] == "see https://docs.test/widgets#size"


async def test_of_a_deletion_the_object_is_the_one_that_goes() -> None:
    response = await _asked(kept, operation="DELETE", object=None, oldObject=_widget(size=2))

    assert response["status"] == {"code": 409, "message": "large ones are kept", "reason": "Conflict"}


async def test_what_may_pass_may_be_warned_of() -> None:
    response = await _asked(kept, object=_widget())

    assert response == {"uid": "7", "allowed": True, "warnings": ["looked at"]}


async def test_an_object_that_cannot_be_read_is_refused_with_its_field() -> None:
    response = await _asked(painted, object=_widget(size="large"))

    assert response["status"]["code"] == 422
    assert "spec.size" in response["status"]["message"]


@pytest.mark.parametrize(
    ("subresource", "operation", "obj"),
    [
        ("exec", "CONNECT", {"apiVersion": "v1", "kind": "PodExecOptions", "command": ["sh"]}),
        ("eviction", "CREATE", {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "a"}}),
    ],
)
async def test_a_subresource_that_has_a_kind_of_its_own_is_judged_as_it_stands(
    subresource: str, operation: str, obj: Object
) -> None:
    @mutating(Pod, verbs=("connect", "create"), options=HookOptions(subresource=subresource))
    def noted(request: AdmissionRequest[Any]) -> Verdict[Any]:
        request.object["note"] = f"{request.operation} {request.object.kind}"
        return Verdict.change(request.object)

    response = await _asked(noted, operation=operation, object=obj, subResource=subresource)

    note = f"{operation} {obj['kind']}"
    assert _patch(response) == [{"op": "add", "path": "/note", "value": note}]


async def test_an_object_of_another_kind_is_refused() -> None:
    response = await _asked(kept, object=_widget() | {"kind": "Gadget"})

    assert (
        response["status"]["message"]
        == "a Gadget of test.windlass.dev/v1 is not a Widget.test.windlass.dev/v1"
    )


@pytest.mark.parametrize(("of", "named"), [(Widget, "Widget.test.windlass.dev"), (ConfigMap, "ConfigMap")])
def test_a_kind_without_a_group_is_named_alone_when_it_is_invalid(of: type[Any], named: str) -> None:
    obj = of(metadata=ObjectMeta(generate_name="a-"))

    message = Verdict.invalid(obj, [Fault.required("spec.size")]).message

    assert message == f'{named} "a-" is invalid: spec.size: Required value'


async def test_who_validates_cannot_change() -> None:
    @validating(Widget)
    def meddling(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
        return Verdict.change(request.object)

    with pytest.raises(TypeError, match="cannot change"):
        await _asked(meddling, object=_widget())


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"kind": "Pod", "request": {}}'])
async def test_what_is_no_review_is_told(body: bytes) -> None:
    with pytest.raises(UndecodableError, match=r"a review|no AdmissionReview"):
        await answer_review(painted, body)


def test_names_and_paths_follow_from_the_kind() -> None:
    assert (painted.name, painted.path) == (
        "mutate-v1.widgets.test.windlass.dev",
        "/mutate-test-windlass-dev-v1-widget",
    )
    assert kept.operations == ("CREATE", "UPDATE", "DELETE")
