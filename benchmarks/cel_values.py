"""Values for the schema of a CEL rule, drawn by seed and leaning towards what the rule speaks of."""

import random
import re
import string
from typing import TYPE_CHECKING, Any

from benchmarks.cel_corpus import Case, Schema

if TYPE_CHECKING:
    from collections.abc import Callable

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
NUMBER = re.compile(r"\b\d+\b")
TEXTS = (
    "",
    "a",
    "Web-1",
    "example.com",
    "*.example.com",
    "10.0.0.1",
    "10.0.0.0/8",
    "fd00::1",
    "1h30m",
    "100m",
)
MORE_TEXTS = ("5Gi", "10%", "https://example.com/a?b=c", "/a//b", "a=b", "v1.2.3", "é")
INSTANTS = ("2024-02-29T12:00:00Z", "2025-01-01T00:00:00Z")
DAYS = ("2024-02-29", "2025-01-01")
SPANS = ("0s", "1500ms", "1h30m")
BLOBS = ("", "aGVsbG8=")
INTEGERS = (0, 1, 2, 80, 443, 65536)
LIMIT = 2**31 - 1
DEPTH = 8


class Values:
    """A source of values for one rule."""

    def __init__(self, rule: str, chance: random.Random) -> None:
        self._chance = chance
        self._words = set(WORD.findall(rule))
        quoted = ["".join(pair) for pair in QUOTED.findall(rule)]
        self._quoted = [text for text in quoted if len(text) < 64]  # noqa: PLR2004 - the rest are patterns
        self._numbers = [int(number) for number in NUMBER.findall(rule) if int(number) < LIMIT]

    def pair(self, case: Case) -> tuple[Any, Any]:
        """A value, and for a transition rule the one before it."""
        return self.draw(case.schema), self.draw(case.schema) if case.is_transition else None

    def draw(self, schema: Schema, depth: int = 0) -> Any:
        """A value that the schema admits."""
        drawn: dict[str, Callable[[], Any]] = {
            "object": lambda: self._object(schema, depth),
            "array": lambda: self._array(schema, depth),
            "string": lambda: self._text(schema),
            "integer": lambda: self._integer(schema),
            "number": lambda: self._integer(schema) + self._chance.choice((0.0, 0.5)),
            "boolean": lambda: self._chance.choice((False, True)),
        }
        if "enum" in schema:
            known = [text for text in schema["enum"] if text in self._quoted]
            return self._chance.choice(known if known and self._often() else schema["enum"])
        if schema.get("x-kubernetes-int-or-string"):
            return self._text(schema) if self._often() else self._integer(schema)
        return drawn.get(schema.get("type", ""), dict)()

    def _often(self) -> bool:
        return self._chance.random() < 0.7  # noqa: PLR2004

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        required = set(schema.get("required", ()))
        drawn = {}
        for name, child in schema.get("properties", {}).items():
            odds = 0.55 if name in self._words else 0.05 if depth < DEPTH else 0.0
            if name in required or self._chance.random() < odds:
                drawn[name] = self.draw(child, depth + 1)
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            least, most = schema.get("minProperties", 0), min(schema.get("maxProperties", 3), 3)
            names = [*self._quoted, "key", "other.example.com/name", "a"]
            for name in self._chance.sample(
                names, k=min(len(names), self._chance.randint(least, max(least, most)))
            ):
                drawn[name] = self.draw(values, depth + 1)
        return drawn

    def _array(self, schema: Schema, depth: int) -> list[Any]:
        least = schema.get("minItems", 0)
        most = max(least, min(schema.get("maxItems", 3), least + 3))
        drawn = [self.draw(schema["items"], depth + 1) for _ in range(self._chance.randint(least, most))]
        if "x-kubernetes-list-type" not in schema:
            return drawn + drawn[:1] if len(drawn) < most and self._chance.random() < 0.2 else drawn  # noqa: PLR2004
        return list({self._identity(schema, item): item for item in drawn}.values())

    def _identity(self, schema: Schema, item: Any) -> str:
        keys = schema.get("x-kubernetes-list-map-keys")
        return repr([item.get(key) for key in keys] if keys else item)

    def _text(self, schema: Schema) -> str:
        pools = {"date-time": INSTANTS, "date": DAYS, "duration": SPANS, "byte": BLOBS}
        if schema.get("format") in pools:
            return self._chance.choice(pools[schema["format"]])
        spoken = self._quoted if self._quoted and self._often() else (*TEXTS, *MORE_TEXTS)
        text = self._chance.choice(spoken)
        if self._chance.random() < 0.1:  # noqa: PLR2004
            text += self._chance.choice(string.ascii_letters)
        return text.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength")]

    def _integer(self, schema: Schema) -> int:
        near = [number + step for number in self._numbers for step in (-1, 0, 1)]
        drawn = self._chance.choice(near if near and self._often() else INTEGERS)
        least = int(schema.get("minimum", -LIMIT)) + bool(schema.get("exclusiveMinimum"))
        most = int(schema.get("maximum", LIMIT)) - bool(schema.get("exclusiveMaximum"))
        return max(least, min(most, drawn))
