"""token: a service account's credentials, made on request."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind
from windlass.apiserver import admission
from windlass.apiserver.access.token import AUDIENCES
from windlass.apiserver.builtin import BuiltinKind, library
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.review.answer import refuse_table
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.identity import place
from windlass.apiserver.verb.manage import manage_create
from windlass.apiserver.verb.options import write_options
from windlass.apiserver.world import timestamp
from windlass.schema import Fault

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_KIND: Final = Kind("authentication.k8s.io", "v1", "TokenRequest", "serviceaccounts", namespaced=True)
_DEFINITION: Final = "io.k8s.api.authentication.v1.TokenRequest"
_PLURALS: Final = {"Pod": "pods", "Secret": "secrets", "Node": "nodes"}


async def request_token(operation: Operation) -> Reply:
    """Make a token for a service account.

    Raises:
        Refusal: the request is invalid, or the account or what the token is to be bound to does not exist.
    """
    refuse_table(operation)
    form = operation._replace(resource=_as_request(operation.resource))
    request = _decoded(form)
    account = operation.resource.object(operation.record())
    _complete(form, request, account)
    admission.validate(form, request, None)
    spec = request["spec"]
    bound = _bound(operation, spec.get("boundObjectRef"))
    asked = timedelta(seconds=spec["expirationSeconds"])
    token = operation.gate.authenticator.account_tokens.issue(account, spec["audiences"], asked, bound)
    expiry = timestamp(operation.world.clock.now() + asked)
    request["status"] = {"token": token, "expirationTimestamp": expiry}
    return answer_object(form, request, 201)


@cache
def _traits() -> BuiltinTraits:
    verbs = frozenset({"create"})
    return BuiltinTraits(BuiltinKind(kind=_KIND, singular="", definition=_DEFINITION, verbs=verbs))


def _as_request(resource: Resource) -> Resource:
    """Service accounts as those who ask for tokens see them."""
    return replace(resource, kind=_KIND, shape=library().shape(_DEFINITION), traits=_traits())


def _decoded(form: Operation) -> Object:
    options = write_options(form.call, "CreateOptions")
    request = form.resource.traits.decode(form.resource, form.call.body, form.call, options.validation)
    place(form, request)
    manage_create(form, request, options)
    admission.mutate(form, request, None)
    name, expected = request["metadata"].get("name"), form.route.name
    if name and name != expected:
        fault = Fault.invalid("metadata.name", name, "must match the service account name if specified")
        raise Refusal.invalid(_KIND.group, _KIND.name, expected, [fault])
    return request


def _complete(form: Operation, request: Object, account: Object) -> None:
    """Fill in what the request leaves open, and check what it says."""
    meta, found = request["metadata"], account["metadata"]
    uid = meta.get("uid")
    if uid and uid != found["uid"]:
        why = (
            f"the UID in the token request ({uid}) does not match "
            f"the UID of the service account ({found['uid']})"
        )
        raise Refusal.conflict(_KIND.group, _KIND.name, found["name"], why)
    given = {key: value for key, value in meta.items() if key not in ("name", "namespace", "uid")}
    request["metadata"] = {
        "name": found["name"],
        "namespace": found["namespace"],
        "uid": found["uid"],
        "creationTimestamp": form.world.now(),
        **{key: value for key, value in given.items() if key != "creationTimestamp"},
    }
    if not request["spec"].get("audiences"):
        request["spec"]["audiences"] = list(AUDIENCES)
    faults = list(form.resource.traits.validate(request, None, ""))
    if faults:
        raise Refusal.invalid(_KIND.group, _KIND.name, "", faults)


def _bound(operation: Operation, reference: Object | None) -> dict[str, Object]:
    """The objects that a token is to die with, by the names that it has for them."""
    if reference is None:
        return {}
    group, _, version = reference.get("apiVersion", "").rpartition("/")
    kind, name = reference.get("kind", ""), reference.get("name", "")
    if group or kind not in _PLURALS:
        raise Refusal.bad_request(f"cannot bind token to object of type {group}/{version}, Kind={kind}")
    if not name:
        raise Refusal.bad_request("Name parameter required.")
    obj = _stored(operation, kind, name)
    if obj is None:
        raise Refusal.not_found("", _PLURALS[kind], name)
    account = operation.route.name
    if kind == "Pod" and obj["spec"].get("serviceAccountName") != account:
        raise Refusal.bad_request(
            f'cannot bind token for serviceaccount "{account}" to pod running '
            "with different serviceaccount name."
        )
    uid = reference.get("uid")
    if uid and uid != obj["metadata"]["uid"]:
        why = (
            f"the UID in the bound object reference ({uid}) does not match the UID in record. "
            "The object might have been deleted and then recreated"
        )
        raise Refusal.conflict("", kind, name, why)
    return {kind.lower(): obj, **_node(operation, kind, obj)}


def _node(operation: Operation, kind: str, obj: Object) -> dict[str, Object]:
    """The node of a pod, by its name alone where there is no such node."""
    name = obj["spec"].get("nodeName") if kind == "Pod" else None
    if not name:
        return {}
    return {"node": _stored(operation, "Node", name) or {"metadata": {"name": name}}}


def _stored(operation: Operation, kind: str, name: str) -> Object | None:
    key = name if kind == "Node" else f"{operation.route.namespace}/{name}"
    record = operation.world.store.collection(f"/{_PLURALS[kind]}").get(key)
    return None if record is None else record.object()
