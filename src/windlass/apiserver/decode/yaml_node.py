"""From the text of YAML to its nodes.

PyYAML parses. It does not compose: that would be as deep a recursion as somebody makes it be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.go_json import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Iterator

_YAML: Final = (1, 1)


@dataclass(slots=True, eq=False)
class YamlNode:
    """A scalar, a sequence, a mapping (keys and values in turns), or an alias of one of these: its target.

    `text` is that of a scalar, or the anchor that an alias names; `line` counts from nought.
    """

    sort: Literal["scalar", "sequence", "mapping", "alias"]
    line: int
    text: str = ""
    tag: str | None = None
    plain: bool = False
    target: YamlNode | None = None
    parts: list[YamlNode] = field(default_factory=list)


def composed(body: bytes) -> YamlNode | None:
    """The root of the first document of a text, `None` where there is no document.

    Raises:
        DecodeError: it is no YAML.
    """
    import yaml  # only who sends YAML pays for it

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Composer().root(yaml.parse(body, loader))
    except yaml.YAMLError as error:
        raise DecodeError(_why_not(error)) from error


class _Composer:
    def __init__(self) -> None:
        self._open: list[YamlNode] = []
        self._anchors: dict[str, YamlNode] = {}

    def root(self, events: Iterator[Any]) -> YamlNode | None:
        root: YamlNode | None = None
        for event in events:
            match type(event).__name__:
                case "ScalarEvent" | "SequenceStartEvent" | "MappingStartEvent" | "AliasEvent" as name:
                    node = self._node(event, name)
                    root = root or node
                case "SequenceEndEvent" | "MappingEndEvent":
                    self._open.pop()
                case "DocumentStartEvent":
                    _check_version(event)
                case "DocumentEndEvent":
                    return root
        return root

    def _node(self, event: Any, name: str) -> YamlNode:
        node = self._made(event, name)
        if self._open:
            self._open[-1].parts.append(node)
        if node.sort in ("sequence", "mapping"):
            self._open.append(node)
            if len(self._open) > DEEPEST:
                raise DecodeError(_at(node.line + 1, f"exceeded max depth of {DEEPEST}"))
        if event.anchor and node.sort != "alias":
            self._anchors[event.anchor] = node
        return node

    def _made(self, event: Any, name: str) -> YamlNode:
        line = event.start_mark.line
        if name == "AliasEvent":
            target = self._anchors.get(event.anchor)
            if target is None:
                raise DecodeError(f"yaml: unknown anchor '{event.anchor}' referenced")
            return YamlNode("alias", line, event.anchor, target=target)
        if name == "ScalarEvent":
            return YamlNode("scalar", line, event.value, event.tag, plain=event.implicit[0])
        return YamlNode("sequence" if name == "SequenceStartEvent" else "mapping", line)


def _check_version(event: Any) -> None:
    if event.version not in (None, _YAML):
        raise DecodeError(_at(event.start_mark.line, "found incompatible YAML document"))


def _why_not(error: Exception) -> str:
    reason = getattr(error, "reason", None)
    if reason:  # of bytes that are no text
        return f"yaml: {reason}"
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    # Go counts lines from nought, but for errors of the scanner.
    return _at(mark.line + ("Scanner" in type(error).__name__) if mark else 0, problem)


def _at(line: int, problem: str) -> str:
    return f"yaml: line {line}: {problem}" if line else f"yaml: {problem}"
