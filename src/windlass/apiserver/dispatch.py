from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.negotiate import check_media, negotiate
from windlass.apiserver.refusal import Refusal, no_such_method, no_such_path, unsupported
from windlass.apiserver.verb.create import create
from windlass.apiserver.verb.delete import delete, delete_collection
from windlass.apiserver.verb.operation import Operation
from windlass.apiserver.verb.patch import patch, patch_form
from windlass.apiserver.verb.read import get, list_objects
from windlass.apiserver.verb.update import update
from windlass.apiserver.verb.watch import watch

if TYPE_CHECKING:
    from windlass.apiserver.access import Gate
    from windlass.apiserver.documents import Documents
    from windlass.apiserver.exchange import Call, Reply
    from windlass.apiserver.negotiate import Form
    from windlass.apiserver.resource import Catalog, Resource
    from windlass.apiserver.route import Route
    from windlass.apiserver.world import World

_WRITES: Final = {
    "create": create,
    "update": update,
    "patch": patch,
    "delete": delete,
    "deletecollection": delete_collection,
}
_READS: Final = {"get": get, "list": list_objects, "watch": watch}
_OF_COLLECTIONS: Final = frozenset({"list", "watch", "create", "deletecollection"})
_BINDINGS: Final = "bindings"
_ONLY_CREATED: Final = frozenset({"create"})
_OF_REVIEWS: Final = frozenset({"authentication.k8s.io", "authorization.k8s.io"})


class Dispatcher:
    """Finds what a path speaks of, and calls the verb."""

    def __init__(self, world: World, catalog: Catalog, gate: Gate) -> None:
        self._world = world
        self._catalog = catalog
        self._gate = gate
        self._documents: Documents | None = None

    def document(self, call: Call) -> Reply:
        """What is no resource: discovery, OpenAPI, version, health."""
        if self._documents is None:
            from windlass.apiserver.documents import Documents

            keyring = self._gate.authenticator.account_tokens.keyring
            self._documents = Documents(self._catalog, keyring)
        return self._documents.answer(call)

    async def resource(self, call: Call, route: Route) -> Reply:
        """A verb on a resource."""
        resource = self._find(route)
        if resource.custom:
            _check_custom_path(route, resource)
        else:
            self._check_path(call, route, resource)
        form = _form(call, route, resource)
        _check_name(route)
        operation = Operation(
            world=self._world, gate=self._gate, resource=resource, route=route, call=call, form=form
        )
        if resource.kind.group in _OF_REVIEWS:
            from windlass.apiserver.review import answer_review

            return answer_review(operation)
        if (route.subresource and route.subresource != "status") or route.plural == _BINDINGS:
            from windlass.apiserver.subresource import handle

            return await handle(operation, self._catalog)
        read = _READS.get(route.verb)
        return read(operation) if read else await _WRITES[route.verb](operation)

    def _find(self, route: Route) -> Resource:
        resource = self._catalog.find(route.group, route.version, route.plural)
        if resource is None:
            raise no_such_path() if self._catalog.serves_builtin(route.group) else Unknown
        return resource

    @staticmethod
    def _check_path(call: Call, route: Route, resource: Resource) -> None:
        """Refuse paths and methods that the resource does not have."""
        if resource.verbs == _ONLY_CREATED and (
            route.name or bool(route.namespace) is not resource.kind.namespaced
        ):
            raise no_such_path()
        if resource.kind.namespaced:
            if not route.namespace and route.name:
                raise no_such_path()
            if not route.namespace and route.verb not in ("list", "watch"):
                raise no_such_method()
        elif route.namespace and resource.kind.plural != "namespaces":
            raise no_such_path()
        verbs = resource.verbs
        if route.subresource:
            found = resource.subresources.get(route.subresource)
            if found is None:
                raise no_such_path()
            verbs = found.verbs
        if route.verb not in verbs or call.method == "HEAD":
            raise no_such_method()
        if (
            bool(route.name) is (route.verb in _OF_COLLECTIONS)
            and not route.subresource
            and route.verb != "watch"
        ):
            raise no_such_method()


def _check_custom_path(route: Route, resource: Resource) -> None:
    """Refuse paths and methods that a custom resource does not have, for which the words are others."""
    kind = resource.kind
    everywhere = kind.namespaced and route.verb in ("list", "watch")
    if bool(route.namespace) is not kind.namespaced and not everywhere:
        raise Unknown
    verbs = resource.verbs
    if route.subresource:
        found = resource.subresources.get(route.subresource)
        if found is None:
            raise resource.not_found(route.name)
        verbs = found.verbs
    if route.verb not in verbs:
        raise unsupported(kind.group, kind.plural, route.verb)
    if not route.name and route.verb not in _OF_COLLECTIONS:
        raise Refusal.bad_request("name must be provided")


def _form(call: Call, route: Route, resource: Resource) -> Form:
    """In which form to answer, once the media types of body and answer are known to be possible.

    A router sees to those of a built-in resource, before the resource can warn; a custom one does so itself.
    """
    accept = call.headers.get("accept", "")
    if resource.custom and resource.warning:
        call.warn(resource.warning)
    if route.verb == "patch":
        patch_form(call, custom=resource.custom)
    if not resource.custom:
        check_media(accept, collection=not route.name)
        if resource.warning:
            call.warn(resource.warning)
    return negotiate(accept, custom=resource.custom)


def _check_name(route: Route) -> None:
    """Refuse names that mean something else in a path."""
    if route.name in (".", ".."):
        raise Refusal.bad_request(f"Name parameter invalid: \"{route.name}\": may not be '{route.name}'")


class Unknown(Refusal):
    """404 in plain text: nothing is served in this group."""

    def __init__(self) -> None:
        super().__init__(404, "404 page not found\n")
