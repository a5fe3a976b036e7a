"""Scalars where Go's readers of YAML want a text: `version: 1.10` is the text `1.1` to them."""

from __future__ import annotations

from typing import Any


def scalar_text(value: Any) -> str | None:
    """The text that a scalar is taken for; nothing is the empty text. None: it is no scalar."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).removesuffix(".0")
        case int() | str():
            return str(value)
    return None
