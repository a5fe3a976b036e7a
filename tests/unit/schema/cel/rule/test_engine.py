from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from cel_rule_cases import rules
from schemas import INTEGER, STRING, Schema, array, mapping, obj, said
from windlass.schema.cel.rule import CelEngine
from windlass.schema.custom.judge import Link
from windlass.schema.shape import Shape

_SUBJECT = obj(f=array(INTEGER, maxItems=5), s=STRING, m=mapping(INTEGER))
_VALUES: tuple[dict[str, Any], ...] = (
    {"f": [1, 2], "s": "a", "m": {"a": 1}},
    {},
    {"f": [], "s": "", "m": {}},
)
_RULES = (
    "self.f.all(i, i > 3) && self.s == 'x'",
    "self.f.map(k, k * 2 - 1).filter(z, z != 0) == [] ? true : self.?s.orValue('').matches(r'^[0-9]+$')",
    "{'a': 1, ?'b': self.?m.?a}.size() > 0 || [[1, 2], [3]].flatten().sort() == self.f",
    "duration('1h') < timestamp('2020-01-01T00:00:00Z') - timestamp('2019-01-01T00:00:00Z')",
    "quantity(self.s).isLessThan(quantity('1Gi')) != (semver('1.2.3').compareTo(semver('1.2.4')) < 0)",
    "self.f.all(i, v, v > i) && self.m.transformMap(k, v, v + 1) == self.m",
    "'%s %d'.format([self.s, 3]).split('').join('-').upperAscii().indexOf('A', 1) > 0",
    "ip('1.2.3.4').family() == 4 && cidr('10.0.0.0/8').containsIP('10.0.0.1') && url('http://a/b').getHost() == 'a'",
    "type(self.f) == list && dyn(self.s) == 1 && -1 + -2 * 3 / 2 % 5 > 0 && uint(1) + 2u < 3u",
    "self.?s.optMap(v, v.size()).optFlatMap(w, optional.of(w)).orValue(1) == 1 || sets.contains(self.f, [1])",
)


def test_a_schema_without_rules_compiles_to_nothing() -> None:
    assert CelEngine().compile(obj(a=INTEGER)) is None


def test_what_an_update_did_not_bring_about_is_excused_but_told() -> None:
    schema = obj(a=INTEGER | rules("self > 0"), b=INTEGER)
    found = CelEngine().compile(schema)
    assert found is not None
    value, old = {"a": 0, "b": 1}, {"a": 0, "b": 2}
    link = Link(value, old, Shape(schema))

    assert list(found.faults(value, old, link, "")) == []
    assert said(found.excused(value, old, link)) == ["a: Invalid value: 0: failed rule: self > 0"]


@pytest.mark.parametrize("name", ["kind", "apiVersion"])
def test_the_type_of_an_object_is_never_excused(name: str) -> None:
    schema = obj(**{name: STRING | rules("self == 'A'")})
    found = CelEngine().compile(schema)
    assert found is not None
    value = {name: "B"}

    faults = found.faults(value, value, Link(value, value, Shape(schema)), "")

    assert said(faults) == [f"{name}: Invalid value: \"B\": failed rule: self == 'A'"]


@pytest.mark.parametrize("seed", range(10))
def test_any_rule_is_refused_or_evaluated(seed: int) -> None:
    chance = Random(seed)
    words = [word for rule in _RULES for word in re.findall(r"\w+|\W", rule)]
    for _ in range(60):
        schema = _SUBJECT | rules(_broken(chance, words))
        engine = CelEngine()
        list(engine.check(schema, "schema"))
        found = engine.compile(schema)
        assert found is not None
        for value in _VALUES:
            list(found.faults(value, None, None, ""))


def _broken(chance: Random, words: list[str]) -> str:
    """A rule with a few words put in, left out or exchanged."""
    text = re.findall(r"\w+|\W", chance.choice(_RULES))
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(text))
        width = chance.choice([0, 1, 1])
        text[place : place + width] = chance.choice([[], [chance.choice(words)]])
    return "".join(text)


@pytest.mark.parametrize(
    "rule",
    [
        "(" * 248 + "true" + ")" * 248,
        "!(" * 200 + "true" + ")" * 200,
        " + ".join(["1"] * 249) + " > 0",
        " && ".join(["true"] * 1000),
        "size(" + "[" * 200 + "]" * 200 + ") >= 0",
        "false ? false : " * 200 + "true",
        "self.f" + ".map(x, x)" * 100 + ".size() >= 0",
    ],
    ids=["parentheses", "negations", "sums", "conjunctions", "lists", "conditions", "loops"],
)
def test_a_rule_may_be_as_deep_as_the_language_allows(rule: str) -> None:
    schema: Schema = _SUBJECT | rules(rule)
    engine = CelEngine()
    assert list(engine.check(schema, "schema")) == []
    found = engine.compile(schema)
    assert found is not None
    assert list(found.faults(_VALUES[0], None, None, "")) == []
