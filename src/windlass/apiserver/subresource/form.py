"""What is sent to be done rather than to be kept: a Binding, an Eviction; and what is answered to it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from windlass.apiserver import admission
from windlass.apiserver.builtin import BuiltinKind
from windlass.apiserver.decode import builtin_types, decode
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.answer import written
from windlass.apiserver.verb.identity import check_namespace

if TYPE_CHECKING:
    from windlass.api import Kind
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


def read_form(operation: Operation, kind: Kind, options: WriteOptions) -> Object:
    """The body of a request, which admission has seen.

    Raises:
        Refusal: 400, it cannot be read or belongs elsewhere; 403 or 404, its namespace takes nothing new.
    """
    call = operation.call
    content_type = call.headers.get("content-type", "")
    decoded = decode(call.body, content_type, kind, builtin_types(), options.validation)
    call.warnings.extend(decoded.warnings)
    obj = decoded.object
    obj.setdefault("metadata", {})
    check_namespace(operation, obj)
    form = operation._replace(resource=replace(operation.resource, kind=kind, traits=_traits(kind)))
    admission.mutate(form, obj, None)
    admission.validate(form, obj, None)
    return obj


@cache
def _traits(kind: Kind) -> BuiltinTraits:
    """What is particular to a form: those who admit it may change it."""
    return BuiltinTraits(BuiltinKind(kind=kind, singular="", definition="", verbs=frozenset({"create"})))


def connect(operation: Operation, kind: str, options: Object) -> None:
    """Let others judge a connection to an object, which these options describe.

    Raises:
        Refusal: what a webhook says.
    """
    named = replace(operation.resource.kind, group="", version="v1", name=kind)
    admission.connecting(operation, named, {"kind": kind, "apiVersion": "v1", **options})


def check_name(operation: Operation, obj: Object) -> None:
    """Refuse what names another object than the path.

    Raises:
        Refusal: 400.
    """
    if obj["metadata"].get("name", "") != operation.route.name:
        raise Refusal.bad_request(f"name in URL does not match name in {obj['kind']} object")


def done(operation: Operation) -> Reply:
    """201: what was sent has been done."""
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}
    return written(operation.form, operation.call, status, 201)
