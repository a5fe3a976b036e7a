"""What the templates of a chart ask about the cluster, found in their text.

It errs on the side of asking: whoever is found to ask for less than it does would miss a change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OPENING: Final = re.compile(r"\{\{(?:-\s)?\s*/\*")
_CLOSING: Final = re.compile(r"\s*-?\}\}")
_TEXT: Final = re.compile(r'"[^"\\{]*"|`[^`{]*`')
_CAPABILITIES: Final = re.compile(
    r"\bCapabilities\b"
    r"(?:(?P<kube>\.KubeVersion\b)|(?P<helm>\.HelmVersion\b)"
    r'|\.APIVersions\.Has\s+(?:"(?P<quoted>[^"\\]*)"|`(?P<raw>[^`]*)`)'
    r"|(?P<served>\.APIVersions\b))?"
)
_LOOKUP: Final = re.compile(r"(?<![\w.$-])lookup(?=[\s)]|$)")


@dataclass(frozen=True, kw_only=True)
class Asks:
    """What the templates of a chart ask about the cluster.

    `api_versions` are those whose presence decides something; None: it may be any of them.
    """

    kube_version: bool = False
    api_versions: frozenset[str] | None = frozenset()
    lookup: bool = False


def find_asks(texts: Iterable[str]) -> Asks:
    """What all these templates ask together."""
    kube = any_of_them = lookup = False
    versions: set[str] = set()
    for text in texts:
        for action in actions(without_comments(text)):
            lookup = lookup or bool(_LOOKUP.search(_TEXT.sub('""', action)))
            for found in _CAPABILITIES.finditer(action):
                literal = found["quoted"] if found["raw"] is None else found["raw"]
                whole = not (found["kube"] or found["helm"] or found["served"] or literal is not None)
                kube = kube or whole or bool(found["kube"])
                any_of_them = any_of_them or whole or bool(found["served"])
                versions.update([literal] if literal is not None else [])
    return Asks(kube_version=kube, api_versions=None if any_of_them else frozenset(versions), lookup=lookup)


def without_comments(text: str) -> str:
    """A template without its comments, in a time that is linear in its length.

    A comment ends at the first `*/`; one that no `}}` follows is no comment, as for Go.
    """
    parts, kept, position = [], 0, 0
    while opening := _OPENING.search(text, position):
        end = text.find("*/", opening.end())
        if end < 0:
            break
        position = end  # what opens before it has the same end
        if closing := _CLOSING.match(text, end + len("*/")):
            parts.append(text[kept : opening.start()])
            kept = position = closing.end()
    return "".join((*parts, text[kept:]))


def actions(text: str) -> Iterator[str]:
    """What is between `{{` and the next `}}`, in a time that is linear in the length of the text."""
    position = 0
    while (start := text.find("{{", position)) >= 0 and (end := text.find("}}", start + 2)) >= 0:
        yield text[start + 2 : end]
        position = end + 2
