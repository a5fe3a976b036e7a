from __future__ import annotations

import re
from typing import Final

_MOST: Final = 2
"""So many phrases are looked for in each text that comes: more save less, and cost as much."""

_FEW: Final = 1000
"""So many objects of a kind are not worth a search for phrases."""

_APART: Final = 257
"""Of so many objects one is learned from; a prime, for what each sixteenth has is no phrase of them all."""

_WORTH: Final = 1 / 20
"""A phrase makes texts shorter by this share at least."""

_LOOKED_AT: Final = 1024
_COMPARED: Final = 4096
_WORDS: Final = 12
"""A phrase is searched for in so many bytes of a text, compared with so many, and has so many words at most.

The search takes a few milliseconds, in which nothing else happens.
"""

_WORD: Final = re.compile(rb'[0-9]+|[" ]?[^0-9" ]+|[" ]')


class Phrases:
    """What the texts of one kind have in common, as the names of their fields, each kept as a single byte.

    JSON escapes control characters, so a byte that is one stands for a phrase and nothing else. A phrase is
    learned from two objects and never given up: whatever was shortened before is restored as it was.
    """

    def __init__(self) -> None:
        self._known: list[tuple[bytes, bytes]] = []
        self._newest_first: list[tuple[bytes, bytes]] = []
        self._heard = 0
        self._sample = b""
        self._is_learning = True

    def shorten(self, text: bytes) -> bytes:
        """A text as it is kept."""
        for phrase, code in self._known:
            text = text.replace(phrase, code)
        return text

    def restore(self, kept: bytes) -> bytes:
        """The text that was shortened to this."""
        for phrase, code in self._newest_first:  # a phrase may hold the codes of older ones
            kept = kept.replace(code, phrase)
        return kept

    def hear(self, kept: bytes) -> None:
        """One more object came, and is kept as this: from time to time, learn what it shares with another."""
        self._heard += 1
        if not self._is_learning or self._heard <= _FEW or self._heard % _APART:
            return
        one, other = self.shorten(self._sample), kept[:_COMPARED]
        self._sample = other
        if one:
            self._learn(one, other)

    def _learn(self, one: bytes, other: bytes) -> None:
        phrase, saved = _most_common(one, other)
        if saved < _WORTH * len(one):
            self._is_learning = False
            return
        self._known.append((phrase, bytes((len(self._known) + 1,))))
        self._newest_first = self._known[::-1]
        self._is_learning = len(self._known) < _MOST


def _most_common(one: bytes, other: bytes) -> tuple[bytes, int]:
    """The phrase that, put as one byte, makes both texts shorter by the most, and by how much.

    To be quick, only the middle of a long text is searched: it begins with what is particular to the object.
    """
    skipped = max(0, len(one) - _LOOKED_AT) // 2
    ends = [skipped, *(word.end() for word in _WORD.finditer(one, skipped, skipped + _LOOKED_AT))]
    best, most = b"", 0
    for at, start in enumerate(ends):
        for end in ends[at + 1 : at + 1 + _WORDS]:
            phrase = one[start:end]
            if phrase not in other:
                break
            saved = (end - start - 1) * one.count(phrase)
            if saved > most:
                saved = min(saved, (end - start - 1) * other.count(phrase))
            if saved > most:
                best, most = phrase, saved
    return best, most
