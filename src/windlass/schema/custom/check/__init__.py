"""Judging schemas: what an API server says about the schema of a definition that it does not take."""

from windlass.schema.custom.check.definition import check_schema as check_schema
from windlass.schema.custom.check.definition import has_defaults as has_defaults
from windlass.schema.custom.check.definition import unknown_formats as unknown_formats
from windlass.schema.custom.check.internal import internal_text as internal_text
from windlass.schema.custom.check.internal import rule_text as rule_text

__all__ = ["check_schema", "has_defaults", "internal_text", "rule_text", "unknown_formats"]
