"""What is particular to ingresses and endpoint slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver import admission
from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]


class IngressTraits(BuiltinTraits):
    """An ingress belongs to a class."""

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None:
            admission.choose_ingress_class(obj, world)

    @override
    def settle(self, obj: Object) -> None:
        if not obj["spec"].get("rules"):
            obj["spec"].pop("rules", None)


class EndpointSliceTraits(BuiltinTraits):
    """The labels of a slice are counted too: they tell which service it is of."""

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        labels = (each["metadata"].get("labels") or {} for each in (obj, old))
        return super().counts(obj, old) or next(labels) != next(labels)
