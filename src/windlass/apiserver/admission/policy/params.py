"""The parameters of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.validation.label import matches
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.admission.policy.policy import Binding, Terms
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.resource import Resource

Object = dict[str, Any]


class Misconfigured(WindlassError):
    """A policy, or a binding of it, asks for parameters that are not to be had."""


def param_resource(policy: Terms, review: Review) -> Resource | None:
    """What the parameters of a policy are; `None` if it has none.

    Raises:
        Misconfigured: nothing of that kind is served.
    """
    kind = policy.param_kind
    if kind is None:
        return None
    for resource in review.operation.catalog.resources():
        if (resource.kind.api_version, resource.kind.name) == (kind["apiVersion"], kind["kind"]):
            return resource
    named = f"{kind['apiVersion']}, Kind={kind['kind']}"
    raise Misconfigured(f"failed to find resource referenced by paramKind: '{named}'")


def params_of(resource: Resource | None, binding: Binding, review: Review) -> Sequence[Object | None]:
    """The objects that a policy is applied with, one after the other; `None` for one time without.

    Raises:
        Misconfigured: the binding cannot have them, or must not do without.
    """
    reference = binding.params
    if resource is None or reference is None:
        return (None,)
    namespace = reference.get("namespace", "")
    if resource.kind.namespaced:
        namespace = namespace or review.namespace
        if not namespace:
            raise Misconfigured(
                "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
            )
    elif namespace:
        raise Misconfigured("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
    found = _found(resource, reference, namespace)
    if not found and reference.get("parameterNotFoundAction") == "Deny":
        raise Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction")
    return found


def _found(resource: Resource, reference: Object, namespace: str) -> Sequence[Object]:
    collection = resource.collection
    if reference.get("name"):
        record = collection.get(resource.key(namespace, reference["name"]))
        return () if record is None else (resource.object(record),)
    selector = reference.get("selector") or {}
    prefix = f"{namespace}/" if resource.kind.namespaced else ""
    objects = (resource.object(record) for record in collection.page(prefix).records)
    return [each for each in objects if matches(selector, each["metadata"].get("labels") or {})]
