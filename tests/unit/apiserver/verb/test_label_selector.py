"""Label selectors: what they choose, and the words of the real server for what it cannot read."""

from __future__ import annotations

import pytest

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.label_selector import parse_labels

NO_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer"


@pytest.mark.parametrize(
    ("text", "labels", "chosen"),
    [
        ("a in (,b)", {"a": ""}, True),
        ("a in ()", {"a": ""}, True),
        ("a in (in,notin)", {"a": "in"}, True),
        ("in in (a)", {"in": "a"}, True),
        ("a\tnotin\n(b)", {}, True),
        ("a>5", {"a": "6"}, True),
        ("a<5", {"a": "x"}, False),
        ("!a,b=", {"b": ""}, True),
    ],
)
def test_a_selector_chooses(text: str, labels: dict[str, str], *, chosen: bool) -> None:
    assert parse_labels(text).matches(labels) is chosen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a in (=", "unable to parse requirement: found '=', expected: ',', ')' or identifier"),
        ("a in (b,=", "unable to parse requirement: found '=', expected: ',', or identifier"),
        ("a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"),
        ("a in b", "unable to parse requirement: found 'b' expected: '('"),
        ("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
        ("a=b=c", "found '=', expected: ',' or 'end of string'"),
        ("a,,b", "found ',', expected: identifier after ','"),
        (
            "a>99999999999999999999",
            'unable to parse requirement: values[0]: Invalid value: "99999999999999999999": ' + NO_INTEGER,
        ),
    ],
)
def test_what_cannot_be_read_is_told_as_the_real_server_does(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_labels(text)

    assert (refusal.value.code, refusal.value.message) == (400, message)


def test_each_fault_of_a_value_is_told_and_values_are_counted_in_their_order() -> None:
    with pytest.raises(Refusal) as several:
        parse_labels("a>+5x")
    with pytest.raises(Refusal) as sorted_first:
        parse_labels("a in (b,-x)")

    assert several.value.message.startswith('unable to parse requirement: [values[0]: Invalid value: "+5x"')
    assert ', values[0][a]: Invalid value: "+5x"' in several.value.message
    assert 'values[0][a]: Invalid value: "-x"' in sorted_first.value.message
