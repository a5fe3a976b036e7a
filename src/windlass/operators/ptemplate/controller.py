from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.client import MergePatch
from windlass.errors import KindMissingError
from windlass.kinds.apps.v1 import DaemonSet
from windlass.kinds.core.v1 import Pod, Secret
from windlass.operators.ptemplate.desired import (
    CONSUMER,
    check_name,
    consumer_name,
    consumers_of,
    module_of,
    ptemplate_of,
)
from windlass.operators.ptemplate.kmm import Module
from windlass.operators.ptemplate.metric import Meters
from windlass.operators.ptemplate.report import Seen, concluded, conflict
from windlass.operators.ptemplate.types import OPERATOR, AliasPtemplate, Ptemplate, PtemplateStatus
from windlass.reconcile import Context, Index, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Snapshot
    from windlass.manager import Manager


def _controller_of(pod: Snapshot[Pod]) -> Iterable[str]:
    return [each["uid"] for each in pod.metadata.get("ownerReferences", ()) if each.get("controller")]


def _ptemplate_of(pod: Pod) -> Iterable[Key]:
    """Whom a pod concerns: that of the DaemonSet that controls it, whatever its labels say."""
    for each in pod.metadata.owner_references:
        if each.controller and each.kind == "DaemonSet" and (name := ptemplate_of(each.name)):
            yield Key(pod.metadata.namespace, name)


def _owned(manager: str) -> Sequence[Owns[Any]]:
    """What is applied in the name of a field manager."""
    return (Owns(Module, managers=(manager,), optional=True), Owns(DaemonSet, managers=(manager,)))


_BY_CONTROLLER: Final = Index(Pod, _controller_of, undecoded=True)
_CONSUMERS: Final = Selection(labels=CONSUMER, metadata_only=True)
_EXISTENCE: Final = Selection(metadata_only=True)


class PtemplateController(Reconciler[Ptemplate]):
    """Makes each Ptemplate a Module and, after it, a DaemonSet of consumers.

    Without KMM there is no Module, and no DaemonSet is begun: its pods would wait for devices. One that is
    there goes on and is kept as it should be, since the modules that were loaded still are. An object of the
    same name that is not ours is left alone.
    """

    manager: ClassVar[str] = OPERATOR
    """The field manager, whatever process this runs in. Each kind has one of its own: with one for both, the
    apply of either would drop the owner that the other applied, where now a server refuses a second one."""

    owns: Sequence[Owns[Any]] = _owned(OPERATOR)
    reads = (
        Watch(Module, by=lambda each: each.metadata.name, optional=True),
        Watch(DaemonSet, by=lambda each: consumer_name(each.metadata.name)),
        Watch(Pod, to=_ptemplate_of, selection=_CONSUMERS),
        Watch(Secret, by=lambda each: each.spec.pull_secret, selection=_EXISTENCE),
    )
    indexes = (_BY_CONTROLLER,)

    def __init__(self, meters: Meters | None = None) -> None:
        self._meters = meters or Meters()

    @override
    async def reconcile(self, resource: Ptemplate, ctx: Context) -> Result[PtemplateStatus]:
        self._meters.ran(self.name, ctx.key)
        check_name(ctx.key)
        seen = await self._look(resource, ctx)
        taken = seen.taken(resource.metadata.uid)
        if taken is not None:
            self._meters.has(self.name, ctx.key, 0)
            return conflict(taken, seen)
        if seen.secret_found:
            seen = await self._act(resource, seen, ctx)
        self._meters.has(self.name, ctx.key, len(seen.pods))
        return concluded(seen)

    @override
    async def forget(self, key: Key) -> None:
        self._meters.forget(self.name, key)

    async def _look(self, ptemplate: Ptemplate, ctx: Context) -> Seen:
        module, served = None, True
        try:
            module = await ctx.get(Module, ctx.key.name)
        except KindMissingError:
            served = False
        daemon_set = await ctx.get(DaemonSet, consumer_name(ctx.key.name))
        secret = ptemplate.spec.pull_secret
        return Seen(
            module_served=served,
            module=module,
            daemon_set=daemon_set,
            pods=await self._pods(daemon_set, ctx),
            secret=secret,
            secret_found=not secret or await ctx.get(Secret, secret) is not None,
            follows_ready_label=ptemplate.spec.consumer_node_selector_from_ready_label,
        )

    async def _pods(self, daemon_set: DaemonSet | None, ctx: Context) -> tuple[str, ...]:
        if daemon_set is None:
            return ()
        found = await ctx.list(Pod, ctx.key.namespace, index=_BY_CONTROLLER, value=daemon_set.metadata.uid)
        return tuple(each.metadata.name for each in found)

    async def _act(self, ptemplate: Ptemplate, seen: Seen, ctx: Context) -> Seen:
        if seen.module_served:
            seen = replace(seen, module=await self._module(module_of(ptemplate), ctx))
        if seen.module is None and seen.daemon_set is None:
            return seen
        wanted = consumers_of(ptemplate)
        if seen.daemon_set is not None and _selector(seen.daemon_set) != _selector(wanted):
            # An earlier operator made it for us; a selector cannot be changed.
            await ctx.delete(DaemonSet, wanted.metadata.name)
            remains = await ctx.get(DaemonSet, wanted.metadata.name)
            if remains is not None:  # somebody's finalizer holds it; its end will wake us
                return replace(seen, daemon_set=remains)
        return replace(seen, daemon_set=await ctx.apply(wanted, manager=self.manager))

    async def _module(self, wanted: Module, ctx: Context) -> Module:
        live = await ctx.apply(wanted, manager=self.manager)
        strange = live.spec.selector.keys() - wanted.spec.selector.keys()
        if strange:  # an apply leaves them to whoever added them, but a selector is meant as a whole
            drop = MergePatch({"spec": {"selector": dict.fromkeys(sorted(strange))}})
            live = await ctx.patch(Module, wanted.metadata.name, drop)
        return live


class AliasPtemplateController(PtemplateController):
    """The same for the kind in its other group."""

    of = AliasPtemplate
    name = "ptemplate-alias"
    manager = f"{OPERATOR}-alias"
    owns = _owned(manager)


def _selector(daemon_set: DaemonSet) -> Json:
    return daemon_set.spec.selector.to_wire()


def add_to(manager: Manager) -> None:
    """Serve Ptemplates of both groups."""
    meters = Meters()
    meters.show(manager.metrics)
    manager.add(PtemplateController(meters))
    manager.add(AliasPtemplateController(meters))
