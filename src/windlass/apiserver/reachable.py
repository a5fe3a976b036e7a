"""Which paths and methods a resource has.

The real server finds built-in kinds by routes, and custom ones by a handler that reads the path itself: both
have the same paths, and refuse others in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.refusal import Refusal, Unknown, no_such_method, no_such_path, unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.route import Route

_OF_COLLECTIONS: Final = frozenset({"list", "watch", "create", "deletecollection"})
_ACROSS_NAMESPACES: Final = frozenset({"list", "watch"})
_PROXY: Final = "proxy"
_PASSED_ON: Final = frozenset({"HEAD", "OPTIONS"})
_ONLY_CREATED: Final = frozenset({"create"})


def check_reachable(call: Call, route: Route, resource: Resource) -> None:
    """Refuse paths and methods that a resource does not have.

    Raises:
        Refusal: 400, 404 or 405.
    """
    if resource.custom:
        _check_custom(route, resource)
    else:
        _check_builtin(call, route, resource)


def check_name(route: Route) -> None:
    """Refuse names that mean something else in a path.

    Raises:
        Refusal: 400.
    """
    if route.name in (".", ".."):
        raise Refusal.bad_request(f"Name parameter invalid: \"{route.name}\": may not be '{route.name}'")


def _check_builtin(call: Call, route: Route, resource: Resource) -> None:
    if not _is_routed(route, resource) or (route.rest and route.subresource != _PROXY):
        raise no_such_path()
    across = resource.kind.namespaced and not route.namespace
    if across and route.verb not in _ACROSS_NAMESPACES:
        raise no_such_method()
    verbs = _verbs(route, resource, no_such_path)
    if route.subresource == _PROXY and call.method in _PASSED_ON:
        return
    known = route.verb in verbs
    if not known or call.method == "HEAD" or not _suits_verb(route):
        raise no_such_method()


def _check_custom(route: Route, resource: Resource) -> None:
    kind = resource.kind
    across = kind.namespaced and route.verb in _ACROSS_NAMESPACES
    if bool(route.namespace) is not kind.namespaced and not across:
        raise Unknown
    if route.verb not in _verbs(route, resource, lambda: resource.not_found(route.name)):
        raise unsupported(kind.group, kind.plural, route.verb)
    if not route.name and route.verb not in _OF_COLLECTIONS:
        raise Refusal.bad_request("name must be provided")


def _is_routed(route: Route, resource: Resource) -> bool:
    """Whether the real server has a route for a path, be it with other methods."""
    kind = resource.kind
    if resource.verbs == _ONLY_CREATED:
        return not route.name and bool(route.namespace) is kind.namespaced
    if kind.namespaced:
        return bool(route.namespace) or not route.name
    return not route.namespace or (kind.plural == "namespaces" and route.name == route.namespace)


def _suits_verb(route: Route) -> bool:
    """Whether a name is given where the verb is one of objects, and none where it is one of collections."""
    if route.subresource or route.verb == "watch":
        return True
    return bool(route.name) is not (route.verb in _OF_COLLECTIONS)


def _verbs(route: Route, resource: Resource, missing: Callable[[], Refusal]) -> frozenset[str]:
    """The verbs of a resource, or of the subresource that the path names."""
    if not route.subresource:
        return resource.verbs
    found = resource.subresources.get(route.subresource)
    if found is None:
        raise missing()
    return found.verbs
