"""What people wrote about a type and its fields: docstrings, read from the source when a schema is made."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.api import Model


def describe_type(cls: type[Model]) -> str:
    """The class's own docstring, as one text; an inherited one says nothing about this type."""
    origin = cls.__pydantic_generic_metadata__["origin"] or cls  # Box, of Box[int]
    return inspect.cleandoc(origin.__dict__.get("__doc__") or "")


def describe_fields(cls: type[Model]) -> dict[str, str]:
    """For each field its description: `Field(description=…)`, or the string that stands below the field."""
    documented: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if "__pydantic_fields__" in base.__dict__:
            documented |= _attribute_docstrings(base)
    given = {name: info.description for name, info in cls.model_fields.items() if info.description}
    return documented | given


@cache
def _attribute_docstrings(cls: type) -> dict[str, str]:
    """The strings below annotated attributes; none where there is no source (a class made at run time)."""
    try:
        source = inspect.getsource(cls)
    except (OSError, TypeError):
        return {}
    # Below an `if`, a class may be indented, and a text within it may be less so, which dedent would trip on.
    body = next(iter(ast.parse(f"if True:\n{source}" if source[0].isspace() else source).body))
    body = body.body[0] if isinstance(body, ast.If) else body
    if not isinstance(body, ast.ClassDef):
        return {}
    found = {}
    for node, below in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[node.target.id] = inspect.cleandoc(below.value.value)
    return found
