"""What controllers of a real cluster do for the server itself, done in the same step as the write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.access.aggregation import PLURAL, aggregate
from windlass.apiserver.access.rbac import GROUP

if TYPE_CHECKING:
    from windlass.apiserver.quota import Keeper
    from windlass.apiserver.resource import Catalog
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.world import World


class Upkeep:
    """Keeps quotas counted, and cluster roles that are made of others made."""

    def __init__(self, world: World, catalog: Catalog) -> None:
        self._world = world
        self._catalog = catalog
        self._quotas = world.store.collection("/resourcequotas")
        self._keeper: Keeper | None = None

    def begin(self) -> None:
        """Put in order what a server starts with."""
        aggregate(self._world, self._catalog)

    def after(self, operation: Operation) -> None:
        """Do what a write gives reason to."""
        if self._quotas:
            if self._keeper is None:
                from windlass.apiserver.quota import Keeper  # most servers have no quotas

                self._keeper = Keeper()
            self._keeper.keep(operation)
        route = operation.route
        if route.plural == PLURAL and route.group == GROUP:
            aggregate(self._world, self._catalog)
