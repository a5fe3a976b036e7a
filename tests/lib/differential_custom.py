"""A custom kind that uses most of what a schema can say, in two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from broken import ABSENT
from contract_crd import (
    ATOMIC_MAP,
    EMBEDDED,
    INT_OR_STRING,
    PRESERVE,
    SET,
    array,
    boolean,
    definition,
    integer,
    map_by,
    mapping,
    needs,
    number,
    obj,
    string,
    version,
)

if TYPE_CHECKING:
    from broken import Edit
    from contract import Object

CUSTOM_EDITS: Final[tuple[Edit, ...]] = (
    {"/spec/size": 5},
    {"/spec/size": ABSENT},
    {"/spec/colour": ABSENT},
    {"/spec/limit": "20%"},
    {"/spec/tags": ["z"]},
    {"/spec/tags/-": "w"},
    {"/spec/ports/0/options": {"eager": True}},
    {"/spec/ports/-": {"number": 443, "name": "tls"}},
    {"/spec/labels/b": "2"},
    {"/spec/reference": {"name": "other"}},
    {"/spec/template/data/c": 1},
    {"/spec/free": {"any": [1, {"thing": None}]}},
    {"/spec/window": {}},
    {"/spec/note": "said"},
    {"/spec/since": None},
    {"/status": {"phase": "Up", "replicas": 2, "conditions": [{"type": "Ready", "status": "True"}]}},
    {"/status/conditions": [{"type": "Ready"}, {"type": "Stalled"}]},
)
"""Changes of `custom_manifest` that a server takes."""

PLURAL: Final = "gadgets"
KIND: Final = "Gadget"
VERSIONS: Final = ("v1", "v1beta1")

_PORT: Final = obj(
    name=string(minLength=1),
    number=integer(minimum=1, maximum=65535),
    protocol=string(default="TCP", enum=["TCP", "UDP"]),
    options=obj(eager=boolean(default=False), retries=integer(format="int32")),
) | needs("number")
_SPEC: Final = {
    "size": integer(minimum=0, maximum=100, default=1),
    "ratio": number(exclusiveMinimum=True, minimum=0, multipleOf=0.5),
    "colour": string(pattern="^[a-z]+$", maxLength=10, default="grey"),
    "since": string(format="date-time", nullable=True),
    "host": string(format="ipv4"),
    "limit": INT_OR_STRING | {"default": "10%"},
    "tags": array(string(maxLength=5), maxItems=4) | SET,
    "ports": array(_PORT) | map_by("number", "protocol"),
    "steps": array(array(integer())),
    "labels": mapping(string(), maxProperties=3),
    "reference": obj(name=string(), kind=string(default="Secret")) | ATOMIC_MAP,
    "template": {"type": "object"} | EMBEDDED | PRESERVE,
    "free": {"type": "object"} | PRESERVE,
    "window": obj(start=string(), stop=string(default="never")) | {"default": {"start": "now"}},
    "note": string(nullable=True, default="none"),
}
_STATUS: Final = {
    "replicas": integer(),
    "selector": string(),
    "phase": string(enum=["Up", "Down"]),
    "conditions": array(obj(type=string(), status=string(), reason=string()) | needs("type"))
    | map_by("type"),
}
_COLUMNS: Final = [
    {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
    {"name": "Colour", "type": "string", "jsonPath": ".spec.colour", "priority": 1},
    {"name": "Ports", "type": "string", "jsonPath": ".spec.ports[*].number"},
    {"name": "Since", "type": "date", "jsonPath": ".spec.since"},
]


def _version(name: str, spec: Object, **more: Any) -> Object:
    schema = obj(spec=obj(spec) | needs("size"), status=obj(_STATUS))
    scale = {
        "specReplicasPath": ".spec.size",
        "statusReplicasPath": ".status.replicas",
        "labelSelectorPath": ".status.selector",
    }
    return version(
        name,
        schema,
        subresources={"status": {}, "scale": scale},
        additionalPrinterColumns=_COLUMNS,
        **more,
    )


def custom_definition(group: str) -> Object:
    """The definition of the kind in a group: the older version knows no `free`, and another default."""
    older = {name: schema for name, schema in _SPEC.items() if name != "free"}
    older["colour"] = string(pattern="^[a-z]*$", default="green")
    return definition(
        group,
        _version("v1", _SPEC, selectableFields=[{"jsonPath": ".spec.colour"}]),
        _version("v1beta1", older, storage=False),
        plural=PLURAL,
        kind=KIND,
    )


def custom_manifest(group: str, version_name: str) -> Object:
    """A manifest that has nearly every field."""
    spec = {
        "size": 3,
        "ratio": 1.5,
        "colour": "red",
        "since": "2020-01-02T03:04:05Z",
        "limit": 5,
        "tags": ["x", "y"],
        "ports": [{"name": "web", "number": 80}, {"name": "dns", "number": 53, "protocol": "UDP"}],
        "steps": [[1, 2], []],
        "labels": {"a": "1"},
        "reference": {"name": "key"},
        "template": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "t"}, "data": {"a": "b"}},
        "note": None,
    }
    return {"apiVersion": f"{group}/{version_name}", "kind": KIND, "metadata": {"name": "a"}, "spec": spec}
