"""What expressions that make JSON patches need, which are those of mutating admission policies only."""

from __future__ import annotations

from typing import Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.type import DYN, STRING

JSON_PATCH_OBJECTS: Final = {"JSONPatch": {"op": STRING, "path": STRING, "from": STRING, "value": DYN}}
"""The objects that such an expression makes; its environment declares them, as constructible."""


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


JSON_PATCH: Final = Library(
    "kubernetes.jsonpatch",
    (
        function(
            "jsonpatch.escapeKey", plain("string_jsonpatch_escapeKey_string", (STRING,), STRING, _escaped)
        ),
    ),
)
