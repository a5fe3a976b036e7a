"""Random expressions, mostly of types that do not fit, and random schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cel_checking import RULES, SCHEMA, VARIABLES, Case
from windlass.schema.cel.structure import escape

if TYPE_CHECKING:
    from random import Random

_LEAVES = (
    *("1", "0", "-1", "2u", "1.5", "'a'", "''", "b'x'", "true", "false", "null", "[]", "{}", "'%s %d'"),
    *(
        "duration('1s')",
        "timestamp('2020-01-01T00:00:00Z')",
        "optional.none()",
        "int",
        "string",
        "list",
        "type",
    ),
)
_OPERATORS = ("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||")
_FUNCTIONS = (
    *("size", "int", "uint", "double", "string", "bytes", "bool", "dyn", "type", "duration", "timestamp"),
    *("optional.of", "optional.ofNonZeroValue", "quantity", "isQuantity", "ip", "url", "semver", "undefined"),
)
_METHODS = (
    *(
        "size",
        "hasValue",
        "value",
        "getFullYear",
        "getHours",
        "isSorted",
        "sum",
        "min",
        "max",
        "join",
        "trim",
    ),
    *("lowerAscii", "distinct", "sort", "reverse", "flatten", "first", "major", "family", "undefined"),
)
_METHODS_OF_ONE = (
    *("orValue", "or", "contains", "startsWith", "matches", "indexOf", "lastIndexOf", "split", "format"),
    *("join", "add", "compareTo", "flatten", "charAt", "substring", "findAll", "containsIP"),
)
_METHODS_OF_TWO = ("replace", "slice", "indexOf", "substring", "split", "findAll")
_MACROS = ("all", "exists", "exists_one", "map", "filter", "optMap", "optFlatMap", "sortBy")
_MACROS_OF_TWO = ("all", "exists", "existsOne", "transformList", "transformMap", "transformMapEntry")
_NAMES = ("a", "a-b", "namespace", "x__y", "kind", "metadata", "9", "ü", "name", "true", "_", "a.b/c")
_FIELDS = ("a", "b", "name", "port", "tls", "mode", "size", "spec", "metadata", "deep", "value", "for")
_PATHS = ("self", "oldSelf", *(f"self.{name}" for name in map(escape, SCHEMA["properties"]) if name))
_FORMATS = ("byte", "duration", "date", "date-time", "int32", "uuid")


class Chance:
    """What is random, from a seed."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._names: tuple[str, ...] = ()
        self._locals: list[str] = []

    def case(self) -> Case:
        """An expression of the variables, or of values of the schema."""
        scope = self._random.choice(("variables", "variables", *RULES))
        self._names = tuple(VARIABLES) if scope == "variables" else _PATHS
        return Case(scope, self._expression(self._random.choice((2, 3, 3, 4))))

    def schema(self, depth: int = 4) -> dict[str, Any]:
        """A schema, not all of which expressions can speak of."""
        kind = self._random.choice(
            ("object", "object", "array", "map", "string", "scalar", "union", "unknown")
        )
        if depth == 0 and kind in ("object", "array", "map"):
            kind = "string"
        made: dict[str, Any] = getattr(self, f"_{kind}")(depth - 1)
        if self._random.random() < 0.2:
            made["default"] = self._random.choice((None, "x", {}))
        if kind in ("object", "unknown") and self._random.random() < 0.2:
            made["x-kubernetes-embedded-resource"] = True
        return made

    def _object(self, depth: int) -> dict[str, Any]:
        names = self._random.sample(_NAMES, self._random.randrange(6))
        made: dict[str, Any] = {"type": "object", "properties": {name: self.schema(depth) for name in names}}
        if self._random.random() < 0.5:
            made["required"] = self._random.sample(_NAMES, 3)
        return made

    def _map(self, depth: int) -> dict[str, Any]:
        bound = self._bound("maxProperties")
        return {"type": "object", "additionalProperties": self.schema(depth), **bound}

    def _array(self, depth: int) -> dict[str, Any]:
        return {"type": "array", "items": self.schema(depth), **self._bound("maxItems")}

    def _string(self, _depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "string", **self._bound("maxLength")}
        if self._random.random() < 0.4:
            made["format"] = self._random.choice(_FORMATS)
        if self._random.random() < 0.2:
            made["enum"] = ["a", "größer"]
        return made

    def _scalar(self, _depth: int) -> dict[str, Any]:
        return {"type": self._random.choice(("integer", "number", "boolean"))}

    def _union(self, _depth: int) -> dict[str, Any]:
        return {"x-kubernetes-int-or-string": True, **self._bound("maxLength")}

    def _unknown(self, _depth: int) -> dict[str, Any]:
        typed = {"type": "object"} if self._random.random() < 0.5 else {}
        return {**typed, "x-kubernetes-preserve-unknown-fields": True}

    def _bound(self, name: str) -> dict[str, int]:
        return {name: self._random.choice((0, 7, 10**6))} if self._random.random() < 0.4 else {}

    def _expression(self, depth: int) -> str:
        if depth == 0 or self._random.random() < 0.12:
            names = (*self._names, *self._locals * 3)
            return self._random.choice(names if self._random.random() < 0.45 else _LEAVES)
        made = self._random.choice((self._operation, self._literal, self._selection, self._macro, self._call))
        return made(depth - 1)

    def _operation(self, depth: int) -> str:
        one, two, three = (self._expression(depth) for _ in range(3))
        if self._random.random() < 0.2:
            return f"({one} ? {two} : {three})"
        if self._random.random() < 0.2:
            return f"{self._random.choice('!-')}({one})"
        return f"({one} {self._random.choice(_OPERATORS)} {two})"

    def _literal(self, depth: int) -> str:
        marks = [self._random.choice(("", "", "", "?")) for _ in range(self._random.randrange(4))]
        if self._random.random() < 0.5:
            return f"[{', '.join(mark + self._expression(depth) for mark in marks)}]"
        entries = (f"{mark}{self._expression(depth)}: {self._expression(depth)}" for mark in marks)
        return f"{{{', '.join(entries)}}}"

    def _selection(self, depth: int) -> str:
        operand, mark = self._expression(depth), self._random.choice(("", "", "?"))
        if self._random.random() < 0.3:
            return f"has({operand}.{self._random.choice(_FIELDS)})"
        if self._random.random() < 0.5:
            return f"{operand}.{mark}{self._random.choice(_FIELDS)}"
        return f"{operand}[{mark}{self._expression(depth)}]"

    def _macro(self, depth: int) -> str:
        target = self._expression(depth)
        names = self._random.sample(("x", "z", "i", "w"), self._random.choice((1, 1, 2)))
        self._locals += names
        bodies = [self._expression(depth) for _ in range(self._random.choice((1, 1, 1, 2)))]
        del self._locals[-len(names) :]
        macro = self._random.choice(_MACROS if len(names) == 1 else _MACROS_OF_TWO)
        return f"{target}.{macro}({', '.join((*names, *bodies))})"

    def _call(self, depth: int) -> str:
        one, two, three = (self._expression(depth) for _ in range(3))
        return self._random.choice(
            (
                f"{self._random.choice(_FUNCTIONS)}({one})",
                f"{one}.{self._random.choice(_METHODS)}()",
                f"{one}.{self._random.choice(_METHODS_OF_ONE)}({two})",
                f"{one}.{self._random.choice(_METHODS_OF_TWO)}({two}, {three})",
                f"sets.contains({one}, {two})",
                f"dyn({one})",
            )
        )
