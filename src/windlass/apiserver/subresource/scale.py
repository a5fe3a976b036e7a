"""scale: one number of a workload, in a form that all workloads share."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.builtin import BuiltinKind, library
from windlass.apiserver.decode import builtin_types, decode
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.table import CustomLayout
from windlass.apiserver.validation import validate
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.apply import configured
from windlass.apiserver.verb.configuration import read_config
from windlass.apiserver.verb.manage import manage_update
from windlass.apiserver.verb.options import APPLY, write_options
from windlass.apiserver.verb.patch import patch_form, revised
from windlass.apiserver.verb.read import check_version
from windlass.apiserver.verb.update import change, check_uid, replacement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Kind
    from windlass.apiserver.exchange import Call, Reply
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.scaling import Scaling
    from windlass.apiserver.table import Layout
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions
    from windlass.schema import Shape

Object = dict[str, Any]

_SHOWN: Final = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
_UNSET: Final = -(2**31)
"""What a Scale has as the wanted number where there is none, so that a write must bring one."""
_NO_VERSION: Final = "to proper version: request to convert CR to an invalid group/version: autoscaling/v1"
"""Why the real server lets nobody apply the Scale of a custom resource."""
_UNOWNED: Final = (
    "failed to create manager for existing fields: failed to convert live object "
    f"(/; autoscaling/v1, Kind=Scale) {_NO_VERSION}"
)
_BAD_REQUEST: Final = 400
_UNKNOWN: Final = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"'
_COLUMNS: Final = (
    {"name": "Desired", "type": "integer", "jsonPath": ".spec.replicas"},
    {"name": "Available", "type": "integer", "jsonPath": ".status.replicas"},
    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
)


async def scale(operation: Operation) -> Reply:
    """Read the Scale of an object, or change the object by it."""
    resource = operation.resource
    scaling = resource.traits.scaling(resource)
    form = operation._replace(resource=_as_scale(resource))
    match operation.route.verb:
        case "update":
            found = _update(operation, form, scaling)
        case "patch":
            found = _patch(operation, form, scaling)
        case _:
            check_version(operation)
            found = _scale(resource.object(operation.record()), scaling)
            if _wanted(found) == _UNSET:
                raise Refusal.internal(f'the spec replicas field "{scaling.path}" does not exist')
    return answer_object(form, found)


def _update(operation: Operation, form: Operation, scaling: Scaling) -> Object:
    options = write_options(operation.call, "UpdateOptions")
    new = replacement(form, options)
    old = operation.resource.object(operation.record())
    check_uid(operation, new, old)
    before = _owned_scale(old, scaling)
    manage_update(form, before, new, options)
    admission.mutate(form, new, before)
    return _put_into_force(operation, form, scaling, new, options)


def _patch(operation: Operation, form: Operation, scaling: Scaling) -> Object:
    kind = patch_form(operation.call, custom=operation.resource.custom)
    options = write_options(operation.call, "PatchOptions", applying=kind == APPLY)
    before = _owned_scale(operation.resource.object(operation.record()), scaling)
    if kind == APPLY:
        new = _applied(operation, form, before, options)
    else:
        new = revised(form, kind, before, options)
        manage_update(form, before, new, options)
    admission.mutate(form, new, before)
    return _put_into_force(operation, form, scaling, new, options)


def _applied(operation: Operation, form: Operation, before: Object, options: WriteOptions) -> Object:
    """What a configuration makes of a Scale; of that of a custom resource it can only leave everything."""
    custom = operation.resource.custom
    if custom and "managedFields" not in before["metadata"]:
        raise Refusal(500, _UNOWNED, "")
    config = read_config(form)
    new = configured(form, before, config, options)
    if custom and _unowned(new) != _unowned(before):
        raise Refusal(500, f"failed to convert new object ({config.subject}) {_NO_VERSION}", "")
    return new


def _unowned(found: Object) -> Object:
    metadata = {name: value for name, value in found["metadata"].items() if name != "managedFields"}
    return {**found, "metadata": metadata}


def _put_into_force(
    operation: Operation, form: Operation, scaling: Scaling, new: Object, options: WriteOptions
) -> Object:
    """Give an object the size that its new Scale says; the Scale that it has then.

    Whoever judges the write sees Scales again, made of the object as it is about to be stored.
    """

    def judge(obj: Object, old: Object | None) -> None:
        before = old and _scale(old, scaling)
        if before and _wanted(before) == _UNSET:
            before["spec"] = {}
        admission.validate(form, _scale(obj, scaling), before)

    resource = operation.resource
    record = operation.record()
    obj, old = resource.object(record), resource.object(record)
    _check(resource, new, old)
    if _wanted(new) == _UNSET:
        raise Refusal.bad_request(f'the spec replicas field "{scaling.path}" cannot be empty')
    scaling.resize(obj, _wanted(new))
    meta, sent = obj["metadata"], new["metadata"]
    if not resource.custom or sent.get("resourceVersion"):
        meta["resourceVersion"] = sent.get("resourceVersion", "")
    meta.pop("managedFields", None)
    if entries := scaling.ownership.to_parent(old, sent.get("managedFields", [])):
        meta["managedFields"] = entries
    whole = operation._replace(route=operation.route._replace(subresource=""), judge=judge)
    return _scale(change(whole, record, old, obj, options), scaling)


def _check(resource: Resource, new: Object, old: Object) -> None:
    """Refuse a Scale that a workload cannot be given; that of a custom resource is judged with the object."""
    if resource.custom:
        return
    name = old["metadata"]["name"]
    faults = list(validate("autoscaling/Scale", new, None, ""))
    if faults:
        raise Refusal.invalid("autoscaling", "Scale", name, faults)
    expected, found = new["metadata"].get("uid"), old["metadata"]["uid"]
    if expected and expected != found:
        why = f"Precondition failed: UID in precondition: {expected}, UID in object meta: {found}"
        raise Refusal.conflict(resource.kind.group, f"{resource.kind.plural}/scale", name, why)


def _owned_scale(obj: Object, scaling: Scaling) -> Object:
    """The Scale of an object with its owners."""
    found = _scale(obj, scaling)
    if entries := scaling.ownership.to_scale(obj):
        found["metadata"]["managedFields"] = entries
    return found


def _scale(obj: Object, scaling: Scaling) -> Object:
    size = scaling.size(obj)
    wanted = _UNSET if size.wanted is None else size.wanted
    status = {"replicas": size.actual}
    return {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {name: obj["metadata"][name] for name in _SHOWN if name in obj["metadata"]},
        "spec": {"replicas": wanted} if wanted else {},
        "status": status | ({"selector": size.selector} if size.selector else {}),
    }


def _wanted(found: Object) -> int:
    number: int = found["spec"].get("replicas", 0)
    return number


def _as_scale(resource: Resource) -> Resource:
    """The resource as if its objects were Scales."""
    kind = resource.subresources["scale"].kind
    traits = _traits(kind, custom=resource.custom)
    return replace(resource, kind=kind, shape=_shape(), traits=traits, stored_as=kind.api_version)


class _CustomScaleTraits(BuiltinTraits):
    """The Scale of a custom resource, whose table is made of columns like those of its definition.

    The server that serves custom resources does not know the kind well enough to say what is wrong with one.
    """

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        content_type = call.headers.get("content-type", "")
        try:
            decoded = decode(body, content_type, resource.kind, builtin_types(), validation)
        except Refusal as refusal:
            if refusal.code != _BAD_REQUEST:
                raise
            raise Refusal.bad_request(_UNKNOWN) from refusal
        call.warnings.extend(decoded.warnings)
        found = self.finished(resource, decoded.object)
        if not decoded.versioned:
            del found["apiVersion"]  # nobody can own what does not say its version
        return found

    @override
    def read_patched(self, outcome: Patched) -> tuple[Object, Sequence[str]]:
        if outcome.document.get("apiVersion") not in (None, ""):
            return super().read_patched(outcome)
        # No other version is known there, but nobody can own what does not say its version.
        document = {**outcome.document, "apiVersion": self.kind.api_version}
        found, unknown = super().read_patched(replace(outcome, document=document))
        del found["apiVersion"]
        return found, unknown

    @override
    def layout(self) -> Layout:
        return CustomLayout(_COLUMNS)


@lru_cache(maxsize=256)
def _traits(kind: Kind, *, custom: bool) -> BuiltinTraits:
    builtin = BuiltinKind(kind=kind, singular="", definition="", verbs=frozenset())
    return _CustomScaleTraits(builtin) if custom else BuiltinTraits(builtin)


@cache
def _shape() -> Shape:
    return library().shape("io.k8s.api.autoscaling.v1.Scale")
