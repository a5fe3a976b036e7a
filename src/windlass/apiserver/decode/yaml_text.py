"""YAML bodies, read as the real server reads them."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.yaml_node import YamlNode, composed
from windlass.apiserver.decode.yaml_scalar import scalar, settled
from windlass.apiserver.go_json import has_repeated_fields, is_too_deep
from windlass.schema import go_syntax, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

_MERGE: Final = "<<"
_MERGE_TAG: Final = "tag:yaml.org,2002:merge"
_PRINTABLE: Final = bytes((*range(0x20, 0x7F), ord("\n")))
_ODD_ESCAPE: Final = re.compile(rb'\\[^"\\bfnrt]')
_LATE_COLON: Final = re.compile(rb'" *\n[ \n]*:')
_LONGEST_KEY: Final = 1000
_FEW_ALIASED: Final = 100
_FEW: Final = 1000
_MANY: Final = 400_000
_TOO_MANY: Final = 4_000_000


def parse_yaml(body: bytes) -> tuple[Any, tuple[str, ...]]:
    """The value of the first document of a text, and the repeated keys in it by their lines.

    Objects come with their keys in order, as they would in the JSON that the server makes of YAML.

    Raises:
        DecodeError: the text is no YAML, or has something that is not in JSON.
    """
    if body.startswith(b"{"):
        value = _of_json(body)
        if value is not None:
            return value, ()
    node = composed(body)
    build = _Build()
    value = None if node is None else build.value(node)
    return value, tuple(build.repeated)


def _of_json(body: bytes) -> Any:
    """The value of a text that is JSON and means the same as YAML: what programs send, and faster to read.

    `None` where it is not, or might not.
    """
    if body.translate(None, _PRINTABLE) or _ODD_ESCAPE.search(body) or _LATE_COLON.search(body):
        return None
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if is_too_deep(body) or has_repeated_fields(body, value) or any(map(_is_long, _keys(value))):
        return None
    return _sorted(value)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


def _is_long(key: str) -> bool:
    """Whether a key may be longer than YAML takes one to be."""
    return len(key) > _LONGEST_KEY


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return settled(value) if isinstance(value, float) else value


class _Build:
    """Makes a value of nodes, and counts what it makes, lest aliases of aliases grow beyond all bounds."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._count = 0
        self._aliased = 0
        self._aliases: list[YamlNode] = []

    def value(self, node: YamlNode) -> Any:
        self._tally()
        if node.target is not None:
            with self._expanded(node):
                return self.value(node.target)
        if node.sort == "scalar":
            return scalar(node.text, node.tag, plain=node.plain)
        if node.sort == "sequence":
            return [self.value(each) for each in node.parts]
        made: dict[str, Any] = {}
        self._add(node, made)
        return dict(sorted(made.items()))

    def _tally(self) -> None:
        self._count += 1
        self._aliased += bool(self._aliases)
        if self._aliased <= _FEW_ALIASED or self._count <= _FEW:
            return
        spread = min(max(self._count - _MANY, 0) / (_TOO_MANY - _MANY), 1)
        if self._aliased / self._count > 0.99 - 0.89 * spread:
            raise DecodeError("yaml: document contains excessive aliasing")

    @contextmanager
    def _expanded(self, alias: YamlNode) -> Iterator[None]:
        if alias in self._aliases:
            raise DecodeError(f"yaml: anchor '{alias.text}' value contains itself")
        self._aliases.append(alias)
        yield
        self._aliases.pop()

    def _add(self, node: YamlNode, into: dict[str, Any]) -> None:
        """Add the pairs of a mapping; those of another that it merges in come where that is said."""
        pairs = iter(node.parts)
        for key, value in zip(pairs, pairs, strict=True):
            if _is_merge(key):
                for each in reversed(value.parts) if value.sort == "sequence" else [value]:
                    self._merge(each, into)
                continue
            held = self.value(key)
            name = held if isinstance(held, str) else self._key(held, value)
            if name in into:
                self.repeated.append(f"line {key.line + 1}: key {shown(held)} already set in map")
            into[name] = self.value(value)

    def _merge(self, node: YamlNode, into: dict[str, Any]) -> None:
        target = node.target or node
        if target.sort != "mapping":
            raise DecodeError("yaml: map merge requires map or sequence of maps as the value")
        self._tally()
        with nullcontext() if node.target is None else self._expanded(node):
            self._add(target, into)

    def _key(self, key: Any, value: YamlNode) -> str:
        """The name that a key which is no text has in JSON."""
        if isinstance(key, (bool, int, float)):
            return shown(key)
        if key is None:
            beside = shown(self.value(value))
            raise DecodeError(f"unsupported map key of type: %!s(<nil>), key: <nil>, value: {beside}")
        written = go_syntax(key).replace("map[string]interface {}", "map[interface {}]interface {}")
        raise DecodeError(f"yaml: invalid map key: {written}")


def _is_merge(key: YamlNode) -> bool:
    return key.sort == "scalar" and key.text == _MERGE and (key.plain or key.tag == _MERGE_TAG)
