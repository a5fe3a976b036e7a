"""JSON as Go reads it: what a text stands for, or in Go's words why it stands for nothing.

`parse` reads a text whose numbers are taken as they come. `parse_for_types` also keeps a number that no float
holds, for a type to judge. `parse_exactly` keeps the digits of numbers, and `written` writes them again.
`parse_carefully` keeps everything, also the fields that are given twice. `duplicates` tells of these.
"""

from windlass.apiserver.go_json.syntax import DEEPEST, NotJsonError
from windlass.apiserver.go_json.text import (
    MOST_PROBLEMS,
    Number,
    Repeated,
    duplicates,
    has_repeated_fields,
    is_too_deep,
    parse,
    parse_carefully,
    parse_exactly,
    parse_for_types,
    plain,
    repeated_fields,
    unstructured,
    written,
)

__all__ = [
    "DEEPEST",
    "MOST_PROBLEMS",
    "NotJsonError",
    "Number",
    "Repeated",
    "duplicates",
    "has_repeated_fields",
    "is_too_deep",
    "parse",
    "parse_carefully",
    "parse_exactly",
    "parse_for_types",
    "plain",
    "repeated_fields",
    "unstructured",
    "written",
]
