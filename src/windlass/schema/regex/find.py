"""Where a program matches.

The program is followed at all the places where it can be at once, the ones that it likes best first. How such
a crowd moves on by a character does not depend on where its members began, so that is worked out once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.schema.regex.program import Fork, Place, Take

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema.regex.charset import CharSet
    from windlass.schema.regex.program import Code

    Key = tuple[int, int, bool]
    """The sets that a character is in, what holds behind it, and whether a match may still begin there."""

_MOST_CROWDS: Final = 2_000
_BITS: Final = {place: 1 << bit for bit, place in enumerate(Place)}
_BEGIN_LINE: Final = _BITS[Place.BEGIN_LINE]
_END_LINE: Final = _BITS[Place.END_LINE]
_BOUNDARY: Final = _BITS[Place.WORD_BOUNDARY]
_NO_BOUNDARY: Final = _BITS[Place.NO_WORD_BOUNDARY]
_AT_BEGIN: Final = _BITS[Place.BEGIN_TEXT] | _BEGIN_LINE
_AT_END: Final = _BITS[Place.END_TEXT] | _END_LINE
_OF_TEXT: Final = _BITS[Place.BEGIN_TEXT] | _BITS[Place.END_TEXT]
_WORD, _NEWLINE = 1, 2
"""The bits of the first two sets: the characters of words, and the one that ends a line."""


class _Crowd:
    """Where the program waits for a character, or is at its end, in the order of liking."""

    __slots__ = ("end", "moves", "places")

    def __init__(self, places: tuple[int, ...], last: int) -> None:
        self.places = places
        self.end = places.index(last) if last in places else None
        self.moves: dict[Key, _Move] = {}


class _Move(NamedTuple):
    """What a crowd becomes, and which member each of the new ones comes from; -1 if it begins there."""

    to: _Crowd
    parents: tuple[int, ...]


class Finder:
    """Finds matches. `kind` tells the sets that a character is in as bits, `numbers` the bit of each."""

    def __init__(self, code: Code, kind: Callable[[str], int], numbers: Mapping[CharSet, int]) -> None:
        self._code = code
        self._kind = kind
        self._numbers = numbers
        self._asks = any(isinstance(step, Place) for step in code)
        self._looks = any(isinstance(step, Place) and not _BITS[step] & _OF_TEXT for step in code)
        self._crowds: dict[tuple[int, ...], _Crowd] = {}

    def find(self, text: str, start: int) -> tuple[int, int] | None:
        """Where the first match from a position on begins and ends; of several, the one liked best."""
        found: tuple[int, int] | None = None
        crowd = self._crowd(self._entered({}, 0, -1, self._holds(text, start)))
        begins = [start] * len(crowd.places)
        for at in range(start, len(text)):
            if crowd.end is not None:
                found = begins[crowd.end], at
            key = self._kind(text[at]), self._holds(text, at + 1), found is None
            move = crowd.moves.get(key) or self._move(crowd, key)
            crowd = move.to
            begins = [at + 1 if parent < 0 else begins[parent] for parent in move.parents]
            if found is not None and not begins:
                return found
        return found if crowd.end is None else (begins[crowd.end], len(text))

    def _move(self, crowd: _Crowd, key: Key) -> _Move:
        kind, holds, may_begin = key
        entered: dict[int, int] = {}
        for member, place in enumerate(crowd.places[: crowd.end]):  # those behind an end are liked less
            step = self._code[place]
            if isinstance(step, Take) and kind >> self._numbers[step.chars] & 1:
                self._entered(entered, place + 1, member, holds)
        if may_begin:
            self._entered(entered, 0, -1, holds)
        to = self._crowd(entered)
        move = crowd.moves[key] = _Move(to, tuple(entered[place] for place in to.places))
        return move

    def _entered(self, entered: dict[int, int], place: int, member: int, holds: int) -> dict[int, int]:
        """Add where the program can be from a place on without reading, in the order of liking.

        Also where it only passes, since no member that comes later need pass there again.
        """
        open_ = [place]
        while open_:
            place = open_.pop()
            if place in entered:
                continue
            entered[place] = member
            step = self._code[place] if place < len(self._code) else None
            if isinstance(step, Place):
                open_ += (place + 1,) if holds & _BITS[step] else ()
            elif isinstance(step, Fork):
                open_ += [place + distance for distance in reversed(step.to)]
        return entered

    def _crowd(self, entered: Mapping[int, int]) -> _Crowd:
        last = len(self._code)
        places = tuple(place for place in entered if place == last or isinstance(self._code[place], Take))
        if len(self._crowds) >= _MOST_CROWDS:
            # Texts that lead everywhere must not fill the memory: begin to learn anew.
            self._crowds = {}
        return self._crowds.setdefault(places, _Crowd(places, last))

    def _holds(self, text: str, at: int) -> int:
        """What holds at a position, as bits, as far as the program asks."""
        if not self._asks:
            return 0
        holds = _AT_BEGIN if at == 0 else _AT_END if at == len(text) else 0
        if at == 0 == len(text):
            holds |= _AT_END
        if self._looks:
            before = self._kind(text[at - 1]) if at else 0
            behind = self._kind(text[at]) if at < len(text) else 0
            holds |= _NO_BOUNDARY if before & _WORD == behind & _WORD else _BOUNDARY
            holds |= _BEGIN_LINE if before & _NEWLINE else 0
            holds |= _END_LINE if behind & _NEWLINE else 0
        return holds
