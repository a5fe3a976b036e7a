"""A review as those read it who are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.api import Kind
    from windlass.apiserver.admission.review import Review
    from windlass.apiserver.exchange import User

Object = dict[str, Any]

_LEFT_OUT: Final = ("subResource", "requestSubResource", "name", "namespace")
"""What Go leaves out where it is empty."""


def request_of(review: Review) -> Object:
    """The AdmissionRequest of a review; its `uid` is still to be given."""
    route, own = review.operation.route, review.operation.resource.kind
    request: Object = {
        "kind": _kind(review.kind),
        "resource": {"group": route.group, "version": review.version, "resource": route.plural},
        "subResource": route.subresource,
        "requestKind": _kind(own),
        "requestResource": {"group": route.group, "version": route.version, "resource": route.plural},
        "requestSubResource": route.subresource,
        "name": review.name,
        "namespace": review.namespace,
        "operation": review.action,
        "userInfo": _user(review.user),
        "object": review.obj,
        "oldObject": review.old,
        "dryRun": review.dry_run,
        "options": review.options,
    }
    return {key: value for key, value in request.items() if value or key not in _LEFT_OUT}


def _user(user: User) -> Object:
    info = {
        "username": user.name,
        "uid": user.uid,
        "groups": list(user.groups),
        "extra": {key: list(values) for key, values in user.extra.items()},
    }
    return {key: value for key, value in info.items() if value}


def _kind(kind: Kind) -> Object:
    return {"group": kind.group, "version": kind.version, "kind": kind.name}
