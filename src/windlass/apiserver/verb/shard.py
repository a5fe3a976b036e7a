"""Shards of a collection: `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted
from windlass.schema.cel import ast, problem, value
from windlass.schema.cel.parse import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS: Final = {"object.metadata.uid": "uid", "object.metadata.namespace": "namespace"}
_FUNCTION: Final = "shardRange"
_DIGITS: Final = 16
_END: Final = "0x10000000000000000"
_HEX: Final = frozenset("0123456789abcdef")
_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 2**64 - 1
_KINDS: Final = {
    ast.Call: 1,
    ast.Identifier: 3,
    ast.ListLiteral: 4,
    ast.Literal: 5,
    ast.MapLiteral: 6,
    ast.Select: 7,
    ast.ObjectLiteral: 8,
}
"""The numbers by which the real server's messages call the kinds of expressions."""


class Range(NamedTuple):
    """The objects, the hash of whose field is at least `start` and less than `end`."""

    key: str
    start: str
    end: str


class Shard:
    """The part of a collection that some ranges of hashes have; `text` is its selector in the usual form.

    Raises:
        ValueError: the ranges are of different fields.
    """

    def __init__(self, ranges: list[Range]) -> None:
        for each in ranges:
            if each.key != ranges[0].key:
                both = f"{quoted(ranges[0].key)} and {quoted(each.key)}"
                raise ValueError(f"all shard ranges must use the same field, got {both}")
        self.text = " || ".join(f"{_FUNCTION}({key}, '{start}', '{end}')" for key, start, end in ranges)
        self._field = _KEYS[ranges[0].key]
        self._bounds = [(int(start, 16), int(end, 16)) for _, start, end in ranges]

    def has(self, metadata: Mapping[str, Any]) -> bool:
        """Whether an object is in it."""
        found = hashed(metadata.get(self._field) or "")
        return any(start <= found < end for start, end in self._bounds)


@lru_cache(maxsize=256)
def parse_shard(text: str) -> Shard:
    """A shard by its selector.

    Raises:
        Refusal: 500, in the words of the real server.
    """
    try:
        return Shard(_ranges(_root(text.strip())))
    except ValueError as error:
        raise Refusal(500, f"invalid shard selector: {error}", "") from error


@lru_cache(maxsize=16_384)
def hashed(text: str) -> int:
    """The FNV-1a hash of a text, in 64 bits."""
    found = _OFFSET
    for byte in text.encode():
        found = (found ^ byte) * _PRIME & _MASK
    return found


def _root(text: str) -> ast.Expression:
    if not text:
        raise ValueError("empty shard selector is not allowed; omit the parameter for unfiltered lists")
    try:
        root = parse(text, ()).root
    except problem.ExpressionError as error:
        raise ValueError(f"CEL parse error: {error.problems[0].message}") from error
    for node in ast.walk(root):
        if optional := _optional(node):
            raise ValueError(f"CEL parse error: unsupported syntax '{optional}'")
    return root


def _optional(node: ast.Expression) -> str:
    """The sign by which a node says that something may be absent, which selectors do not know."""
    match node:
        case ast.Call(function="_?._" | "_[?_]" as name):
            return ".?" if name == "_?._" else "[?"
        case ast.ListLiteral(optional=absent) if absent:
            return "?"
        case ast.MapLiteral(entries=entries) if any(each.optional for each in entries):
            return "?"
        case ast.ObjectLiteral(fields=fields) if any(each.optional for each in fields):
            return "?"
    return ""


def _ranges(node: ast.Expression) -> list[Range]:
    match node:
        case ast.Call(function="_||_", arguments=(left, right)):
            return _ranges(left) + _ranges(right)
        case ast.Call(function="shardRange", arguments=arguments):
            return [_range(arguments)]
        case ast.Call(function=name):
            raise ValueError(f"unsupported function {quoted(name)}; only shardRange() and || are allowed")
    kind = _KINDS[type(node)]
    raise ValueError(f"unexpected expression kind {kind}; expected shardRange() call or || operator")


def _range(arguments: tuple[ast.Expression, ...]) -> Range:
    try:
        field, start, end = arguments
    except ValueError:
        raise ValueError(f"shardRange() requires exactly 3 arguments, got {len(arguments)}") from None
    key = _path(field)
    if key not in _KEYS:
        raise ValueError(f"unsupported field path {quoted(key)}; supported: {', '.join(_KEYS)}")
    found = Range(key, _bound(start, "hexStart"), _bound(end, "hexEnd"))
    if int(found.start, 16) >= int(found.end, 16):
        raise ValueError(f"shard range start {found.start} must be less than end {found.end}")
    return found


def _path(node: ast.Expression) -> str:
    match node:
        case ast.Identifier(name=name):
            return name
        case ast.Select(operand=operand, field=field):
            return f"{_path(operand)}.{field}"
    expected = "expected field path (e.g. object.metadata.uid)"
    raise ValueError(f"shardRange() first argument: {expected}, got expression kind {_KINDS[type(node)]}")


def _bound(node: ast.Expression, name: str) -> str:
    if not isinstance(node, ast.Literal):
        kind = _KINDS[type(node)]
        raise ValueError(f"{name} must be a string literal (e.g. '0xff'), got expression kind {kind}")  # noqa: TRY004 - a selector's fault
    text = node.value
    if not isinstance(text, str):
        raise ValueError(f"{name} must be a string literal, got {_go_type(text)}")  # noqa: TRY004 - same
    if not text.startswith("0x"):
        raise ValueError(f"{name} must have '0x' prefix, got {quoted(text)}")
    _check_digits(text, name)
    return text


def _check_digits(text: str, name: str) -> None:
    digits = text[2:]
    length = len(digits.encode())
    if not digits:
        raise ValueError(f"{name}: hex value is required after '0x'")
    if length > _DIGITS + 1:
        raise ValueError(f"{name}: hex value too long ({length} chars, max {_DIGITS + 1}): {quoted(digits)}")
    for digit in digits:
        if digit not in _HEX:
            raise ValueError(f"{name}: invalid hex character {quoted(digit)} in {quoted(text)}")
    if length > _DIGITS and text != _END:
        raise ValueError(f"{name}: 17-digit hex value must be '{_END}' (2^64), got {quoted(text)}")
    if length < _DIGITS:
        meant = quoted(f"0x{digits:0>{_DIGITS}}")
        raise ValueError(
            f"{name} must be a 0x-prefixed 16-digit hex value, got {quoted(text)} (did you mean {meant}?)"
        )


def _go_type(literal: Any) -> str:
    """What the real server calls the type of a literal."""
    types = {bool: "bool", value.Uint: "uint64", int: "int64", float: "float64", bytes: "[]uint8"}
    return types.get(type(literal), "structpb.NullValue")
