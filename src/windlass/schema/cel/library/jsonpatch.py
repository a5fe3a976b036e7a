"""What patches need: keys escaped for the path of a JSON patch.

Not part of what all expressions have: only those of mutating admission policies.
"""

from __future__ import annotations

from typing import Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.type import STRING


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
