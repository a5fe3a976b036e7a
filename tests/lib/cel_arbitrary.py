"""Expressions made at random, each of a type that was asked for, about `self` of one schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

_TEXT: Final = {"type": "string"}
_WHOLE: Final = {"type": "integer"}
_ITEM: Final = {"type": "object", "properties": {"k": _TEXT, "v": _WHOLE}}

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "text": _TEXT,
        "whole": _WHOLE,
        "number": {"type": "number"},
        "flag": {"type": "boolean"},
        "absent": _TEXT,
        "moment": {"type": "string", "format": "date-time"},
        "span": {"type": "string", "format": "duration"},
        "either": {"x-kubernetes-int-or-string": True},
        "wholes": {"type": "array", "items": _WHOLE},
        "words": {"type": "array", "x-kubernetes-list-type": "set", "items": _TEXT},
        "items": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
            "items": _ITEM,
        },
        "labels": {"type": "object", "additionalProperties": _TEXT},
        "part": _ITEM,
    },
}
SELF: Final[Mapping[str, Any]] = {
    "text": "a text that is longer than ten",
    "whole": 3,
    "number": 2.5,
    "flag": True,
    "moment": "2021-03-04T05:06:07.8Z",
    "span": "90m",
    "either": "50%",
    "wholes": [3, 0, -1],
    "words": ["b", "a"],
    "items": [{"k": "a", "v": 1}, {"k": "b"}],
    "labels": {"a": "1"},
    "part": {"k": "x", "v": 7},
}

_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "bool": (
        "true", "false", "self.flag", "has(self.absent)", "has(self.text)", "has(self.part.v)",
        "$bool && $bool", "$bool || $bool", "!($bool)", "($bool ? $bool : $bool)", "$int == $int",
        "$int != $int", "$string == $string", "$double == $double", "$list == $list", "$words == $words",
        "$int < $int", "$string >= $string", "$double > $int", "$int in $list", "$string in $words",
        "$string in self.labels", "$list.all(x, x > $int)", "$list.exists(x, x / $int > 1)",
        "$words.exists_one(x, x == $string)", "self.items.all(x, has(x.v) || x.k == $string)",
        "self.items.exists(x, x.v > $int)", "$string.startsWith($string)", "$string.contains($string)",
        "$string.matches('^[a-z ]+$')", "$string.matches($string)", "self.either == $int",
        "dyn($int) == dyn($double)", "dyn($int) < dyn($string)", "$moment < $moment", "$span >= $span",
        "type(self.either) == string", "$maybe.hasValue()", "self == self", "self.labels == $map",
        "$bool == $bool", "1 in [$int, 1]", "'a' in ['a', 'b']", "$uint < $int", "$uint == $uint",
        "$bytes == $bytes", "$bytes < $bytes", "has(self.?part.v)", "has(self.items[0].v)",
        "$list.all(i, x, x > i)", "self.labels.exists(k, v, v == $string)",
        "$list.existsOne(i, x, x == $int)", "$maybe == $maybe", "self.?absent.hasValue()",
        "$list.exists(x, $list.exists(y, x == y + $int))", "type($int) == type(dyn($string))",
        "[$int, 1] == [1, $int]", "oldSelf.whole > $int",
    ),
    "int": (
        "1", "0", "-7", "9223372036854775807", "self.whole", "self.part.v", "self.wholes[0]", "$int + $int",
        "$int - $int", "$int * $int", "$int / $int", "$int % $int", "-($int)", "$list[$int]", "size($list)",
        "$string.size()", "size($words)", "($bool ? $int : $int)", "int($double)", "int($string)",
        "$moment.getHours()", "$moment.getDayOfYear('+02:00')", "$span.getMinutes()",
        "$maybe.orValue($int)", "$list.filter(x, x != $int).size()", "$maybe.value()",
        "self.items[1].?v.orValue($int)", "self.items[$int].v", "{'a': $int}.a", "{'a': $int}['b']",
        "int(dyn($string))", "($bool ? self.part : self.part).v", "self.wholes[$bool ? 0 : 5]",
        "self.wholes[self.whole]", "int($uint)", "size($bytes)", "$list.transformList(i, x, x + i).size()",
        "$list.transformMap(i, x, x * $int)[$int]", "self.?items[?$int].v.orValue($int)",
        "$span.getSeconds()", "$moment.getFullYear()", "$list.map(x, $list[?x].orValue($int))[0]",
        "optional.of($int).optMap(x, x * x).value()",
    ),
    "double": (
        "1.5", "0.0", "self.number", "$double + $double", "$double / $double", "double($int)", "-($double)",
    ),
    "string": (
        "'a'", "''", "'b'", "self.text", "self.absent", "self.part.k", "$string + $string", "string($int)",
        "string($double)", "string($bool)", "string($span)", "string($moment)", "self.labels['a']",
        "self.labels.b", "($bool ? $string : $string)", "$words[$int]", "self.items[0].k",
        "self.items.filter(x, x.k != $string)[0].k", "string($bytes)", "string($uint)",
        "self.?absent.orValue($string)", "self.labels[?$string].orValue($string)",
        "{$string: 'x', 'c': 'y'}[$string]", "$words.transformList(i, x, x + string(i))[$int]",
    ),
    "uint": (
        "1u", "0u", "18446744073709551615u", "uint($int)", "uint($double)", "$uint + $uint",
        "$uint - $uint", "$uint / $uint",
    ),
    "bytes": (
        "b'a'", "b''", "bytes($string)", "$bytes + $bytes",
    ),
    "list": (
        "self.wholes", "[]", "[$int, $int]", "[1, 2, 3]", "$list + $list", "$list.map(x, x * $int)",
        "$list.filter(x, x > $int)", "$list.map(x, x > 0, x + $int)", "self.items.map(x, x.v)",
        "($bool ? $list : $list)", "[1, ?$maybe]", "$list.map(x, $list.map(y, x + y).size())",
    ),
    "words": (
        "self.words", "['b', 'a']", "self.words + $words", "$words.map(x, x + $string)",
        "self.labels.map(k, k)",
    ),
    "map": (
        "self.labels", "{'a': $string}", "{'a': '1'}", "{'a': $string, 'b': $string}",
    ),
    "moment": (
        "self.moment", "timestamp('2020-02-29T00:00:00Z')", "$moment + $span", "timestamp($int)",
    ),
    "span": (
        "self.span", "duration('1h')", "$moment - $moment", "$span - $span",
    ),
    "maybe": (
        "optional.of($int)", "optional.none()", "self.?part.v", "self.items[?$int].v", "$list[?$int]",
        "$maybe.or($maybe)", "$maybe.optMap(x, x + $int)", "optional.ofNonZeroValue($int)",
        "{'a': $int}.?a",
    ),
}  # fmt: skip
_SIMPLEST: Final = {kind: rules[:2] for kind, rules in _RULES.items()}
_PART: Final = re.compile(r"\$([a-z]+)")
KINDS: Final = tuple(_RULES)


def expression(chance: Random, kind: str, depth: int, strange: float = 0.0) -> str:
    """An expression of a kind that is nested no deeper than that.

    `strange` is how many of its operands have a type that only the evaluation finds out, often a wrong one.
    """

    def operand(found: re.Match[str]) -> str:
        inner = max(depth - 1, 0)
        if chance.random() < strange:
            return f"dyn({expression(chance, chance.choice((found[1], *KINDS)), inner, strange)})"
        return f"({expression(chance, found[1], inner, strange)})"

    return _PART.sub(operand, chance.choice((_RULES if depth else _SIMPLEST)[kind]))
