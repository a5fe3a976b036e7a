"""The documents that the API server and a webhook exchange."""

from __future__ import annotations

import base64
import inspect
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.api import Kind, Unconverted, Untyped, plural
from windlass.controller import plain_message
from windlass.errors import UndecodableError
from windlass.webhook.patch import json_patch
from windlass.webhook.rebase import rebased
from windlass.webhook.request import AdmissionRequest
from windlass.webhook.verdict import Verdict

if TYPE_CHECKING:
    from windlass.api import Json, Resource
    from windlass.webhook.declare import Webhook

VERIFIER: Final = "windlass-verify"
"""The field manager of the dry runs by which `windlass deploy` sees which webhooks are called."""
_INVALID: Final = 422


async def answer_review(webhook: Webhook[Any], body: bytes, *, skip_unconverted: bool = False) -> bytes:
    """The AdmissionReview that answers another one.

    With `skip_unconverted` an object that could not be converted passes without the function being asked to
    create or update it: that is judged in the version in which it was written. As `old` it is none.

    An object that cannot be read is refused, in words that name the field; what the function raises is
    raised, and `failure` decides what becomes of the request.

    Raises:
        UndecodableError: the body is no AdmissionReview.
    """
    review = _read(body)
    request: Json = review["request"]
    if skip_unconverted:
        if _is_unconverted(request.get("oldObject")) and request.get("object") is not None:
            request["oldObject"] = None
        if _is_unconverted(request.get("object")):
            return _answer(webhook, review, Verdict.allow())
    try:
        asked = AdmissionRequest.from_wire(_read_as(webhook, request), request)
    except UndecodableError as error:
        verdict = Verdict[Any].deny(str(error), code=_INVALID, reason="Invalid")
    else:
        found = webhook(asked)
        verdict = await found if inspect.isawaitable(found) else found
    return _answer(webhook, review, verdict)


def _answer(webhook: Webhook[Any], review: Json, verdict: Verdict[Any]) -> bytes:
    response = _response(webhook, review["request"], verdict)
    return orjson.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})


def _is_unconverted(obj: Json | None) -> bool:
    metadata: Json = (obj or {}).get("metadata") or {}
    return Unconverted.of(metadata.get("annotations")) is not None


def _read(body: bytes) -> Json:
    try:
        review: Any = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UndecodableError(f"a review is JSON, and this is not: {error}") from error
    if not isinstance(review, dict) or not isinstance(review.get("request"), dict):
        raise UndecodableError("a review has a `request`, and this has none")
    if review.get("kind") != "AdmissionReview":
        raise UndecodableError(f"a {review.get('kind')} is no AdmissionReview")
    found: Json = review
    return found


def _read_as(webhook: Webhook[Any], request: Json) -> type[Resource]:
    """The type of an object; a subresource may have a kind of its own, such as the Eviction of a pod."""
    concerned: Json = request.get("object") or request.get("oldObject") or {}
    known, name, stated = webhook.reads.__kind__, concerned.get("kind"), concerned.get("apiVersion", "")
    if not webhook.options.subresource or not name or (name, stated) == (known.name, known.api_version):
        return webhook.reads
    group, _, version = stated.rpartition("/")
    return Untyped.of(Kind(group, version, name, plural(name), known.namespaced))


def _notes(webhook: Webhook[Any], request: Json) -> list[str]:
    """The warning that tells a dry run of the verifier that the webhook was called."""
    manager = (request.get("options") or {}).get("fieldManager")
    return [f"{VERIFIER}: {webhook.name}"] if request.get("dryRun") and manager == VERIFIER else []


def _response(webhook: Webhook[Any], request: Json, verdict: Verdict[Any]) -> Json:
    response: Json = {"uid": request.get("uid", ""), "allowed": verdict.allowed}
    warnings = [*verdict.warnings, *_notes(webhook, request)]
    if not verdict.allowed:
        response["status"] = _status(webhook, request, verdict)
    if verdict.changed is not None:
        response |= _patched(webhook, request, verdict.changed.to_wire())
    if warnings:
        response["warnings"] = [plain_message(each) for each in warnings]
    if verdict.audit:
        response["auditAnnotations"] = dict(verdict.audit)
    return response


def _status(webhook: Webhook[Any], request: Json, verdict: Verdict[Any]) -> Json:
    """Why a request is refused, as the API server passes it on."""
    message = plain_message(verdict.message)
    status: Json = {"code": verdict.code, "message": message, "reason": verdict.reason}
    if verdict.causes:
        causes = [
            {"reason": each.reason, "field": each.field, "message": each.message} for each in verdict.causes
        ]
        kind = webhook.of.__kind__
        status["details"] = {
            "name": request.get("name", ""),
            "group": kind.group,
            "kind": kind.name,
            "causes": causes,
        }
    return {name: value for name, value in status.items() if value}


def _patched(webhook: Webhook[Any], request: Json, after: Json) -> Json:
    """The patch of what changed since we read the object; whatever else stands on the wire stays as it is."""
    if not webhook.mutates:
        raise TypeError(f"{webhook.name} validates, and so cannot change an object")
    if request.get("object") is None:
        raise TypeError(f"{webhook.name} would change an object that is to be deleted")
    wire: Json = request["object"]
    patch = json_patch(wire, rebased(wire, _read_as(webhook, request).from_wire(wire).to_wire(), after))
    if not patch:
        return {}
    return {"patchType": "JSONPatch", "patch": base64.b64encode(orjson.dumps(patch)).decode()}
