"""What a blueprint would deploy, held against what is deployed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import orjson

from windlass.helm.aside import aside, size_of
from windlass.helm.manifest import same
from windlass.helm.stable import Unstable, hold, unstable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.client import Impersonation
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.engine import Change, Helm

_MOST: Final = 16 * 2**20
"""How many bytes of renderings are kept."""


@dataclass(frozen=True)
class Candidate:
    """The objects that an upgrade would deploy, and what of them is another at each rendering."""

    objects: Sequence[Json]
    unstable: Unstable = field(default_factory=Unstable)

    def holding(self, deployed: Sequence[Json], change: Change | None) -> Change | None:
        """What has to be done to that which Helm renders, so that it becomes this; None for nothing."""
        if not self.unstable:
            return change

        def changed(objects: Sequence[Json]) -> Sequence[Json]:
            return hold(change(objects) if change else objects, deployed, self.unstable)

        return changed


@dataclass
class Renders:
    """Renders each blueprint once, and the one that seems to change something once more.

    A chart that draws lots or looks at the time never renders the same twice. What differs between two
    renderings of one blueprint is no wish of anybody: there, what is deployed stays.
    """

    helm: Helm
    _kept: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _user: str = ""

    def acting_as(self, user: Impersonation) -> Renders:
        """Return renders as another user; what was rendered for one user is not reused for another."""
        return replace(self, helm=self.helm.acting_as(user), _user=user.user)

    async def candidate(
        self, blueprint: Blueprint, deployed: Sequence[Json], change: Change | None, *, lookup: bool = False
    ) -> Candidate:
        """What an upgrade to a blueprint would deploy in place of these objects."""
        first = await self._render(blueprint, change, lookup=lookup)
        size = size_of(first)
        if await aside(size, same, first, deployed):
            return Candidate(deployed)
        second = await self._render_anew(blueprint, change, lookup=lookup)
        differing = await aside(size, unstable, first, second)
        held = await aside(size, hold, first, deployed, differing) if differing else first
        return Candidate(held, differing)

    async def _render(self, blueprint: Blueprint, change: Change | None, *, lookup: bool) -> Sequence[Json]:
        if lookup or change:
            return await self._render_anew(blueprint, change, lookup=lookup)
        mark = f"{blueprint.full_digest} {self._user}"
        kept = self._kept.pop(mark, None)
        if kept is None:
            kept = orjson.dumps(await self._render_anew(blueprint, None, lookup=False))
        self._keep(mark, kept)
        found: Sequence[Json] = orjson.loads(kept)
        return found

    def _keep(self, mark: str, rendered: bytes) -> None:
        self._kept[mark] = rendered
        while sum(map(len, self._kept.values())) > _MOST:
            self._kept.popitem(last=False)

    async def _render_anew(
        self, blueprint: Blueprint, change: Change | None, *, lookup: bool
    ) -> Sequence[Json]:
        objects = await self.helm.render(blueprint, is_upgrade=True, lookup=lookup)
        return change(objects) if change else objects
