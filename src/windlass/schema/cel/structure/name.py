"""Names of fields as expressions spell them: `a-b` is `a__dash__b`, and `namespace` is `__namespace__`."""

from __future__ import annotations

import re
from typing import Final

from windlass.schema.cel.parse import RESERVED

_SPELLINGS: Final = {"__": "underscores", ".": "dot", "-": "dash", "/": "slash"}
_MEANINGS: Final = {spelling: meant for meant, spelling in _SPELLINGS.items()}
_ESCAPABLE: Final = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*")
_SPECIAL: Final = re.compile(r"__|[./-]")
_ESCAPED: Final = re.compile(r"__([^_]+)__")


def escape(name: str) -> str | None:
    """The name by which expressions select a field; `None` if they cannot."""
    if name in RESERVED:
        return f"__{name}__"
    if not _ESCAPABLE.fullmatch(name):
        return None
    return _SPECIAL.sub(lambda found: f"__{_SPELLINGS[found[0]]}__", name)


def unescape(name: str) -> str | None:
    """The field that an expression selects by a name; `None` if there can be none of this name."""
    parts: list[str] = []
    end = 0
    for found in _ESCAPED.finditer(name):
        word = found[1]
        meant = _MEANINGS.get(word)
        if meant is None and word in RESERVED and found[0] == name:
            meant = word
        if meant is None:
            return None
        parts += name[end : found.start()], meant
        end = found.end()
    return "".join((*parts, name[end:]))
