"""What nodes offer and pods take of the extended resource, from as little of each as is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.api import Selection
from windlass.client import JsonPatch, MergePatch
from windlass.kinds.core.v1 import Node, Pod
from windlass.operators.peerpod.desired import CONFIG
from windlass.operators.peerpod.spread import Host
from windlass.reconcile import Digest, Index

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from windlass.api import Change, Json, Quantity, Snapshot
    from windlass.kinds.core.v1 import Container

LIMIT: Final = "kata.peerpods.io/limit"
"""The annotation by which a node says what it is to offer."""

ADVERTISED_BY: Final = "kata.peerpods.io/caa-owner"
"""The annotation of a node whose cloud-api-adaptor advertises, and withdraws, by itself."""

NODES: Final = Selection(keep=(".spec.unschedulable", ".status.capacity", ".status.allocatable"))
PODS: Final = Selection(
    fields="spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed",
    keep=(".spec.nodeName", ".spec.containers", ".spec.initContainers"),
)
"""Pods that have a node, and have not ended."""

EVERY_NODE: Final = Index(Node, lambda _: "node", undecoded=True)


class Machine(NamedTuple):
    """What has to be known of a node."""

    uid: str
    labels: Mapping[str, str]
    config: str
    advertised: int | None
    allocatable: int | None
    override: int | None
    is_kept: bool
    is_open: bool
    is_going: bool

    def host(self, name: str, used: int, override: int | None) -> Host:
        """How a spread sees it. Who advertises by themselves is left alone; a config wins over a node."""
        if self.is_kept:
            return Host(name, 0, self.advertised, self.advertised or 0)
        return Host(name, used, self.advertised, self.override if override is None else override)


class Meter:
    """Reads an extended resource off nodes and pods, and writes what a node offers."""

    def __init__(self, resource: str) -> None:
        self._resource = resource
        self._text = resource.encode()
        self.machines = Digest(Node, self._machine)
        self.taken = Digest(Pod, self._taken)
        self.takers = Index(Pod, self._is_taker, undecoded=True)

    def is_news_of_node(self, change: Change[Node]) -> bool:
        """Whether a change of a node is one that matters here, and no heartbeat."""
        if change.old is None or change.new is None:
            return True
        return self._matter(change.old) != self._matter(change.new)

    def is_news_of_pod(self, change: Change[Pod]) -> bool:
        """Whether a change of a pod changes what is taken."""
        return self._text in change.latest.raw and (change.old is None or change.new is None)

    def offer(self, uid: str, config: str, share: int, *, allocatable: bool) -> MergePatch:
        """The patch by which a node offers a share, in the name of a config.

        One write for both, so that no crash leaves a share of which nobody knows whose it is.
        """
        offered = {self._resource: str(share)}
        status: Json = {"capacity": offered, **({"allocatable": offered} if allocatable else {})}
        return MergePatch({"metadata": {"uid": uid, "annotations": {CONFIG: config}}, "status": status})

    def withdrawal(self, machine: Machine, *, allocatable: bool) -> JsonPatch:
        """The patch by which a node offers nothing any more, refused if another config has it by now.

        What the node's own adaptor advertises stays.
        """
        mark = _path("metadata", "annotations", CONFIG)
        steps: list[Json] = [
            {"op": "test", "path": "/metadata/uid", "value": machine.uid},
            {"op": "test", "path": mark, "value": machine.config},
            {"op": "remove", "path": mark},
        ]
        if not machine.is_kept and machine.advertised is not None:
            steps.append({"op": "remove", "path": _path("status", "capacity", self._resource)})
        if not machine.is_kept and allocatable and machine.allocatable is not None:
            steps.append({"op": "remove", "path": _path("status", "allocatable", self._resource)})
        return JsonPatch(steps)

    def _matter(self, state: Snapshot[Node]) -> tuple[Any, ...]:
        metadata, status = state.metadata, state.data.get("status", {})
        return (
            metadata.get("labels"),
            {name: metadata.get("annotations", {}).get(name) for name in (CONFIG, LIMIT, ADVERTISED_BY)},
            metadata.get("deletionTimestamp"),
            state.data.get("spec"),
            *(status.get(name, {}).get(self._resource) for name in ("capacity", "allocatable")),
        )

    def _machine(self, node: Node) -> Machine:
        annotations = node.metadata.annotations
        return Machine(
            uid=node.metadata.uid,
            labels=node.metadata.labels,
            config=annotations.get(CONFIG, ""),
            advertised=self._amount(node.status.capacity),
            allocatable=self._amount(node.status.allocatable),
            override=parse_limit(annotations.get(LIMIT, "")),
            is_kept=bool(annotations.get(ADVERTISED_BY)),
            is_open=not node.spec.unschedulable,
            is_going=node.metadata.deletion_timestamp is not None,
        )

    def _amount(self, amounts: Mapping[str, Quantity]) -> int | None:
        found = amounts.get(self._resource)
        return None if found is None else int(found)

    def _is_taker(self, state: Snapshot[Pod]) -> str | None:
        return "pod" if self._text in state.raw else None

    def _taken(self, pod: Pod) -> tuple[str, int]:
        """The node of a pod, and how many virtual machines it takes there."""
        lasting = [each for each in pod.spec.init_containers if each.restart_policy == "Always"]
        passing = [each for each in pod.spec.init_containers if each.restart_policy != "Always"]
        running = sum(map(self._asked, (*pod.spec.containers, *lasting)))
        return pod.spec.node_name or "", max([running, *map(self._asked, passing)])

    def _asked(self, container: Container) -> int:
        resources = container.resources
        if resources is None:
            return 0
        return self._amount(resources.requests) or self._amount(resources.limits) or 0


def _path(*steps: str) -> str:
    """A path as JSON patches write it."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


def parse_limit(text: str | int) -> int | None:
    """A whole number that is not negative; None where it is none."""
    given = str(text).strip()
    return int(given) if given.isascii() and given.isdigit() else None
