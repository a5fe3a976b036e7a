"""The annotation of an object that could not be converted."""

import pytest

from windlass.api import UNCONVERTED, Unconverted


def test_what_is_written_is_read_again() -> None:
    note = Unconverted("g.example.com/v1", "too odd", {"spec": {"size": 3}})

    assert Unconverted.of({UNCONVERTED: note.text()}) == note
    assert note.text() == '{"from":"g.example.com/v1","object":{"spec":{"size":3}},"reason":"too odd"}'


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "{}", '{"from": "", "reason": "", "object": {}}', '{"from": "a", "reason": ""}'],
)
def test_what_cannot_be_read_is_no_annotation(text: str) -> None:
    assert Unconverted.of({UNCONVERTED: text}) is None


def test_without_annotations_there_is_none() -> None:
    assert Unconverted.of(None) is None
    assert Unconverted.of({}) is None


def test_the_body_has_no_metadata() -> None:
    text = (
        '{"from": "a/v1", "reason": "", "object": {"kind": "B", "apiVersion": "c", "metadata": {}, "x": 1}}'
    )

    note = Unconverted.of({UNCONVERTED: text})

    assert note == Unconverted("a/v1", "", {"x": 1})
