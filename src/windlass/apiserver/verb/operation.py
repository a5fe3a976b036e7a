from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from windlass.apiserver.access import Gate
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.negotiate import Form
    from windlass.apiserver.resource import Catalog, Resource
    from windlass.apiserver.route import Route
    from windlass.apiserver.store import Record
    from windlass.apiserver.world import World

Object = dict[str, Any]


class Operation(NamedTuple):
    """One verb on one resource: the request, what it is about, and the form in which it is answered."""

    world: World
    catalog: Catalog
    gate: Gate
    resource: Resource
    route: Route
    call: Call
    form: Form

    @property
    def key(self) -> str:
        """Where the object that the path names is kept."""
        return self.resource.key(self.route.namespace, self.route.name)

    def record(self) -> Record:
        """The newest version of the object that the path names.

        Raises:
            Refusal: 404, there is none.
        """
        record = self.resource.collection.get(self.key)
        if record is None:
            raise self.resource.not_found(self.route.name)
        return record
