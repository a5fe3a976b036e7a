"""Every kind that ships, as its operator serves it; and an operator of such a kind whose reconciles end as a test wants."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pkgutil import iter_modules
from types import new_class
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from windlass import operators
from windlass.api import Untyped
from windlass.codegen import load_project
from windlass.errors import Terminal
from windlass.reconcile import Reconciler, Result, is_of_objects

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from windlass.api import Json, Model, Resource
    from windlass.reconcile import Context

CHANGES: Mapping[str, Json] = {
    "BusinessService": {"description": "other"},
    "Collector": {"cluster": "other"},
    "EscalationPolicy": {"description": "other"},
    "Minimart": {"replicaCount": 7},
    "PagerdutyService": {"description": "other"},
    "PeerPod": {"instanceID": "other"},
    "PeerPodConfig": {"instanceType": "other"},
    "Ptemplate": {"maxdev": 7},
}
"""What to change of the spec of each kind for a new generation."""


class Shipped(NamedTuple):
    """A kind, and what reconciles it."""

    kind: type[Resource]
    reconciler: Reconciler[Any] | type[Reconciler[Any]]

    @property
    def name(self) -> str:
        """What tests call it."""
        return str(self.kind.__kind__)

    @property
    def reports(self) -> type[Model] | None:
        """The type of its status, where the kind has none."""
        return self.reconciler.status_type

    def elsewhere(self) -> type[Resource]:
        """Return the same kind in a group of its own, which no other test installs or removes."""
        known = self.kind.__kind__
        return new_class(
            known.name,
            (self.kind,),
            {
                "group": f"{known.version}.{known.group}",
                "version": known.version,
                "kind": known.name,
                "plural": known.plural,
            },
        )


def shipped() -> list[Shipped]:
    """Return every kind that an operator of ours serves, in all groups and versions."""
    return sorted(_shipped(), key=lambda each: each.name)


def _shipped() -> Iterator[Shipped]:
    for package in iter_modules(operators.__path__):
        if not package.ispkg:
            continue
        project = load_project(f"{operators.__name__}.{package.name}")
        ours = {_kind(each.of): each for each in filter(is_of_objects, project.reconcilers)}
        for kind in project.kinds:
            assert not issubclass(kind, Untyped)
            yield Shipped(kind, ours[_kind(kind)])


def _kind(kind: type[Resource]) -> tuple[str, str]:
    return kind.__kind__.group, kind.__kind__.name


class Scripted(Reconciler[Any]):
    """Ends each reconcile as the name of the object says; lets no object go before `released`."""

    finalizer = "test.windlass.dev/held"

    def __init__(self, of: type[Resource], status_type: type[Model] | None) -> None:
        self.of = of
        self.status_type = status_type
        self.released = asyncio.Event()

    @override
    async def reconcile(self, resource: Any, ctx: Context) -> Result[Any]:
        return await _ENDINGS.get(resource.metadata.name, _ready)(ctx)

    @override
    async def finalize(self, resource: Any, ctx: Context) -> Result[Any]:
        if resource.metadata.name == "failing" and not self.released.is_set():
            raise RuntimeError("the machine cannot be reached")
        if resource.metadata.name == "leaving" and not self.released.is_set():
            return Result.waiting("Deleting", "the machine is being deleted", again=timedelta(seconds=1))
        return Result.ready()


async def _ready(_: Context) -> Result[Any]:
    return Result.ready(message="all is well")


async def _waiting(_: Context) -> Result[Any]:
    return Result.waiting("RollingOut", "1 of 2 are ready")


async def _failed(_: Context) -> Result[Any]:
    return Result.failed(RuntimeError("no route"), reason="Unreachable")


async def _raised(_: Context) -> Result[Any]:
    raise RuntimeError("no route")


async def _terminal(_: Context) -> Result[Any]:
    raise Terminal("BadSize", "size is odd")


async def _progress(ctx: Context) -> Result[Any]:
    await ctx.progress("Working", "step 1")
    return Result.waiting("Working", "step 2")


async def _endless(_: Context) -> Result[Any]:
    await asyncio.Event().wait()
    raise RuntimeError("unreachable")


_ENDINGS: Mapping[str, Callable[[Context], Awaitable[Result[Any]]]] = {
    "waiting": _waiting,
    "failed": _failed,
    "raised": _raised,
    "terminal": _terminal,
    "progressing": _progress,
    "endless": _endless,
}
