from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.check.defaults import DefaultCheck
from windlass.schema.custom.check.dialect import dialect_faults
from windlass.schema.custom.check.internal import internal_text
from windlass.schema.custom.check.node import has, is_readable, nodes, says
from windlass.schema.custom.check.structural import structural_faults
from windlass.schema.custom.format import judge_of
from windlass.schema.custom.judge.number import NUMBER_FORMATS
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.schema.custom.embedded import MetadataRules
    from windlass.schema.custom.rule import RuleEngine

    Schema = Mapping[str, Any]

_AT_ROOT: Final[Mapping[str, str]] = {
    "description": "Description",
    "type": "Type",
    "format": "Format",
    "title": "Title",
    "maximum": "Maximum",
    "exclusiveMaximum": "ExclusiveMaximum",
    "minimum": "Minimum",
    "exclusiveMinimum": "ExclusiveMinimum",
    "maxLength": "MaxLength",
    "minLength": "MinLength",
    "pattern": "Pattern",
    "maxItems": "MaxItems",
    "minItems": "MinItems",
    "uniqueItems": "UniqueItems",
    "multipleOf": "MultipleOf",
    "required": "Required",
    "items": "Items",
    "properties": "Properties",
    "externalDocs": "ExternalDocs",
    "example": "Example",
    "x-kubernetes-preserve-unknown-fields": "XPreserveUnknownFields",
    "x-kubernetes-validations": "XValidations",
}
_WITH_STATUS: Final = "at the root of the schema if the status subresource is enabled"


def check_schema(
    schema: Schema,
    path: str,
    metadata: MetadataRules,
    rules: RuleEngine | None = None,
    *,
    status: bool = False,
) -> list[Fault]:
    """What is wrong with the schema of a version of a definition; `path` is where the schema stands.

    `status` tells that the version has a status subresource, which allows less at the root of the schema.
    """
    found = list(_root(schema, path)) if status else []
    if has(schema, "nullable"):
        found.append(Fault.forbidden(f"{path}.nullable", "nullable cannot be true at the root"))
    readable = is_readable(schema)
    broken: list[Fault] = []
    if readable:
        broken = structural_faults(schema, path) or [*DefaultCheck(metadata, rules).faults(schema, path)]
        found += broken
    spoken = list(dialect_faults(schema, path))
    found += [fault for _, fault in spoken]
    if not found and not readable:
        found.append(Fault.invalid(path, "", "OpenAPIV3Schema 'schema' is not supported"))
    if rules is not None and readable and not broken:
        found += rules.check(schema, path, [at for at, _ in spoken])
    return found


def unknown_formats(schema: Schema) -> list[str]:
    """The formats in a schema that are not enforced, of which a server warns."""
    return [each["format"] for each in nodes(schema) if has(each, "format") and not _is_enforced(each)]


def has_defaults(schema: Schema) -> bool:
    """Whether a default stands anywhere in a schema."""
    return any(each.get("default") is not None for each in nodes(schema))


def _is_enforced(schema: Schema) -> bool:
    kind = schema.get("type") or ""
    if kind in NUMBER_FORMATS:
        return schema["format"] in NUMBER_FORMATS[kind]
    return kind in ("", "string") and judge_of(schema["format"]) is not None


def _root(schema: Schema, path: str) -> Iterator[Fault]:
    kind = schema.get("type")
    if kind and kind != "object":
        detail = f'only "object" is allowed as the type {_WITH_STATUS}'
        yield Fault.invalid(f"{path}.type", kind, detail)
        return
    extra = [name for name in schema if name not in _AT_ROOT and says(schema, name)]
    if extra:
        allowed = " ".join(_AT_ROOT.values())
        detail = f"only [{allowed}] fields are allowed {_WITH_STATUS}"
        yield Fault("FieldValueInvalid", path, f"Invalid value: {internal_text(schema)}: {detail}")
