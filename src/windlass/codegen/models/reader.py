"""From OpenAPI schemas to classes: named definitions of an API server, and the inline schemas of CRDs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Model, Resource
from windlass.codegen.models.names import attribute, camel, class_name
from windlass.codegen.models.shape import Annotation, ClassShape, FieldShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Kind

_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1."
_ANYTHING: Final = Annotation("Any", frozenset({"Any"}))
_FREE_OBJECT: Final = Annotation("dict[str, Any]", frozenset({"Any"}))


def _api(name: str) -> Annotation:
    return Annotation(name, frozenset({name}))


KNOWN: Final[Mapping[str, Annotation]] = {
    f"{_META}Time": _api("Time"),
    f"{_META}MicroTime": _api("MicroTime"),
    f"{_META}ObjectMeta": _api("ObjectMeta"),
    f"{_META}OwnerReference": _api("OwnerReference"),
    f"{_META}LabelSelector": _api("LabelSelector"),
    f"{_META}LabelSelectorRequirement": _api("LabelSelectorRequirement"),
    f"{_META}Condition": _api("Condition"),
    f"{_META}FieldsV1": _FREE_OBJECT,
    "io.k8s.apimachinery.pkg.api.resource.Quantity": _api("Quantity"),
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": _api("IntOrString"),
    "io.k8s.apimachinery.pkg.runtime.RawExtension": _FREE_OBJECT,
}
"""Definitions that `windlass.api` has by hand."""

_IMPORTED: Final = frozenset(
    {"Annotated", "Base64", "Field", "Literal", "Model", "Nullable", "Resource", "Wire"}
).union(*(annotation.imports for annotation in KNOWN.values()))
_TAKEN: Final = frozenset(name for name in dir(Model) if not name.startswith("__"))
_TAKEN_IN_RESOURCES: Final = frozenset(name for name in dir(Resource) if not name.startswith("__"))
_SCALARS: Final = {"integer": Annotation("int"), "boolean": Annotation("bool"), "number": Annotation("float")}
_OF_THE_BASE: Final = ("apiVersion", "kind", "metadata")
# A time of somebody else's keeps its fraction of a second, which Time would cut off.
_FORMATS: Final = {"date-time": Annotation("datetime", frozenset({"datetime"})), "byte": _api("Base64")}
_ZEROS: Final = {"str": '""', "int": "0", "bool": "False", "float": "0.0"}


@dataclass(slots=True)
class Reader:
    """Collects the classes for schemas; each definition and each inline object becomes one class, once."""

    definitions: Mapping[str, Any] = field(default_factory=dict)
    enums: bool = True
    classes: dict[str, ClassShape] = field(default_factory=dict)

    def resource(self, key: str, kind: Kind, schema: Mapping[str, Any]) -> ClassShape:
        """The class of a kind; its apiVersion, kind and metadata are the base's."""
        self._reserve(key)
        name = class_name(key.rsplit(".", 1)[-1], _IMPORTED)
        own = {
            wire: below for wire, below in schema.get("properties", {}).items() if wire not in _OF_THE_BASE
        }
        read = self._fields(name, {**schema, "properties": own}, _TAKEN_IN_RESOURCES)
        fields = tuple(self._always_there(each) for each in read)
        return self._add(ClassShape(key, name, "Resource", fields, kind, _description(schema)))

    def part(self, key: str, name: str, schema: Mapping[str, Any], base: str = "Model") -> ClassShape:
        """The class of an object that is no kind."""
        self._reserve(key)
        fields = self._fields(name, schema, _TAKEN)
        if base == "Status" or name.endswith("Status"):
            fields = tuple(map(_never_required, fields))
        return self._add(ClassShape(key, name, base, fields, None, _description(schema)))

    def annotation(self, schema: Mapping[str, Any], name: str) -> Annotation:
        """The Python type of a schema; `name` is what an object found in it shall be called."""
        if len(schema.get("allOf", ())) == 1 and "$ref" in schema["allOf"][0]:
            schema = schema["allOf"][0]
        if "$ref" in schema:
            return self._reference(schema["$ref"].rsplit("/", 1)[-1])
        if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
            return _api("IntOrString")
        match schema.get("type"):
            case "array":
                return self._element(schema.get("items", {}), name).inside("list[{}]")
            case "object":
                return self._object(schema, name)
            case "string":
                return self._string(schema)
        return _SCALARS.get(schema.get("type", ""), _ANYTHING)

    def _element(self, schema: Mapping[str, Any], name: str) -> Annotation:
        """The type of what a list or a map holds, which may be null."""
        found = self.annotation(schema, name)
        return found.inside("{} | None") if schema.get("nullable") and found != _ANYTHING else found

    def _string(self, schema: Mapping[str, Any]) -> Annotation:
        values = [value for value in schema.get("enum") or () if isinstance(value, str)]
        if self.enums and values:
            return Annotation(f"Literal[{', '.join(map(repr, values))}]", frozenset({"Literal"}))
        return _FORMATS.get(schema.get("format", ""), Annotation("str"))

    def _object(self, schema: Mapping[str, Any], name: str) -> Annotation:
        extra: Any = schema.get("additionalProperties")
        if schema.get("x-kubernetes-embedded-resource") or not (
            schema.get("properties") or isinstance(extra, dict)
        ):
            return _FREE_OBJECT
        if not schema.get("properties"):
            return self._element(extra, name).inside("dict[str, {}]")
        name = class_name(name, _IMPORTED.union(self.classes))
        self.part(name, name, schema)
        return Annotation(name, refers=frozenset({name}))

    def _reference(self, key: str) -> Annotation:
        if key in KNOWN:
            return KNOWN[key]
        schema = self.definitions[key]
        if "properties" not in schema:
            return self.annotation({k: v for k, v in schema.items() if k != "$ref"}, key.rsplit(".", 1)[-1])
        name = key.rsplit(".", 1)[-1]
        if key not in self.classes:
            self.part(key, name, schema)
        return Annotation(name, refers=frozenset({key}))

    def _fields(self, owner: str, schema: Mapping[str, Any], taken: frozenset[str]) -> tuple[FieldShape, ...]:
        required = set(schema.get("required", ()))
        fields: dict[str, FieldShape] = {}
        for wire, below in sorted(schema.get("properties", {}).items()):  # as a server lists them
            name = attribute(wire, taken)
            while name in fields:
                name += "_"
            annotation = self.annotation(below, owner + camel(wire))
            make = _nullable if below.get("nullable") else _field
            fields[name] = make(name, wire, annotation, required=wire in required)
        return tuple(fields.values())

    def _always_there(self, each: FieldShape) -> FieldShape:
        """A spec or status without required fields is there from the start, to be read and filled."""
        annotation = _without_none(each.annotation)
        (key,) = annotation.refers or (None,)
        if each.name not in ("spec", "status") or annotation == each.annotation or each.nullable or not key:
            return each
        if any(not below.default for below in self.classes[key].fields):
            return replace(each, annotation=annotation, default="")
        return replace(each, annotation=annotation.inside("{}", "Field"), default=annotation.text, made=True)

    def _reserve(self, key: str) -> None:
        """Keep the place, so that an object which contains itself is read once."""
        self.classes[key] = ClassShape(key, key.rsplit(".", 1)[-1], "Model")

    def _add(self, shape: ClassShape) -> ClassShape:
        self.classes[shape.key] = shape
        return shape


