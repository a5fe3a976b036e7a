"""Judging schemas: what an API server says about the schema of a definition that it does not take."""

from windlass.schema.custom.check.definition import check_schema as check_schema
from windlass.schema.custom.check.definition import unknown_formats as unknown_formats

__all__ = ["check_schema", "unknown_formats"]
