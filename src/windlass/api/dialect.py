"""The YAML that `kubectl` reads, which is neither PyYAML's nor quite YAML 1.1.

As YAML 1.1 has it, `yes` and `on` are booleans. Unlike PyYAML, `y` is one too, `1e3` and `08` are numbers,
`12:30` is no number, `=` is a text, a time is a text, and every key is a text. Only imported by those who
read or write manifests, since loading PyYAML takes a while.
"""

from __future__ import annotations

import re
from typing import Any

import yaml
from typing_extensions import override

_TAG = "tag:yaml.org,2002:"
_TRUE = ("y", "yes", "true", "on")
_BOOL = re.compile(r"^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$")
_INT = re.compile(r"^[-+]?(?:0[bB][01]+|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
_UNKNOWN = {f"{_TAG}{name}" for name in ("timestamp", "value", "int", "float")}
_MAX_INTEGER = 2**63
_BREAKS = re.compile("[\r\x85\u2028\u2029]")


class _Number:
    """A pattern of numbers, in which underscores may stand anywhere but in front."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text.replace("_", ""))


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc] # C where PyYAML was built with it
    """Reads a manifest as `kubectl` does."""

    @override
    def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Any]:
        """A mapping whose keys are texts, as JSON wants them, so that `1` and `true` are two of them."""
        if not isinstance(node, yaml.MappingNode):
            return super().construct_mapping(node, deep=deep)  # type: ignore[no-any-return] # it raises
        self.flatten_mapping(node)
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            name = key if isinstance(key, str) else _key(key, node)
            mapping[name] = self.construct_object(value_node, deep=deep)
        return mapping


class Dumper(yaml.SafeDumper):
    """Writes block style, quotes whatever some reader would take for something else, uses no aliases."""

    @override
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent the items of a list below their key."""
        super().increase_indent(flow=flow, indentless=False)

    @override
    def ignore_aliases(self, data: Any) -> bool:
        """Write a value out again where it is used again."""
        return True


def _bool(loader: Loader, node: yaml.ScalarNode) -> bool:
    return str(loader.construct_scalar(node)).lower() in _TRUE


def _int(loader: Loader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node)).replace("_", "")
    return int(text, 8 if re.match(r"[-+]?0[0-7]", text) else 0)


def _number(loader: Loader, node: yaml.ScalarNode) -> float | str:
    """JSON does not tell 1.0 from 1, and cannot say infinity, which stays text."""
    text = str(loader.construct_scalar(node))
    number = float(text.replace("_", ""))
    if abs(number) < _MAX_INTEGER and number.is_integer():
        return int(number)
    return number if abs(number) < float("inf") else text


def _key(key: Any, node: yaml.Node) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, (int, float)):
        return str(key)
    raise yaml.constructor.ConstructorError(
        "while reading a mapping", node.start_mark, f"{key!r} cannot be a key", node.start_mark
    )


def _text(dumper: Dumper, value: str) -> yaml.ScalarNode:
    # PyYAML takes a few rare characters for line breaks, and would lose them in all but double quotes.
    style = '"' if _BREAKS.search(value) else "|" if "\n" in value else None
    return dumper.represent_scalar(f"{_TAG}str", value, style=style)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in _UNKNOWN]
    for first, known in Loader.yaml_implicit_resolvers.items()
}
_PATTERNS: tuple[tuple[str, Any, str], ...] = (
    ("bool", _BOOL, "yYnNoO"),
    ("int", _Number(_INT), "-+0123456789"),
    ("float", _Number(_FLOAT), "-+.0123456789"),
)
for _name, _pattern, _first in _PATTERNS:
    Loader.add_implicit_resolver(f"{_TAG}{_name}", _pattern, list(_first))
    Dumper.add_implicit_resolver(f"{_TAG}{_name}", _pattern, list(_first))
Loader.add_constructor(f"{_TAG}bool", _bool)
Loader.add_constructor(f"{_TAG}int", _int)
Loader.add_constructor(f"{_TAG}float", _number)
Loader.add_constructor(f"{_TAG}merge", yaml.SafeLoader.construct_yaml_str)  # `<<` as a value
Dumper.add_representer(str, _text)