def _field(name: str, wire: str, annotation: Annotation, *, required: bool) -> FieldShape:
    default = ""
    contained = annotation.text.startswith(("list[", "dict["))
    if annotation.text in ("Time", "MicroTime", "datetime") or not (required or contained):
        if annotation.text == "ObjectMeta":
            annotation, default = annotation.inside("{}", "Field"), "Field(default_factory=ObjectMeta)"
        else:
            annotation = annotation if annotation.text == "Any" else annotation.inside("{} | None")
            default = "None"
    elif not required:
        default = "[]" if annotation.text.startswith("list[") else "{}"
    return FieldShape(name, wire, annotation, default)


def _nullable(name: str, wire: str, annotation: Annotation, *, required: bool) -> FieldShape:
    if annotation.text != "Any":
        annotation = annotation.inside("{} | None")
    return FieldShape(name, wire, annotation, "" if required else "None", nullable=True)


def _never_required(each: FieldShape) -> FieldShape:
    """A status is written by others, bit by bit: what is absent is zero, as in Go."""
    if each.nullable:
        return replace(each, default="None")
    text = each.annotation.text.removesuffix(" | None")
    if text in _ZEROS:
        return replace(each, annotation=_without_none(each.annotation), default=_ZEROS[text])
    if each.default:
        return each
    if text.startswith("list["):
        return replace(each, default="[]")
    if text.startswith("dict["):
        return replace(each, default="{}")
    return replace(each, annotation=each.annotation.inside("{} | None"), default="None")


def _without_none(annotation: Annotation) -> Annotation:
    return replace(annotation, text=annotation.text.removesuffix(" | None"))


def _description(schema: Mapping[str, Any]) -> str:
    return str(schema.get("description", ""))
