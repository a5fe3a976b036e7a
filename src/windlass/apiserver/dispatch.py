from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.negotiate import check_media, negotiate
from windlass.apiserver.outside import answered
from windlass.apiserver.reachable import check_name, check_reachable
from windlass.apiserver.refusal import Unknown, no_such_path
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
    from windlass.apiserver.upkeep import Upkeep
    from windlass.apiserver.verb.operation import View
    from windlass.apiserver.world import World

_WRITES: Final = {
    "create": create,
    "update": update,
    "patch": patch,
    "delete": delete,
    "deletecollection": delete_collection,
}
_READS: Final = {"get": get, "list": list_objects, "watch": watch}
_BINDINGS: Final = "bindings"
_OF_REVIEWS: Final = frozenset({"authentication.k8s.io", "authorization.k8s.io"})


class Dispatcher:
    """Finds what a path speaks of, and calls the verb."""

    def __init__(self, world: World, catalog: Catalog, gate: Gate, upkeep: Upkeep | None) -> None:
        self._world = world
        self._upkeep = upkeep
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

    async def resource(self, call: Call, route: Route, view: View | None = None) -> Reply:
        """A verb on a resource, with `view` as that sees it."""
        resource = self._find(route)
        check_reachable(call, route, resource)
        form = _form(call, route, resource)
        check_name(route)
        operation = Operation(self._world, self._gate, self._catalog, resource, route, call, form)
        if view is not None:
            operation = view(operation)
        if resource.kind.group in _OF_REVIEWS:
            from windlass.apiserver.review import answer_review

            return await answered(operation, answer_review)
        try:
            return await answered(operation, self._perform)
        finally:
            if self._upkeep is not None and route.verb not in _READS:
                self._upkeep.after(operation)

    async def _perform(self, operation: Operation) -> Reply:
        route = operation.route
        if (route.subresource and route.subresource != "status") or route.plural == _BINDINGS:
            from windlass.apiserver.subresource import handle

            return await handle(operation)
        read = _READS.get(route.verb)
        return read(operation) if read else await _WRITES[route.verb](operation)

    def _find(self, route: Route) -> Resource:
        resource = self._catalog.find(route.group, route.version, route.plural)
        if resource is None:
            raise no_such_path() if self._catalog.serves_builtin(route.group) else Unknown
        return resource


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
