from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from windlass.schema.regex.charset import NEWLINE, WORD, CharSet, Part
from windlass.schema.regex.find import Finder
from windlass.schema.regex.parse import parse
from windlass.schema.regex.program import Place, Take

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_STATES: Final = 2_000
_MOST_CHARACTERS: Final = 2_000
_WORD: Final = CharSet((Part(WORD),))
_NEWLINE: Final = CharSet((Part(NEWLINE),))
_BEGIN, _OTHER, _AFTER_WORD, _AFTER_NEWLINE = range(4)


class _State:
    """Where in the program a text may be, having been read up to a position; and where that leads."""

    __slots__ = ("before", "by_kind", "complete", "following", "places")

    def __init__(self, places: tuple[int, ...], before: int) -> None:
        self.places = places
        self.before = before
        self.following: dict[str, _State] = {}
        self.by_kind: dict[int, _State] = {}
        self.complete: bool | None = None


_MATCHED: Final = _State((), _OTHER)
_FAILED: Final = _State((), _OTHER)


class Regex:
    """A compiled expression. What it learns about texts is kept, so that the next one is read faster.

    Raises:
        ValueError: Go would not take the expression; the message is Go's.
    """

    def __init__(self, expression: str) -> None:
        self._code = parse(expression)
        sets = dict.fromkeys(each.chars for each in self._code if isinstance(each, Take))
        self._sets: tuple[CharSet, ...] = (_WORD, _NEWLINE, *sets)
        self._numbers = {chars: number for number, chars in enumerate(self._sets)}
        self._kinds: dict[str, int] = {}
        self._states: dict[tuple[tuple[int, ...], int], _State] = {}
        self._looks_back = any(
            each in (Place.BEGIN_LINE, Place.WORD_BOUNDARY, Place.NO_WORD_BOUNDARY) for each in self._code
        )
        anywhere = frozenset(Place) - {Place.BEGIN_TEXT}
        self._anchored = not self._reached((0,), anywhere)
        self._start = _State((0,), _BEGIN)

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._code, self._kind, self._numbers)

    def search(self, text: str) -> bool:
        """Whether the expression matches somewhere in a text."""
        state = self._start
        for char in text:
            state = state.following.get(char) or self._read(state, char)
            if state is _MATCHED:
                return True
            if state is _FAILED:
                return False
        if state.complete is None:
            state.complete = self._is_complete(state)
        return state.complete

    def find(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Where the first match from a position on begins and ends; of several, the one that Go prefers."""
        return self._finder.find(text, start)

    def find_all(self, text: str, most: int | None = None) -> Iterator[tuple[int, int]]:
        """Where the matches that do not overlap begin and end; an empty one not right behind another."""
        at, end, count = 0, -1, 0
        while at <= len(text) and (most is None or count < most):
            found = self.find(text, at)
            if found is None:
                return
            is_next = found[1] != at or found[0] != end
            at = found[1] if found[1] != at else at + 1
            end = found[1]
            if is_next:
                yield found
                count += 1

    def _kind(self, char: str) -> int:
        """The sets that a character is in, as bits."""
        kind = self._kinds.get(char)
        if kind is None:
            kind = sum(chars.has(char) << number for number, chars in enumerate(self._sets))
            if len(self._kinds) < _MOST_CHARACTERS:
                self._kinds[char] = kind
        return kind

    def _read(self, state: _State, char: str) -> _State:
        kind = self._kind(char)
        following = state.by_kind.get(kind)
        if following is None:
            following = state.by_kind[kind] = self._follow(state, kind)
        if len(state.following) < _MOST_CHARACTERS:
            state.following[char] = following
        return following

    def _follow(self, state: _State, kind: int) -> _State:
        is_word, is_newline = kind & 1, kind & 2
        answers = {Place.END_LINE} if is_newline else set()
        answers.add(self._boundary(state, is_word=bool(is_word)))
        reached = self._reached(state.places, answers | self._answers_before(state))
        if len(self._code) in reached:
            return _MATCHED
        places = {
            place + 1
            for place in reached
            if isinstance(take := self._code[place], Take) and kind >> self._numbers[take.chars] & 1
        }
        if not self._anchored:
            places.add(0)
        if not places:
            return _FAILED
        before = (
            (_AFTER_WORD if is_word else _AFTER_NEWLINE if is_newline else _OTHER)
            if self._looks_back
            else _OTHER
        )
        return self._state(tuple(sorted(places)), before)

    def _state(self, places: tuple[int, ...], before: int) -> _State:
        if len(self._states) >= _MOST_STATES:
            # Texts that lead everywhere must not fill the memory: begin to learn anew.
            self._states = {}
            self._start = _State((0,), _BEGIN)
        return self._states.setdefault((places, before), _State(places, before))

    def _is_complete(self, state: _State) -> bool:
        answers = {Place.END_TEXT, Place.END_LINE, self._boundary(state, is_word=False)}
        return len(self._code) in self._reached(state.places, answers | self._answers_before(state))

    @staticmethod
    def _answers_before(state: _State) -> set[Place]:
        if state.before == _BEGIN:
            return {Place.BEGIN_TEXT, Place.BEGIN_LINE}
        return {Place.BEGIN_LINE} if state.before == _AFTER_NEWLINE else set()

    @staticmethod
    def _boundary(state: _State, *, is_word: bool) -> Place:
        same = (state.before == _AFTER_WORD) is is_word
        return Place.NO_WORD_BOUNDARY if same else Place.WORD_BOUNDARY

    def _reached(self, places: Iterable[int], answers: Iterable[Place]) -> set[int]:
        """Where the program can wait for a character, or end, without reading one."""
        true = frozenset(answers)
        waiting: set[int] = set()
        seen = set(places)
        open_ = list(seen)
        while open_:
            place = open_.pop()
            step = self._code[place] if place < len(self._code) else None
            if step is None or isinstance(step, Take):
                waiting.add(place)
                continue
            distances = ((1,) if step in true else ()) if isinstance(step, Place) else step.to
            following = {place + distance for distance in distances} - seen
            seen |= following
            open_ += following
        return waiting


@lru_cache(maxsize=2048)
def compiled(expression: str) -> Regex:
    """An expression, compiled once.

    Raises:
        ValueError: Go would not take it; the message is Go's.
    """
    return Regex(expression)
