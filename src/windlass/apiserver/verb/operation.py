from __future__ import annotations

from collections.abc import Callable
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
Judge = Callable[[Object, Object | None], None]
"""Judges an object that is about to be stored, and the one that it replaces."""


class Operation(NamedTuple):
    """One verb on one resource: the request, what it is about, and the form in which it is answered.

    `catalog` has what else there is. A write that is a part of another one has a `judge`, who stands for
    everybody that judges writes, and it was admitted with the other. `past` is the revision as of which it
    reads, the newest unless a fault lets it lag behind.
    """

    world: World
    gate: Gate
    catalog: Catalog
    resource: Resource
    route: Route
    call: Call
    form: Form
    judge: Judge | None = None
    past: int | None = None

    @property
    def key(self) -> str:
        """Where the object that the path names is kept."""
        return self.resource.key(self.route.namespace, self.route.name)

    def record(self) -> Record:
        """The newest version of the object that the path names.

        Raises:
            Refusal: 404, there is none.
        """
        if self.past is None:
            record = self.resource.collection.get(self.key)
        else:
            page = self.resource.collection.page(self.key, limit=1, revision=self.past)
            record = next((each for each in page.records if each.key == self.key), None)
        if record is None:
            raise self.resource.not_found(self.route.name)
        return record


def as_admitted(_obj: Object, _old: Object | None) -> None:
    """Judge nothing: the write follows from one that has been judged."""


View = Callable[[Operation], Operation]
"""How an operation is seen by whoever carries it out."""
