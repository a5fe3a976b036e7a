"""patch: the three forms of a patch, and server-side apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver import admission
from windlass.apiserver.patch import Patched, json_patched, merge_patched, strategic_patched
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.apply import apply
from windlass.apiserver.verb.identity import check_identity
from windlass.apiserver.verb.manage import manage_update
from windlass.apiserver.verb.options import APPLY, WriteOptions, write_options
from windlass.apiserver.verb.update import change

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call, Reply
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

JSON_PATCH: Final = "application/json-patch+json"
MERGE: Final = "application/merge-patch+json"
STRATEGIC: Final = "application/strategic-merge-patch+json"
_FORMS: Final = (JSON_PATCH, MERGE, STRATEGIC, APPLY)
_OF_CUSTOM: Final = (JSON_PATCH, MERGE, APPLY)


async def patch(operation: Operation) -> Reply:
    """Change a part of an object; an apply creates what does not exist."""
    form = patch_form(operation.call, custom=operation.resource.custom)
    options = write_options(operation.call, "PatchOptions", applying=form == APPLY)
    if form == APPLY:
        return await apply(operation, options)
    resource = operation.resource
    record = operation.record()
    old = resource.object(record)
    # What a patch leaves shares parts with what it was made of, and is changed in place afterwards.
    obj = revised(operation, form, resource.object(record), options)
    manage_update(operation, old, obj, options)
    admission.mutate(operation, obj, old)
    _check_version(operation, obj)
    return answer_object(operation, change(operation, record, old, obj, options))


def patch_form(call: Call, *, custom: bool) -> str:
    """Which form of patch a request has.

    Raises:
        Refusal: 415, none that the resource takes.
    """
    said = call.headers.get("content-type", "")
    form = said.split(";")[0]
    known = _OF_CUSTOM if custom else _FORMS
    if form in known:
        return form
    if not custom and not any(part.split(";")[0].strip() in known for part in said.split(",")):
        raise Refusal(415, "415: Unsupported Media Type", details={})  # no route takes any of them
    message = "the body of the request was in an unknown format - accepted media types include: "
    raise Refusal(415, message + ", ".join(known))


def revised(operation: Operation, form: str, old: Object, options: WriteOptions) -> Object:
    """What a patch makes of an object.

    Raises:
        Refusal: 400 or 422, the patch cannot be read or carried out, or leaves something else.
    """
    resource = operation.resource
    outcome = _patched(form, old, operation, options)
    said = resource.custom and operation.route.subresource != "scale"
    if said:
        outcome.check_kind()
    obj = resource.traits.patched(resource, outcome, operation.call, options.validation)
    check_identity(operation, obj)
    return obj


def _check_version(operation: Operation, obj: Object) -> None:
    """Refuse a custom resource that does not say its version any more.

    Raises:
        Refusal: 500.
    """
    if operation.resource.custom and not obj.get("apiVersion", "").rpartition("/")[2]:
        raise Refusal.internal("Object 'apiVersion' is missing in 'object has no apiVersion field'")


def _patched(form: str, old: Object, operation: Operation, options: WriteOptions) -> Patched:
    """What a patch makes of an object, as JSON."""
    body, checked = operation.call.body, options.validation != "Ignore"
    if form == JSON_PATCH:
        return json_patched(old, body, checked=checked)
    if form == MERGE:
        return merge_patched(old, body, checked=checked)
    return strategic_patched(old, body, operation.resource.shape, checked=checked)
