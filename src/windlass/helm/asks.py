"""What the templates of a chart ask about the cluster, found in their text.

It errs on the side of asking: whoever is found to ask for less than it does would miss a change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_COMMENT: Final = re.compile(r"\{\{(?:- )?\s*/\*.*?\*/\s*-?\}\}", re.DOTALL)
_ACTION: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
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
        for action in _ACTION.findall(_COMMENT.sub("", text)):
            lookup = lookup or bool(_LOOKUP.search(_TEXT.sub('""', action)))
            for found in _CAPABILITIES.finditer(action):
                literal = found["quoted"] if found["raw"] is None else found["raw"]
                whole = not (found["kube"] or found["helm"] or found["served"] or literal is not None)
                kube = kube or whole or bool(found["kube"])
                any_of_them = any_of_them or whole or bool(found["served"])
                versions.update([literal] if literal is not None else [])
    return Asks(kube_version=kube, api_versions=None if any_of_them else frozenset(versions), lookup=lookup)
