"""What many texts share is kept once, and nothing is lost by that."""

from __future__ import annotations

import random

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.cache.phrases import Phrases

_FEW = 1000
_ENOUGH = 3000


def _text(number: int, note: str = "") -> bytes:
    variables = [{"name": f"SETTING_{each}", "value": f"value {each} of {number}"} for each in range(8)]
    metadata = {"labels": {"shard": str(number % 16)}, "resourceVersion": str(number)}
    return orjson.dumps({"metadata": metadata, "spec": {"environment": variables, "note": note}})


def _kept(phrases: Phrases, texts: list[bytes]) -> list[bytes]:
    kept = []
    for text in texts:
        kept.append(phrases.shorten(text))
        phrases.hear(kept[-1])
    return kept


def test_what_all_objects_share_is_kept_once() -> None:
    texts = [_text(number) for number in range(_ENOUGH)]
    kept = _kept(Phrases(), texts)
    assert len(kept[-1]) < 0.6 * len(texts[-1])


def test_what_was_kept_before_a_phrase_was_learned_is_restored_after() -> None:
    texts = [_text(number) for number in range(_ENOUGH)]
    phrases = Phrases()
    kept = _kept(phrases, texts)
    assert len({len(text) - len(short) for text, short in zip(texts, kept, strict=True)}) > 1
    assert list(map(phrases.restore, kept)) == texts


def test_few_objects_are_kept_as_they_are() -> None:
    texts = [_text(number) for number in range(_FEW)]
    assert _kept(Phrases(), texts) == texts


def test_objects_that_share_little_are_kept_as_they_are() -> None:
    chance = random.Random(0)
    texts = [orjson.dumps({"metadata": {}, "data": chance.randbytes(500).hex()}) for _ in range(_ENOUGH)]
    assert _kept(Phrases(), texts) == texts


def test_what_only_every_sixteenth_object_has_is_no_phrase() -> None:
    words = [chr(ord("a") + each) * 5 for each in range(16)]
    texts = [_text(number, f"{words[number % 16]} " * 50) for number in range(_ENOUGH)]
    phrases = Phrases()
    _kept(phrases, texts)
    saved = {len(text) - len(phrases.shorten(text)) for text in texts[-16:]}
    assert max(saved) == min(saved) > 0


def test_a_phrase_that_holds_another_is_restored() -> None:
    sentence = "once upon a time there was a phrase that had more words than are looked at together; "
    texts = [_text(number, sentence * 20) for number in range(_ENOUGH)]
    phrases = Phrases()
    kept = _kept(phrases, texts)
    assert kept[-1].count(1) < kept[-1].count(2), "the second phrase does not hold the first"
    assert list(map(phrases.restore, kept)) == texts


def test_a_text_longer_than_what_is_compared_is_restored() -> None:
    texts = [_text(number, f"ä note {number} " * 1000) for number in range(_ENOUGH)]
    phrases = Phrases()
    kept = _kept(phrases, texts)
    assert kept[-1] != texts[-1]
    assert list(map(phrases.restore, kept)) == texts


@pytest.fixture(scope="module")
def learned() -> Phrases:
    phrases = Phrases()
    _kept(phrases, [_text(number) for number in range(_ENOUGH)])
    return phrases


_values = st.recursive(
    st.text() | st.integers(-(2**53), 2**53) | st.booleans() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.property
@given(value=_values, number=st.integers(0, 10_000))
def test_whatever_an_object_says_is_restored(learned: Phrases, value: object, number: int) -> None:
    text = orjson.dumps({"metadata": orjson.loads(_text(number)), "spec": value})
    kept = learned.shorten(text)
    assert kept != text
    assert learned.restore(kept) == text
