"""Expressions made at random of the functions of CEL's libraries, all of them well typed.

They speak of the schema and the value of the topic `costs` in `cel_library.json`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

_TEXTS: Final = (
    *("self.name", "self.free", "self.enum", "self.objs[0].a", "self.map['a']"),
    *("'abc'", "'1.2.3'", "''", "'10.0.0.0/8'"),
)
_LISTS: Final = ("self.list", "self.open", "['a', 'bb', '']", "[self.name, self.free]")
_PATTERNS: Final = ("a", "[a-z]+", ".", "b*", "^[a-z]+$")


class Author:
    """Writes expressions that nest to a depth."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._texts: list[str] = []
        self._count = 0

    def expression(self, depth: int) -> str:
        """One expression, of any type."""
        return self._random.choice((self.condition, self.condition, self.list, self.text))(depth)

    def text(self, depth: int) -> str:
        """An expression that is a text."""
        if depth <= 0 or self._random.random() < 1 / 3:
            return self._random.choice((*_TEXTS, *self._texts))
        inner = depth - 1
        return self._one_of(
            lambda: f"({self.text(inner)} + {self.text(inner)})",
            lambda: f"{self.text(inner)}.{self._random.choice(('lowerAscii', 'upperAscii', 'trim'))}()",
            lambda: f"{self.text(inner)}.replace({self.text(0)}, {self.text(inner)})",
            lambda: f"{self.list(inner)}.join({self.text(0)})",
            lambda: f"'%s-%d'.format([{self.text(inner)}, {self.number(inner)}])",
            lambda: f"{self.text(inner)}.find('{self._random.choice(_PATTERNS)}')",
            lambda: f"({self.condition(inner)} ? {self.text(inner)} : {self.text(inner)})",
            lambda: f"strings.quote({self.text(inner)})",
            lambda: f"self.?name.orValue({self.text(inner)})",
            lambda: f"optional.of({self.text(inner)}).optMap(q, q + {self.text(0)}).orValue('')",
        )

    def number(self, depth: int) -> str:
        """An expression that is an integer."""
        if depth <= 0:
            return self._random.choice(("1", "self.n", "0"))
        inner = depth - 1
        return self._one_of(
            lambda: f"{self.text(inner)}.size()",
            lambda: f"{self.list(inner)}.size()",
            lambda: f"self.ints.{self._random.choice(('sum', 'min', 'max'))}()",
            lambda: f"{self.text(inner)}.indexOf({self.text(0)})",
            lambda: f"{self.list(inner)}.lastIndexOf({self.text(0)})",
            lambda: f"({self.number(inner)} {self._random.choice('+-*')} {self.number(inner)})",
            lambda: f"quantity('{self._random.choice(('1', '5Gi', '3m'))}').compareTo(quantity('2'))",
            lambda: f"semver('{self._random.choice(('1.2.3', '0.1.0-rc.1'))}').major()",
        )

    def list(self, depth: int) -> str:
        """An expression that is a list of texts."""
        if depth <= 0 or self._random.random() < 1 / 4:
            return self._random.choice(_LISTS)
        inner = depth - 1
        return self._one_of(
            lambda: f"{self.text(inner)}.split({self.text(0)})",
            lambda: f"{self.list(inner)}.{self._random.choice(('reverse', 'distinct'))}()",
            lambda: f"self.list.{self._random.choice(('sort()', 'sortBy(x, x.size())'))}",
            lambda: f"({self.list(inner)} + {self.list(inner)})",
            lambda: f"{self.text(inner)}.findAll('{self._random.choice(_PATTERNS)}')",
            lambda: f"{self.list(inner)}.slice(0, {self._random.randrange(3)})",
            lambda: f"({self.condition(inner)} ? {self.list(inner)} : {self.list(inner)})",
            lambda: f"[{self.list(inner)}, {self.list(inner)}].flatten()",
            lambda: self._loop("{over}.map({name}, {text})", inner),
            lambda: self._loop("{over}.filter({name}, {condition})", inner),
            lambda: self._loop("{over}.map({name}, {condition}, {text})", inner),
        )

    def condition(self, depth: int) -> str:
        """An expression that is true or false."""
        if depth <= 0:
            return self._random.choice(("self.flag", "true", "has(self.name)"))
        kinds = self._comparison, self._judgement, self._junction, self._quantifier
        return self._random.choice(kinds)(depth - 1)

    def _comparison(self, depth: int) -> str:
        relation = self._random.choice(("<", "==", ">=", "!="))
        return self._one_of(
            lambda: f"{self.text(depth)} {relation} {self.text(depth)}",
            lambda: f"{self.number(depth)} {relation} {self.number(depth)}",
            lambda: f"{self.list(depth)} == {self.list(depth)}",
            lambda: f"{self.text(depth)} in {self.list(depth)}",
        )

    def _judgement(self, depth: int) -> str:
        kind = self._random.choice(("isIP", "isCIDR", "isURL", "isQuantity", "isSemver"))
        part = self._random.choice(("contains", "startsWith", "endsWith"))
        relation = self._random.choice(("contains", "intersects", "equivalent"))
        form = self._random.choice(("dns1123Label", "labelValue", "uri"))
        return self._one_of(
            lambda: f"{kind}({self.text(depth)})",
            lambda: f"{self.text(depth)}.{part}({self.text(depth)})",
            lambda: f"{self.text(depth)}.matches('{self._random.choice(_PATTERNS)}')",
            lambda: f"sets.{relation}({self.list(depth)}, {self.list(depth)})",
            lambda: f"{self.list(depth)}.isSorted()",
            lambda: f"format.{form}().validate({self.text(depth)}).hasValue()",
        )

    def _junction(self, depth: int) -> str:
        operator = self._random.choice(("&&", "||"))
        return self._one_of(
            lambda: f"({self.condition(depth)} {operator} {self.condition(depth)})",
            lambda: f"!({self.condition(depth)})",
        )

    def _quantifier(self, depth: int) -> str:
        word = self._random.choice(("all", "exists", "exists_one"))
        return self._one_of(
            lambda: self._loop(f"{{over}}.{word}({{name}}, {{condition}})", depth),
            lambda: self._loop(f"{{over}}.{word}(i, {{name}}, {{condition}})", depth),
            lambda: self._nested(word, depth),
        )

    def _nested(self, word: str, depth: int) -> str:
        """Loops over objects in objects, whose fields are told apart by their sizes."""
        outer, inner = self._name(), self._name()
        with self._speaking(f"{outer}.a", f"{outer}.b", f"{inner}.x", f"{inner}.y"):
            return f"self.objs.{word}({outer}, {outer}.c.{word}({inner}, {self.condition(depth)}))"

    def _loop(self, template: str, depth: int) -> str:
        over, name = self.list(depth), self._name()
        with self._speaking(name):
            text, condition = self.text(depth), self.condition(depth)
        return template.format(over=over, name=name, text=text, condition=condition)

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    @contextmanager
    def _speaking(self, *names: str) -> Iterator[None]:
        """Let expressions use more texts."""
        before = self._texts
        self._texts = [*before, *names * 2]
        yield
        self._texts = before

    def _one_of(self, *parts: Callable[[], str]) -> str:
        return self._random.choice(parts)()


def expressions(random: Random, count: int) -> Sequence[str]:
    """So many expressions."""
    return [Author(random).expression(random.randrange(2, 6)) for _ in range(count)]
