"""What is particular to ingresses and endpoint slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.world import World

Object = dict[str, Any]


class IngressTraits(BuiltinTraits):
    """An ingress belongs to a class."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.choose_ingress_class(obj, world)

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        spec = obj.get("spec") or {}
        if spec.get("rules") == [] and "defaultBackend" in spec:  # without one, its refusal shows the list
            del spec["rules"]
        return super().finished(resource, obj)


class EndpointSliceTraits(BuiltinTraits):
    """The labels of a slice are counted too: they tell which service it is of.

    So are topologies in their old form, although they are not kept.
    """

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        _drop_topologies(obj)

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        if _drop_topologies(obj):
            obj["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        labels = (each["metadata"].get("labels") or {} for each in (obj, old))
        return super().counts(obj, old) or next(labels) != next(labels)


def _drop_topologies(slice_: Object) -> bool:
    """Take the old form of topologies out of the endpoints of a slice: whether any had one."""
    topologies = [each.pop("deprecatedTopology", None) for each in slice_.get("endpoints") or ()]
    return any(topologies)
