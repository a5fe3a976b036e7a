"""A small kind, much like a Deployment, for tests of who owns what; and short ways to write to its objects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from windlass.schema.ownership import Grammar, Rules, Writer, applied, updated
from windlass.schema.shape import Library, Shape

Object = dict[str, Any]

V1, V2 = "example.com/v1", "example.com/v2"
NOW, LATER, EARLIER = (f"2026-01-01T00:00:0{second}Z" for second in (2, 3, 1))
TEXT: Object = {"type": "string"}
INTEGER: Object = {"type": "integer"}
MAP: Object = {"type": "object", "additionalProperties": TEXT}
SET: Object = {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}
ATOMIC: Object = {"x-kubernetes-map-type": "atomic"}
UNKNOWN: Object = {"x-kubernetes-preserve-unknown-fields": True}


def obj(**properties: Object) -> Object:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def array(items: Object) -> Object:
    """The schema of a list."""
    return {"type": "array", "items": items}


def list_map(*keys: str, **properties: Object) -> Object:
    """The schema of a list whose items are told apart by some of their fields."""
    return {
        **array(obj(**properties)),
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": list(keys),
    }


PORTS = list_map("port", "protocol", port=INTEGER, protocol={"type": "string", "default": "TCP"}, name=TEXT)
CONTAINERS = list_map(
    "name", name=TEXT, image=TEXT, args=array(TEXT), env=list_map("name", name=TEXT, value=TEXT), ports=PORTS
)
METADATA = obj(
    name=TEXT, namespace=TEXT, uid=TEXT, resourceVersion=TEXT, labels=MAP, annotations=MAP, finalizers=SET
)
SPEC = obj(replicas=INTEGER, selector={**MAP, **ATOMIC}, containers=CONTAINERS, tags=SET, extra=UNKNOWN)
STATUS = obj(phase=TEXT, ready=INTEGER)


def rules(spec: Object = SPEC, **options: Any) -> Rules:
    """The rules of a kind with this spec, in one version unless others are given."""
    library = Library({"metadata": METADATA, "kind": obj(spec=spec, status=STATUS)})
    options.setdefault("shapes", {V1: library.shape("kind")})
    return Rules(grammar=Grammar(library.shape("metadata")), **options)


def shape(schema: Object) -> Shape:
    """A schema that refers to nothing."""
    return Shape(schema)


def thing(spec: Any = None, api_version: str = V1, **fields: Any) -> Object:
    """An object; what is not given is not there."""
    metadata = {"name": "a", **fields.pop("metadata", {})}
    content = {} if spec is None else {"spec": spec}
    return {"apiVersion": api_version, "kind": "Thing", "metadata": metadata, **content, **fields}


def stored(value: Object) -> Object:
    """An object that has been stored."""
    return {**value, "metadata": {**value["metadata"], "uid": "1"}}


class Server:
    """Keeps one object, and lets managers write to it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.live: Object | None = None
        self.writer = Writer("", NOW, V1)

    def update(self, manager: str, new: Object, **writer: str) -> Object:
        """Put an object in the place of the present one; managed fields are those of the present one."""
        new = stored(new)
        if self.live is not None and "managedFields" not in new["metadata"]:
            new["metadata"]["managedFields"] = self.live["metadata"].get("managedFields")
        updated(self.live, new, replace(self.writer, manager=manager, **writer), self.rules)
        self.live = new
        return new

    def apply(self, manager: str, config: Object, *, force: bool = False, **writer: str) -> Object:
        """Apply a configuration."""
        by = replace(self.writer, manager=manager, **writer)
        self.live = stored(applied(self.live, config, by, self.rules, force=force))
        return self.live

    def entries(self) -> list[Object]:
        """The managed fields as they are."""
        found: list[Object] = (self.live or {})["metadata"].get("managedFields", [])
        return found

    def owned(self, manager: str, operation: str = "Apply", subresource: str = "") -> Object | None:
        """The fields that a manager owns."""
        for entry in self.entries():
            key = (entry["manager"], entry["operation"], entry.get("subresource", ""))
            if key == (manager, operation, subresource):
                fields: Object = entry["fieldsV1"]
                return fields
        return None
