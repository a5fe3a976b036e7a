"""Questions to the authorizer: `authorizer.group("apps").resource("deployments").check("get").allowed()`.

The variable `authorizer` is a `Caller`, `authorizer.requestResource` a `ResourceCheck`; who answers is an
`Authorizer`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.own import Own
from windlass.schema.cel.library.signature import function, method
from windlass.schema.cel.library.strings import trimmed
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, STRING, Type, object_type
from windlass.schema.naming import dns_label, dns_subdomain

if TYPE_CHECKING:
    from collections.abc import Callable

AUTHORIZER: Final = object_type("kubernetes.authorization.Authorizer")
PATH_CHECK: Final = object_type("kubernetes.authorization.PathCheck")
GROUP_CHECK: Final = object_type("kubernetes.authorization.GroupCheck")
RESOURCE_CHECK: Final = object_type("kubernetes.authorization.ResourceCheck")
DECISION: Final = object_type("kubernetes.authorization.Decision")


@dataclass(frozen=True, slots=True)
class Decision(Own):
    """What an authorizer decided, why, and what went wrong meanwhile."""

    cel_type: ClassVar[Type] = DECISION
    allowed: bool
    reason: str = ""
    error: str = ""


class Authorizer(Protocol):
    """Who answers; it must not wait, since an expression cannot.

    `user` is whatever `Caller` was made with, or the name `system:serviceaccount:…` of a service account.
    """

    def check_path(self, user: Any, path: str, verb: str) -> Decision:
        """Whether a user may use a verb of HTTP on a path."""

    def check_resource(self, user: Any, check: ResourceCheck, verb: str) -> Decision:
        """Whether a user may use a verb on a resource."""


@dataclass(frozen=True, slots=True)
class Caller(Own):
    """A user with the authorizer to ask about them."""

    cel_type: ClassVar[Type] = AUTHORIZER
    authorizer: Authorizer
    user: Any


@dataclass(frozen=True, slots=True)
class PathCheck(Own):
    """A question about a path, but for the verb."""

    cel_type: ClassVar[Type] = PATH_CHECK
    caller: Caller
    path: str


@dataclass(frozen=True, slots=True)
class GroupCheck(Own):
    """A question about a resource of a group, but for the resource."""

    cel_type: ClassVar[Type] = GROUP_CHECK
    caller: Caller
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceCheck(Own):
    """A question about a resource, but for the verb. Selectors are as they were written."""

    cel_type: ClassVar[Type] = RESOURCE_CHECK
    caller: Caller
    group: str
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""


def _path(caller: Caller, path: str) -> PathCheck:
    if not trimmed(path):
        raise EvaluationError("path must not be empty")
    return PathCheck(caller, path)


def _service_account(caller: Caller, namespace: str, name: str) -> Caller:
    if dns_subdomain(name):
        raise EvaluationError("Invalid service account name")
    if dns_label(namespace):
        raise EvaluationError("Invalid service account namespace")
    return Caller(caller.authorizer, f"system:serviceaccount:{namespace}:{name}")


def _resource(check: GroupCheck, resource: str) -> ResourceCheck:
    if not trimmed(resource):
        raise EvaluationError("resource must not be empty")
    return ResourceCheck(caller=check.caller, group=check.group, resource=resource)


def _setting(field: str) -> Callable[[ResourceCheck, str], ResourceCheck]:
    def setting(check: ResourceCheck, value: str) -> ResourceCheck:
        changes: dict[str, Any] = {field: value}
        return replace(check, **changes)

    return setting


def _check_path(check: PathCheck, verb: str) -> Decision:
    return check.caller.authorizer.check_path(check.caller.user, check.path, verb)


def _check_resource(check: ResourceCheck, verb: str) -> Decision:
    return check.caller.authorizer.check_resource(check.caller.user, check, verb)


def _errored(decision: Decision) -> bool:
    return bool(decision.error)


def _error(decision: Decision) -> str:
    return decision.error


def _allowed(decision: Decision) -> bool:
    return decision.allowed


def _reason(decision: Decision) -> str:
    return decision.reason


AUTHORIZATION: Final = Library(
    "kubernetes.authz",
    (
        function("path", method("authorizer_path", (AUTHORIZER, STRING), PATH_CHECK, _path)),
        function("group", method("authorizer_group", (AUTHORIZER, STRING), GROUP_CHECK, GroupCheck)),
        function(
            "serviceAccount",
            method("authorizer_serviceaccount", (AUTHORIZER, STRING, STRING), AUTHORIZER, _service_account),
        ),
        function("resource", method("groupcheck_resource", (GROUP_CHECK, STRING), RESOURCE_CHECK, _resource)),
        *(
            function(name, method(id_, (RESOURCE_CHECK, STRING), RESOURCE_CHECK, _setting(field)))
            for name, id_, field in (
                ("subresource", "resourcecheck_subresource", "subresource"),
                ("namespace", "resourcecheck_namespace", "namespace"),
                ("name", "resourcecheck_name", "name"),
                ("fieldSelector", "authorizer_fieldselector", "field_selector"),
                ("labelSelector", "authorizer_labelselector", "label_selector"),
            )
        ),
        function(
            "check",
            method("pathcheck_check", (PATH_CHECK, STRING), DECISION, _check_path),
            method("resourcecheck_check", (RESOURCE_CHECK, STRING), DECISION, _check_resource),
        ),
        function("errored", method("decision_errored", (DECISION,), BOOL, _errored)),
        function("error", method("decision_error", (DECISION,), STRING, _error)),
        function("allowed", method("decision_allowed", (DECISION,), BOOL, _allowed)),
        function("reason", method("decision_reason", (DECISION,), STRING, _reason)),
    ),
)
