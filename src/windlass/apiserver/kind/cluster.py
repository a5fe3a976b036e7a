"""What is particular to nodes, and to kinds that rule a cluster or a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.world import World

Object = dict[str, Any]


def _unschedulable(node: Mapping[str, Any]) -> str:
    return "true" if node.get("spec", {}).get("unschedulable") else "false"


class NodeTraits(BuiltinTraits):
    """A node comes with its status, and is not ready before it is found so."""

    field_labels = {"spec.unschedulable": _unschedulable}

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.taint(obj)

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        obj["status"].pop("config", None)

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_status(obj, old, world)
        if "config" not in old.get("status", {}):
            obj["status"].pop("config", None)


class LimitRangeTraits(BuiltinTraits):
    """A limit range needs no name."""

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        if not obj["metadata"].get("name"):
            obj["metadata"]["name"] = world.uid()


class PriorityClassTraits(BuiltinTraits):
    """There is one default priority; a class has its first generation only."""

    immortal = dict.fromkeys(
        ("system-node-critical", "system-cluster-critical"),
        "this is a system priority class and cannot be deleted",
    )

    @override
    def permit(self, obj: Object, old: Object | None, world: World) -> None:
        admission.check_default(obj, old, world)

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        return False
