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
    rules,
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

BROKEN_RULES: Final[tuple[Edit, ...]] = (
    {"/spec/size": 95},
    {"/spec/size": 2},
    {"/spec/ratio": 60},
    {"/spec/colour": "invisible"},
    {"/spec/since": "2050-01-01T00:00:00Z"},
    {"/spec/host": "10.0.0.1"},
    {"/spec/host": "10.0.0.2"},
    {"/spec/host": ABSENT},
    {"/spec/limit": 70},
    {"/spec/limit": "x"},
    {"/spec/tags": ["x", "bad"]},
    {
        "/spec/ports": [
            {"name": "admin", "number": 80},
            {"name": "b", "number": 81, "options": {"retries": 7}},
        ]
    },
    {"/spec/ports/0/options": {"retries": 3}},
    {"/spec/ports/0/options": {"retries": 2}},
    {"/spec/ports/-": {"number": 9, "protocol": "UDP"}},
    {"/spec/steps": [[3, 2], [1]]},
    {"/spec/labels": {"a": "b", "bad": "a", "c": "c"}},
    {"/spec/template/kind": "Secret"},
    {"/spec/template/metadata/name": "Secret"},
    {"/spec/window": {"start": "never"}},
    {"/status": {"replicas": 200, "conditions": [{"type": "Bad"}, {"type": "Ready", "reason": "None"}]}},
    {"/status/replicas": 5},
    {"/status/replicas": 4},
)
"""Changes that break a rule, or are broken by the next one."""

PLURAL: Final = "gadgets"
KIND: Final = "Gadget"
VERSIONS: Final = ("v1", "v1beta1")

_PORT: Final = obj(
    name=string(minLength=1),
    number=integer(minimum=1, maximum=65535),
    protocol=string(default="TCP", enum=["TCP", "UDP"]),
    options=obj(eager=boolean(default=False), retries=integer(format="int32") | rules("self >= oldSelf")),
) | needs("number")
_SPEC: Final = {
    "size": integer(minimum=0, maximum=100, default=1)
    | rules(
        {"rule": "self < 90", "messageExpression": "'%d is too many'.format([self])"}, "6 / (self - 2) < 7"
    ),
    "ratio": number(exclusiveMinimum=True, minimum=0, multipleOf=0.5),
    "colour": string(pattern="^[a-z]+$", maxLength=10, default="grey")
    | rules({"rule": "self != 'invisible'", "reason": "FieldValueForbidden", "message": "nobody sees it"}),
    "since": string(format="date-time", nullable=True) | rules("self < timestamp('2040-01-01T00:00:00Z')"),
    "host": string(format="ipv4", maxLength=15) | rules({"rule": "self == oldSelf", "message": "stays"}),
    "limit": INT_OR_STRING
    | {"default": "10%"}
    | rules("type(self) == int ? self < 50 : self.endsWith('%')", "self == '10%' || self > 3"),
    "tags": array(string(maxLength=5), maxItems=4)
    | SET
    | rules(
        "self.all(tag, tag != 'bad')", {"rule": "oldSelf.orValue([]).size() < 4", "optionalOldSelf": True}
    ),
    "ports": array(_PORT, maxItems=20)
    | map_by("number", "protocol")
    | rules({"rule": "self.exists_one(port, port.name == 'web')", "reason": "FieldValueRequired"}),
    "steps": array(array(integer(), maxItems=5) | rules("self.isSorted()"), maxItems=5),
    "labels": mapping(string(maxLength=9) | rules("self != 'b'"), maxProperties=3)
    | rules("self.all(key, self[key] != key)"),
    "reference": obj(name=string(), kind=string(default="Secret")) | ATOMIC_MAP,
    "template": {"type": "object"}
    | EMBEDDED
    | PRESERVE
    | rules(
        {"rule": "self.kind != 'Secret' && self.metadata.name != self.kind", "reason": "FieldValueDuplicate"}
    ),
    "free": {"type": "object"} | PRESERVE,
    "window": obj(start=string(), stop=string(default="never"))
    | {"default": {"start": "now"}}
    | rules({"rule": "self.start != self.?stop.orValue('never')", "fieldPath": ".stop"}),
    "note": string(nullable=True, default="none"),
}
_CONDITION: Final = (
    obj(type=string(maxLength=20), status=string(), reason=string(maxLength=20))
    | needs("type")
    | rules("self.type != 'Bad'", "!has(self.reason) || self.reason != 'None'")
)
_STATUS: Final = {
    "replicas": integer() | rules("self >= oldSelf"),
    "selector": string(),
    "phase": string(enum=["Up", "Down"]),
    "conditions": array(_CONDITION, maxItems=10) | map_by("type"),
}
_HALF: Final = {"rule": "!has(self.ratio) || self.ratio <= 50.0 || self.size > 9", "message": "half at most"}
_ROOT_RULES: Final = (
    "!has(self.status) || !has(self.status.replicas) || self.status.replicas <= self.spec.size * 3",
    "self.metadata.name.size() < 60 && self.kind == 'Gadget'",
)
_COLUMNS: Final = [
    {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
    {"name": "Colour", "type": "string", "jsonPath": ".spec.colour", "priority": 1},
    {"name": "Ports", "type": "string", "jsonPath": ".spec.ports[*].number"},
    {"name": "Since", "type": "date", "jsonPath": ".spec.since"},
]


def _version(name: str, spec: Object, **more: Any) -> Object:
    schema = obj(spec=obj(spec) | needs("size") | rules(_HALF), status=obj(_STATUS)) | rules(*_ROOT_RULES)
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
