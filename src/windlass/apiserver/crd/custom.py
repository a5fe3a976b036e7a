from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.crd.finalizer import finalizer_warning
from windlass.apiserver.crd.form import CustomForm
from windlass.apiserver.crd.scale import CustomScaling, scale_faults
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.traits import WHOLE_METADATA, keep
from windlass.apiserver.validation.meta import METADATA, validate_meta, validate_meta_update
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.schema import Fault, alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.crd.family import Family
    from windlass.apiserver.crd.lifecycle import Lifecycle
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.scaling import Scaling
    from windlass.apiserver.world import World
    from windlass.schema.ownership import Rules

Object = dict[str, Any]

_NOT_COUNTED: Final = frozenset({"metadata", "kind", "apiVersion"})
_GOING: Final = "create not allowed while custom resource definition is terminating"


class CustomTraits(CustomForm):
    """One version of a kind that a definition describes: validated by its schema, with its subresources."""

    generation = True
    unconditional = False
    kept_by_status = WHOLE_METADATA

    def __init__(self, crd: Object, version: Object, family: Family, lifecycle: Lifecycle) -> None:
        super().__init__(version, family)
        spec, below = crd["spec"], version.get("subresources") or {}
        self._definition: str = crd["metadata"]["name"]
        self._plural: str = spec["names"]["plural"]
        self._group: str = spec["group"]
        self._namespaced = spec["scope"] == "Namespaced"
        self._lifecycle = lifecycle
        self.status = below.get("status") is not None
        self._with_status = [
            family.version(each["name"])
            for each in spec["versions"]
            if (each.get("subresources") or {}).get("status") is not None
        ]
        self.field_labels = {
            each["jsonPath"].lstrip("."): tuple(each["jsonPath"].lstrip(".").split("."))
            for each in version.get("selectableFields") or ()
        }
        self._scale = below.get("scale")
        self._scaling = CustomScaling(crd, version) if self._scale else None

    @override
    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        if old is None and self._lifecycle.is_terminating(self._definition):
            raise Refusal.forbidden(self._group, self._plural, obj["metadata"].get("name", ""), _GOING)

    @override
    def read_again(self, obj: Object) -> Object:
        self.schema.read_embedded(obj)  # what was applied has not been read so far
        status = self.schema.shape.properties.get("status")
        if "status" in obj or status is None or status.default is None:
            return obj
        shown = {**obj}
        self.schema.fill(shown)  # a creation drops the status, and every reading finds its default
        return shown

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        for name in {**old, **obj}:
            if name not in ("status", "metadata"):
                keep(obj, old, name)
        meta = {**old["metadata"], "resourceVersion": obj["metadata"].get("resourceVersion", "")}
        meta.pop("managedFields", None)
        if "managedFields" in obj["metadata"]:
            meta["managedFields"] = obj["metadata"]["managedFields"]
        obj["metadata"] = meta

    @override
    def rules(self, resource: Resource, subresource: str) -> Rules:
        reset = self.reset(subresource)
        if subresource != "status":
            return self._family.rules({self._version: reset})
        return self._family.rules(dict.fromkeys(self._with_status, reset))

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        ignored = _NOT_COUNTED | ({"status"} if self.status else set())
        new, before = ({name: part[name] for name in part.keys() - ignored} for part in (obj, old))
        return not alike(new, before)

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        metadata, of_status = obj["metadata"], subresource == "status" and old is not None
        misnamed = list(self._type_faults(obj))
        if old is not None:
            yield from validate_meta(metadata, METADATA, namespaced=self._namespaced, name_rule=path_segment)
        if misnamed:
            yield from misnamed
            yield from self.schema.later_faults(obj, old, status=of_status)
            return
        if old is None:
            rule = dns_subdomain
            found = [*validate_meta(metadata, METADATA, namespaced=self._namespaced, name_rule=rule)]
        else:
            found = [*validate_meta_update(metadata, old["metadata"], METADATA)]
        yield from found
        if of_status and old is not None:
            yield from self.schema.status_faults(obj, old)
        else:
            yield from self.schema.faults(obj, old, elsewhere=found)
        if self._scale:
            yield from scale_faults(obj, self._scale, status=subresource == "status")

    @override
    def warnings(self, obj: Object, old: Object | None) -> Iterable[str]:
        names = set(obj["metadata"].get("finalizers", ()))
        if old is not None:
            names -= set(old["metadata"].get("finalizers", ()))
        return [text for name in sorted(names) if (text := finalizer_warning(name))]

    @override
    def excuses(self, obj: Object, old: Object, faults: Sequence[Fault]) -> Iterable[str]:
        return map(str, self.schema.excused(obj, old, faults))

    @override
    def scaling(self, resource: Resource) -> Scaling:
        return self._scaling or super().scaling(resource)

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self._lifecycle.emptied(self._definition)

    def _type_faults(self, obj: Object) -> Iterable[Fault]:
        kind, version = obj.get("kind", ""), obj.get("apiVersion", "")
        if kind != self._family.kind:
            yield Fault.invalid("kind", kind, f"must be {self._family.kind}")
        if version != self._version:
            yield Fault.invalid("apiVersion", version, f"must be {self._version}")
