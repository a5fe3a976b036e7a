from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.apiserver.crd import enforce
from windlass.apiserver.crd.scale import CustomScaling, scale_faults
from windlass.apiserver.table import CustomLayout
from windlass.apiserver.traits import WHOLE_METADATA, Traits, keep
from windlass.apiserver.validation.meta import METADATA, validate_meta, validate_meta_update
from windlass.apiserver.validation.names import dns_subdomain, path_segment
from windlass.schema import Fault
from windlass.schema.ownership import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.apiserver.crd.registrar import Registrar
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.scaling import Scaling
    from windlass.apiserver.store import Record
    from windlass.apiserver.table import Layout
    from windlass.apiserver.world import World
    from windlass.schema.custom import CustomSchema

    Schemas = Mapping[str, CustomSchema]

Object = dict[str, Any]

_NOT_COUNTED: Final = frozenset({"metadata", "kind", "apiVersion"})


class CustomTraits(Traits):
    """A kind that a definition describes: pruned, defaulted and validated by the schema of each version."""

    generation = True
    unconditional = False
    kept_by_status = WHOLE_METADATA

    def __init__(self, crd: Object, version: Object, schemas: Schemas, registrar: Registrar) -> None:
        self.definition: str = crd["metadata"]["name"]
        self.version = version
        self.status = "status" in (version.get("subresources") or {})
        self.field_labels = {
            each["jsonPath"].lstrip("."): tuple(each["jsonPath"].lstrip(".").split("."))
            for each in version.get("selectableFields") or ()
        }
        self._schemas = schemas
        self.schema = schemas[version["name"]]
        self._stored = schemas[next(each["name"] for each in crd["spec"]["versions"] if each["storage"])]
        self._kind: str = crd["spec"]["names"]["kind"]
        self._namespaced = crd["spec"]["scope"] == "Namespaced"
        self._scale = (version.get("subresources") or {}).get("scale")
        self._scaling = CustomScaling(crd, version) if self._scale else None
        self._registrar = registrar
        self._terminating = "deletionTimestamp" in crd["metadata"]

    @override
    def body(self, resource: Resource, record: Record) -> bytes:
        if record.canon is resource.shape:
            return record.body
        obj = record.object()
        self.schema.prune(obj)
        self.schema.fill(obj)
        text = orjson.dumps(obj)
        if record.canon is None and text == record.body:
            record.canon = resource.shape
        return text

    @override
    def to_storage(self, resource: Resource, obj: Object) -> Object:
        if self._stored is not self.schema:
            self._stored.prune(obj)
            self._stored.fill(obj)
        return obj

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        return enforce.decode(resource, self.schema, call, validation)

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        return enforce.patched(resource, self.schema, outcome, call, validation)

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        self.schema.prune(obj)
        self.schema.fill(obj)
        return obj

    @override
    def layout(self) -> Layout:
        return CustomLayout(self.version.get("additionalPrinterColumns"))

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        for name in old.keys() | obj.keys():
            if name not in ("status", "metadata", "kind", "apiVersion"):
                keep(obj, old, name)
        meta = {**old["metadata"], "resourceVersion": obj["metadata"].get("resourceVersion", "")}
        if "managedFields" in obj["metadata"]:
            meta["managedFields"] = obj["metadata"]["managedFields"]
        obj["metadata"] = meta

    @override
    def rules(self, resource: Resource, subresource: str) -> Rules:
        group, reset = resource.kind.group, self.reset(subresource)
        versions = {f"{group}/{name}": schema for name, schema in self._schemas.items()}
        return Rules(
            shapes={version: schema.shape for version, schema in versions.items()},
            convert=lambda obj, version: _converted(obj, version, versions[version]),
            custom=True,
            reset=dict.fromkeys(versions, reset),
        )

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        ignored = _NOT_COUNTED | ({"status"} if self.status else set())
        return any(obj.get(name) != old.get(name) for name in (obj.keys() | old.keys()) - ignored)

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        if obj.get("kind") != self._kind:
            yield Fault.invalid("kind", obj.get("kind", ""), f"must be {self._kind}")
        metadata = obj["metadata"]
        rule = dns_subdomain if old is None else path_segment
        yield from validate_meta(metadata, METADATA, namespaced=self._namespaced, name_rule=rule)
        if old is not None:
            yield from validate_meta_update(metadata, old["metadata"], METADATA)
        if subresource == "status" and old is not None:
            yield from self.schema.status_faults(obj, old)
        else:
            yield from self.schema.faults(obj, old)
        if self._scale:
            yield from scale_faults(obj, self._scale, status=subresource == "status")

    @override
    def scaling(self, resource: Resource) -> Scaling:
        return self._scaling or super().scaling(resource)

    @override
    def deleted(self, obj: Object, world: World) -> None:
        self._registrar.emptied(self.definition)


def _converted(obj: Object, version: str, schema: CustomSchema) -> Object:
    """An object in terms of another version: nothing but its apiVersion differs, and what its schema knows."""
    converted: Object = orjson.loads(orjson.dumps(obj))
    converted["apiVersion"] = version
    schema.prune(converted)
    schema.fill(converted)
    return converted
