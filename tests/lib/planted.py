"""An operator that is right, and seven that differ from it by a few lines, each wrong in a way of its own.

A Shop has settings (a ConfigMap that it owns), a line in a directory that all shops share, and an entry in a
registry outside the cluster, which somebody there has to approve.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from echo import Echo
from shopkeeping import Shop, ShopSpec, ShopStatus
from windlass.api import ObjectMeta
from windlass.client import Client, JsonPatch, MergePatch
from windlass.kinds.core.v1 import ConfigMap
from windlass.reconcile import Reconciler, Result
from windlass.testing import Holding, Outside, Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.client import Transport
    from windlass.manager import Manager
    from windlass.reconcile import Context
    from windlass.testing import SimulatedWorld

DIRECTORY = "directory"
_SOON = timedelta(seconds=5)


class Registry(Outside):
    """Keeps entries. A token is good for one entry ever: who repeats it gets the same answer again."""

    looks = ("is_approved",)

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.approved: set[str] = set()
        self._tokens: dict[str, str] = {}
        self._count = 0

    async def enter(self, shop: str, token: str = "") -> str:
        """Make an entry."""
        if token in self._tokens:
            return self._tokens[token]
        self._count += 1
        entry = f"entry-{self._count}"
        self.entries[entry] = shop
        if token:
            self._tokens[token] = entry
        return entry

    async def strike(self, shop: str, token: str) -> None:
        """Remove every entry of a shop; the token is used up."""
        self.entries = {entry: whose for entry, whose in self.entries.items() if whose != shop}
        self._tokens.setdefault(token, "struck")

    async def is_approved(self, shop: str) -> bool:
        """Whether somebody has approved a shop."""
        return shop in self.approved

    @override
    def holdings(self) -> Iterator[Holding]:
        return (Holding(shop, entry) for entry, shop in self.entries.items())


def settings(shop: Shop) -> ConfigMap:
    """What the shop's programs read."""
    return ConfigMap(metadata=ObjectMeta(name=shop.metadata.name), data={"size": str(shop.spec.size)})


class ShopController(Reconciler[Shop]):
    """The one that is right."""

    owns = (ConfigMap,)
    finalizer = "test.windlass.dev/shop"

    def __init__(self, registry: Registry, transport: Transport) -> None:
        self.registry = registry
        self.client = Client(transport)

    @override
    async def reconcile(self, shop: Shop, ctx: Context) -> Result[ShopStatus]:
        await ctx.apply(settings(shop))
        entry = shop.status.entry or await self.enter(shop, ctx)
        status = ShopStatus(entry=entry, approved=shop.status.approved)
        await self.list_in_directory(shop, ctx)
        if not status.approved:
            status.approved = await self.registry.is_approved(shop.metadata.name)
        return self.report(status, ctx)

    @override
    async def finalize(self, shop: Shop, ctx: Context) -> Result[ShopStatus]:
        await self.strike(shop, ctx)
        return Result.ready()

    async def enter(self, shop: Shop, ctx: Context) -> str:
        name, token = shop.metadata.name, shop.metadata.uid or ""
        return await ctx.effect("enter", lambda: self.registry.enter(name, token))

    async def list_in_directory(self, shop: Shop, ctx: Context) -> None:
        line = {shop.metadata.name: str(shop.spec.size)}
        await ctx.patch(ConfigMap, DIRECTORY, MergePatch({"data": line}))

    async def strike(self, shop: Shop, ctx: Context) -> None:
        name, token = shop.metadata.name, shop.metadata.uid or ""
        await ctx.effect("strike", lambda: self.registry.strike(name, token))

    def report(self, status: ShopStatus, ctx: Context) -> Result[ShopStatus]:
        if not status.approved:
            return Result.waiting("NotApproved", "the registry has not approved it", status, again=_SOON)
        return Result.ready(status)


class LosesUpdates(ShopController):
    """Writes the whole directory as it has read it, whatever it has become meanwhile."""

    name = "shop"

    @override
    async def list_in_directory(self, shop: Shop, ctx: Context) -> None:
        directory = await ctx.get(ConfigMap, DIRECTORY)
        lines = {**(directory.data if directory else {}), shop.metadata.name: str(shop.spec.size)}
        if directory is None or directory.data != lines:
            whole = JsonPatch([{"op": "replace", "path": "/data", "value": lines}])
            await ctx.patch(ConfigMap, DIRECTORY, whole)


class CreatesTwice(ShopController):
    """Makes an entry without a token by which the registry would know the attempt before."""

    name = "shop"

    @override
    async def enter(self, shop: Shop, ctx: Context) -> str:
        return await ctx.effect("enter", lambda: self.registry.enter(shop.metadata.name))


