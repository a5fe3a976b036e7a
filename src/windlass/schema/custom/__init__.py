"""Custom resources by their schema: pruned, defaulted, validated; and whether a schema is structural.

`CustomSchema` is the schema of one version of a definition, put to use on its objects. `check_schema` says
what is wrong with a schema before it gets there. Both speak as an API server does: the same faults, at the
same fields, in the same words.

    schema = CustomSchema(definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"], metadata)
    unknown = schema.prune(obj)
    schema.fill(obj)
    faults = schema.faults(obj)

What a server knows about metadata, and the rules written in CEL, are passed in.
"""

from windlass.schema.custom.check import check_schema as check_schema
from windlass.schema.custom.check import has_defaults as has_defaults
from windlass.schema.custom.check import internal_text as internal_text
from windlass.schema.custom.check import unknown_formats as unknown_formats
from windlass.schema.custom.embedded import MalformedError as MalformedError
from windlass.schema.custom.embedded import MetadataRules as MetadataRules
from windlass.schema.custom.rule import RuleEngine as RuleEngine
from windlass.schema.custom.rule import Rules as Rules
from windlass.schema.custom.rule import has_rules as has_rules
from windlass.schema.custom.schema import CustomSchema as CustomSchema

__all__ = [
    "CustomSchema",
    "MalformedError",
    "MetadataRules",
    "RuleEngine",
    "Rules",
    "check_schema",
    "has_defaults",
    "has_rules",
    "internal_text",
    "unknown_formats",
]
