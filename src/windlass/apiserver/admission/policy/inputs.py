"""The variables of an expression about a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.access.account import account_of, groups_of
from windlass.apiserver.access.attempt import Attempt
from windlass.apiserver.access.authenticator import member
from windlass.apiserver.admission.policy.environment import REQUEST_RESOURCE
from windlass.apiserver.admission.request import request_of
from windlass.apiserver.exchange import User
from windlass.schema.cel.library import Authorizer, Caller, Decision, ResourceCheck

if TYPE_CHECKING:
    from windlass.apiserver.access.rbac import Rbac
    from windlass.apiserver.admission.review import Review

Object = dict[str, Any]

_UNSEEN: Final = ("object", "oldObject")
_OF_NAMESPACE: Final = (
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "finalizers",
)
"""What of the metadata of a namespace an expression sees."""


def inputs_of(review: Review, params: Object | None = None) -> Object:
    """What an expression about a request can look at."""
    operation, request = review.operation, request_of(review)
    caller = Caller(_Asked(operation.gate.rbac), review.user)
    route = operation.route
    return {
        "object": review.obj,
        "oldObject": review.old,
        "request": {key: value for key, value in request.items() if key not in _UNSEEN},
        "namespaceObject": _namespace(review),
        "params": params,
        "authorizer": caller,
        REQUEST_RESOURCE: ResourceCheck(
            caller=caller,
            group=route.group,
            resource=route.plural,
            subresource=route.subresource,
            namespace=review.namespace,
            name=review.name,
        ),
    }


class _Asked(Authorizer):
    """The authorizer of the server."""

    def __init__(self, rbac: Rbac) -> None:
        self._rbac = rbac

    @override
    def check_path(self, user: Any, path: str, verb: str) -> Decision:
        return self._decide(user, Attempt(verb=verb, path=path))

    @override
    def check_resource(self, user: Any, check: ResourceCheck, verb: str) -> Decision:
        attempt = Attempt(
            verb=verb,
            group=check.group,
            resource=check.resource,
            subresource=check.subresource,
            namespace=check.namespace,
            name=check.name,
        )
        return self._decide(user, attempt)

    def _decide(self, user: User | str, attempt: Attempt) -> Decision:
        verdict = self._rbac.decide(_user(user), attempt)
        return Decision(verdict.allowed, verdict.reason)


def _user(user: User | str) -> User:
    """Who is asked about: a user, or a service account by its name."""
    if isinstance(user, User):
        return user
    account = account_of(user)
    return member(User(user, groups_of(account[0]) if account else ()))


def _namespace(review: Review) -> Object | None:
    """The namespace of a request; a Namespace has none."""
    kind = review.operation.resource.kind
    if not review.namespace or (not kind.group and kind.name == "Namespace"):
        return None
    record = review.operation.world.store.collection("/namespaces").get(review.namespace)
    if record is None:
        return None
    found = record.object()
    meta = {key: value for key, value in found["metadata"].items() if key in _OF_NAMESPACE}
    return {"metadata": meta, "spec": found.get("spec") or {}, "status": found.get("status") or {}}