class NeverLooksAgain(ShopController):
    """Waits for an approval of which no watch reports."""

    name = "shop"

    @override
    def report(self, status: ShopStatus, ctx: Context) -> Result[ShopStatus]:
        if not status.approved:
            return Result.waiting("NotApproved", "the registry has not approved it", status)
        return Result.ready(status)


class LeaksFinalizers(ShopController):
    """Gives up in peace when the registry cannot be reached."""

    name = "shop"

    @override
    async def finalize(self, shop: Shop, ctx: Context) -> Result[ShopStatus]:
        try:
            await self.strike(shop, ctx)
        except ConnectionError:
            return Result.waiting("RegistryUnreachable", "its entry could not be removed")
        return Result.ready()


class WritesBesideTheFence(ShopController):
    """Has a client of its own, which nobody asks whether the lease is still ours."""

    name = "shop"

    @override
    async def list_in_directory(self, shop: Shop, ctx: Context) -> None:
        line = {shop.metadata.name: str(shop.spec.size)}
        directory = await ctx.get(ConfigMap, DIRECTORY)
        if directory is None or not line.items() <= directory.data.items():
            await self.client.patch(ConfigMap, DIRECTORY, MergePatch({"data": line}), "default")


class RunsHot(ShopController):
    """Writes the time of its last look into the status, and looks again and again."""

    name = "shop"

    @override
    def report(self, status: ShopStatus, ctx: Context) -> Result[ShopStatus]:
        if not status.approved:
            return super().report(status, ctx)
        status.looked_at = ctx.now.isoformat()
        return Result.ready(status, again=_SOON)


class NeverRests(ShopController):
    """Wakes itself at once, and asks nobody, so that no time passes."""

    name = "shop"

    def __init__(self, registry: Registry, transport: Transport) -> None:
        super().__init__(registry, transport)
        self._echo = Echo()
        self.sources = (self._echo,)

    @override
    def report(self, status: ShopStatus, ctx: Context) -> Result[ShopStatus]:
        if status.approved:
            self._echo.wake(ctx.key)
        return super().report(status, ctx)


class Shops(Scenario):
    """People open shops, change them, close them; the registry takes its time."""

    kinds = (Shop,)
    patience = timedelta(minutes=5)
    controller: type[ShopController] = ShopController

    def __init__(self) -> None:
        self.registry = Registry()
        self.outside = (self.registry,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        manager.add(self.controller(world.reach(self.registry), world.transport()))

    @override
    async def play(self, world: SimulatedWorld) -> None:
        await world.create(ConfigMap(metadata=ObjectMeta(name=DIRECTORY), data={"opened": "today"}))
        for name in ("a", "b", "d"):
            await world.create(Shop(metadata=ObjectMeta(name=name), spec=ShopSpec(size=1)))
        await world.pause(timedelta(seconds=12))
        await world.change(Shop, "a", {"spec": {"size": 2}})
        await world.create(Shop(metadata=ObjectMeta(name="c"), spec=ShopSpec(size=3)))
        await world.pause(timedelta(seconds=12))
        await world.delete(Shop, "b")
        await world.delete(Shop, "d")
        await world.change(Shop, "c", {"spec": {"size": 4}})
        await world.pause(timedelta(seconds=12))
        self.registry.approved |= {"a", "c"}

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        await world.change(ConfigMap, ("a", "c")[number % 2], {"data": {"size": "999"}})

    @override
    def is_true(self, shop: Any, world: SimulatedWorld) -> dict[str, bool]:
        name, size = shop.metadata.name, str(shop.spec.size)
        own, directory = world.get(ConfigMap, name), world.get(ConfigMap, DIRECTORY)
        return {
            "its settings are right": own is not None and own.data.get("size") == size,
            "it is in the directory": directory is not None and directory.data.get(name) == size,
            "it is in the registry": name in self.registry.entries.values(),
            "it is approved": name in self.registry.approved,
        }


BUGS: Sequence[tuple[type[ShopController], str]] = (
    (LosesUpdates, "converges"),
    (CreatesTwice, "no duplicate effect"),
    (NeverLooksAgain, "converges"),
    (LeaksFinalizers, "converges"),
    (WritesBesideTheFence, "no write after lease loss"),
    (RunsHot, "no hot loop"),
    (NeverRests, "no hot loop"),
)
"""Each bug, and the judge that finds it first."""


def scenario_of(controller: type[ShopController]) -> type[Shops]:
    """The same scenario with another controller."""
    return type(controller.__name__, (Shops,), {"controller": controller})
