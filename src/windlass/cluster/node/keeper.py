from __future__ import annotations

from datetime import timedelta
from ipaddress import IPv4Network
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.client import MergePatch, StrategicPatch
from windlass.cluster.node.desired import (
    LEASES,
    PROJECT,
    lease,
    node,
    node_annotations,
    node_status,
    renewal,
)
from windlass.cluster.node.state import free_network
from windlass.errors import AlreadyExists, NotFound
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Node
from windlass.reconcile import Context, KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.cluster.node.nodes import Nodes
    from windlass.cluster.node.state import NodeState
    from windlass.kinds.core.v1.node import NodeStatus

LOST: Final = "node.windlass.dev/lost"
"""The annotation of a Node by which people with kubectl let it vanish."""
_REPORT: Final = timedelta(minutes=5)  # how old a node lets its word grow while nothing changes
_LEASE: Final = 4  # heartbeats that may be missed before a lease has run out


class NodeKeeper(KeyReconciler):
    """Brings nodes into the cluster, and lets them say that they are there.

    A Node that somebody deletes stays away until it is restored, as that of a kubelet does until it is
    started again.
    """

    name = "node"
    reads = (Watch(Node, to=lambda found: [Key("", found.metadata.name)]),)

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._joined: set[str] = set()
        self._taken_away: set[str] = set()
        self._networks: set[str] | None = None
        self.sources = (nodes.wake_node,)
        for name in nodes.states:
            nodes.wake_node.send(Key("", name), "started")

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        state = self._nodes.states.get(key.name)
        if state is None:
            return Result.ready()
        found = await ctx.get(Node, key.name)
        self._heed(state, found)
        if not state.is_up:
            self._joined.discard(key.name)
            return Result.ready()
        if key.name not in self._joined:
            found = await self._join(state, found, ctx)
        if found is None:
            return Result.ready()
        await self._report(state, found, ctx)
        heartbeat = self._nodes.options.heartbeat
        if heartbeat is not None:
            await self._renew(state, found.metadata.uid, heartbeat, ctx)
        return Result.ready(again=heartbeat)

    def _heed(self, state: NodeState, found: Node | None) -> None:
        """Let people take a node away, and bring it back, by an annotation of its Node."""
        is_asked = found is not None and LOST in found.metadata.annotations
        if is_asked and state.name not in self._taken_away:
            self._taken_away.add(state.name)
            self._nodes.lose(state.name)
        elif not is_asked and state.name in self._taken_away:
            self._taken_away.discard(state.name)
            self._nodes.restore(state.name)

    async def _join(self, state: NodeState, found: Node | None, ctx: Context) -> Node:
        """Have the Node made, or take over the one that is there."""
        if found is None:
            taken = await self._taken(ctx)
            state.network = state.network or free_network(state.number, taken)
            wanted = node(state, self._nodes.options, self._nodes.port, ctx.now)
            try:
                found = await ctx.create(wanted, owned=False)
            except AlreadyExists:  # it came this moment
                found = await ctx.live.get(Node, state.name)
        wanted_notes = node_annotations(self._nodes.options)
        if not wanted_notes.items() <= found.metadata.annotations.items():
            dropped = {PROJECT: None} | wanted_notes  # the last run may have had another project
            await ctx.patch(Node, state.name, MergePatch({"metadata": {"annotations": dropped}}))
        if found.spec.pod_cidr:
            state.network = IPv4Network(found.spec.pod_cidr)
        self._joined.add(state.name)
        self._nodes.registered(state)
        return found

    async def _taken(self, ctx: Context) -> set[str]:
        """The networks that nodes have already; others are not asked for theirs twice."""
        if self._networks is None:
            found = {each.spec.pod_cidr or "" for each in await ctx.list(Node)}
            if self._networks is None:  # another one may have asked meanwhile
                self._networks = found
        return self._networks

    async def _report(self, state: NodeState, found: Node, ctx: Context) -> None:
        status = node_status(state, self._nodes.options, self._nodes.port, found.status, ctx.now)
        beats = self._nodes.options.heartbeat is not None
        if _differs(found.status, status) or (beats and _is_old(found.status, ctx.now)):
            said = status.to_wire()
            said["allocatable"] |= dict.fromkeys(found.status.allocatable.keys() - status.allocatable.keys())
            await ctx.patch(Node, state.name, StrategicPatch({"status": said}), subresource="status")

    async def _renew(self, state: NodeState, uid: str, heartbeat: timedelta, ctx: Context) -> None:
        try:
            await ctx.patch(Lease, state.name, MergePatch(renewal(ctx.now)), LEASES)
        except NotFound:
            await ctx.create(lease(state.name, uid, heartbeat * _LEASE, ctx.now), owned=False)


def _differs(live: NodeStatus, wanted: NodeStatus) -> bool:
    """Whether a node has something to say, apart from that it is still there."""
    said = {each.type: each.status for each in live.conditions}
    return (
        any(said.get(each.type) != each.status for each in wanted.conditions)
        or any(live.capacity.get(name) != value for name, value in wanted.capacity.items())
        or live.allocatable != wanted.allocatable
        or live.addresses != wanted.addresses
        or live.daemon_endpoints != wanted.daemon_endpoints
    )


def _is_old(live: NodeStatus, now: datetime) -> bool:
    return any(
        each.type == "Ready" and each.last_heartbeat_time and now - each.last_heartbeat_time >= _REPORT
        for each in live.conditions
    )
