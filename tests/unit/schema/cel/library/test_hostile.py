"""Whatever text an expression is given, it has a value or fails as expressions do, and soon."""

from __future__ import annotations

from random import Random

import pytest

from cel_answer import LIMIT
from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import JSON_PATCH, KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.type import DYN, STRING

ENVIRONMENT = Environment(
    variables={"text": STRING, "other": STRING, "any": DYN}, libraries=(*KUBERNETES, JSON_PATCH)
)
ALPHABET = "0123456789abefxvkKMGTPEinum.:/%+-?#&;=@[]*(){}|^$\\ \t\n\x00\x7fé日\U0001f600"
EXPRESSIONS = (
    "[url(text).getHost(), url(text).getEscapedPath(), url(text).getPort()].size() + url(text).getQuery().size()",
    "url(text) == url(other) || isURL(text)",
    "string(ip(text)) + string(ip(text).family())",
    "string(cidr(text).masked()) + string(cidr(text).containsIP(other)) + string(cidr(text).containsCIDR(other))",
    "quantity(text).add(quantity(other)).sub(1).asApproximateFloat()",
    "quantity(text).compareTo(quantity(other)) + quantity(text).asInteger()",
    "semver(text).compareTo(semver(other, true)) + semver(text, true).major()",
    "text.find(other) + text.findAll(other).join(other)",
    "text.format([text, 1, 1.5, b'x', null, [1], {'a': text}])",
    "text.format([1.0e300, 1, other, other, other])",
    "text.replace(other, text).split(other).join(text).trim().lowerAscii()",
    "strings.quote(text) + jsonpatch.escapeKey(text)",
    "[format.dns1123Label(), format.uri(), format.datetime()].all(f, !f.validate(text).hasValue())",
    "[format.qualifiedName(), format.byte(), format.uuid()].all(f, !f.validate(text).hasValue())",
    "format.named(text).hasValue() || format.dns1123LabelPrefix().validate(text).hasValue()",
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_any_text_is_answered(expression: str) -> None:
    program = _program(expression)
    random = Random(expression)

    for _ in range(400):
        text, other = (_text(random) for _ in range(2))
        try:
            program.evaluate({"text": text, "other": other}, LIMIT)
        except EvaluationError:
            continue


@pytest.mark.parametrize(
    ("text", "is_integer"), [("1e2147483647", False), ("1e-2147483648", False), ("9" * 3000 + "Ei", False)]
)
def test_a_quantity_of_any_size_is_read(text: str, is_integer: bool) -> None:  # noqa: FBT001
    program = _program("quantity(text).isInteger() && quantity(text).isGreaterThan(quantity('1'))")

    assert program.evaluate({"text": text}, LIMIT).value is is_integer


@pytest.mark.parametrize(
    ("expression", "text", "message"),
    [
        ("quantity(text)", "1" * 5000, "unable to parse numeric part"),
        ("quantity(text)", "0." + "0" * 5000 + "1", "unable to parse numeric part"),
        ("quantity(text)", "1" * 30 + "e2000000000", "unable to parse numeric part"),
        ("quantity(text)", "1e" + "9" * 50, "unable to parse quantity's suffix"),
        ("semver(text)", "1" * 5000 + ".0.0", "value out of range"),
        ("semver(text)", "1.0.0-" + "1" * 5000, "value out of range"),
        ("cidr(text)", "::/" + "1" * 5000, "bad bits after slash"),
        ("text.format([1.0])", "%." + "9" * 5000 + "f", "value out of range"),
    ],
)
def test_a_number_that_is_too_long_is_refused(expression: str, text: str, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        _program(expression).evaluate({"text": text}, LIMIT)


@pytest.mark.parametrize(
    "expression",
    [
        "[text].map(a, a.replace('', a)).map(b, b.replace('', b)).map(c, c.replace('', c))",
        "[text].map(a, a.split('').join(a)).map(b, b.split('').join(b)).map(c, c.split('').join(c))",
        "lists.range(9223372036854775807)",
        "dyn(lists.range(5000).map(x, x % 2 == 0 ? dyn(x) : dyn('a'))).distinct()",
        "sets.contains(lists.range(5000).map(x, [x]), lists.range(5000).map(x, [x + 5000]))",
    ],
)
def test_what_would_take_all_memory_or_time_is_too_dear(expression: str) -> None:
    with pytest.raises(CostError, match="actual cost limit exceeded"):
        _program(expression).evaluate({"text": "0123456789" * 40})


def test_a_list_that_nests_deeply_is_flattened() -> None:
    nested: list[object] = ["x"]
    for _ in range(5000):
        nested = [nested]

    assert _program("any.flatten(5000)").evaluate({"any": nested}).value == ["x"]


def _program(expression: str) -> Program:
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    return Program(checked, ENVIRONMENT, KUBERNETES_PRICING)


def _text(random: Random) -> str:
    if random.random() < 1 / 4:
        return random.choice(
            (
                "1.2.3.4",
                "fe80::1%eth0",
                "10.0.0.0/8",
                "1.5Gi",
                "1.2.3-rc.1",
                "http://[::1]:80/a?b#c",
                "%.3f %s",
            )
        )
    return "".join(random.choices(ALPHABET, k=random.randrange(12)))
