"""How two answers differ, and which differences are accepted."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from contract import Object

FILE: Final = Path(__file__).parents[1] / "real" / "accepted_differences.toml"


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


@dataclass(frozen=True)
class Difference:
    """One value that the two servers do not have in common: `where` it stands in the answer, and both values."""

    where: str
    real: Any
    embedded: Any

    def __str__(self) -> str:
        return f"{self.where}:\n      real     {_shown(self.real)}\n      embedded {_shown(self.embedded)}"


def differing_answers(real: Object, embedded: Object) -> list[Difference]:
    """In what two answers differ; when one refuses and the other does not, or in another way, in that alone."""
    if real["status"] == embedded["status"]:
        return list(differences(real, embedded))
    return [Difference("/status", _outcome(real), _outcome(embedded))]


def _outcome(answer: Object) -> str:
    """What became of a request, in a line."""
    body = answer["body"]
    said = body.get("message", "") if isinstance(body, dict) and body.get("kind") == "Status" else ""
    return f"{answer['status']} {said if said or isinstance(body, dict) else body}".strip()


def differences(real: Any, embedded: Any, where: str = "") -> Iterator[Difference]:
    """The smallest values in which two answers differ."""
    if isinstance(real, dict) and isinstance(embedded, dict):
        for name in sorted({*real, *embedded}):
            yield from differences(real.get(name, ABSENT), embedded.get(name, ABSENT), f"{where}/{name}")
    elif isinstance(real, list) and isinstance(embedded, list) and len(real) == len(embedded):
        for index, (one, other) in enumerate(zip(real, embedded, strict=True)):
            yield from differences(one, other, f"{where}/{index}")
    elif type(real) is not type(embedded) or real != embedded:
        yield Difference(where, real, embedded)


@dataclass(frozen=True)
class Accepted:
    """A difference that is known and stays, with the reason.

    It is met in one area or some, or in `every` one. Each pattern must match the whole of its text: of the request line
    (`PATCH /api/v1/…`), of the place, and of either value as JSON. `also` are places of the same answer that
    differ in consequence.
    """

    name: str
    reason: str
    area: str
    request: str
    where: str
    real: str
    embedded: str
    also: str = ""

    @property
    def areas(self) -> list[str]:
        """Where it is met."""
        return self.area.split()

    def covers(self, request: str, difference: Difference) -> bool:
        """Whether this is the difference."""
        texts = (request, difference.where, _shown(difference.real), _shown(difference.embedded))
        return all(pattern.fullmatch(text) for pattern, text in zip(self._patterns, texts, strict=True))

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(
            re.compile(text, re.DOTALL) for text in (self.request, self.where, self.real, self.embedded)
        )


def accepted_differences(file: Path = FILE) -> list[Accepted]:
    """Every accepted difference."""
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Accepted(**each) for each in given.get("difference", ())]


class Register:
    """The differences that are accepted in an area, and how often each was met."""

    def __init__(self, entries: Iterable[Accepted], area: str) -> None:
        self.entries = [each for each in entries if {area, "every"} & set(each.areas)]
        self.met: Counter[str] = Counter()

    def unexpected(self, request: str, found: Sequence[Difference]) -> list[Difference]:
        """Which differences of an answer are not accepted; those that are, are counted."""
        met = {each.where: entry for each in found if (entry := self._entry(request, each))}
        self.met.update(entry.name for entry in met.values())
        also = [re.compile(entry.also) for entry in met.values() if entry.also]
        left = [each for each in found if each.where not in met]
        return [each for each in left if not any(pattern.fullmatch(each.where) for pattern in also)]

    def _entry(self, request: str, difference: Difference) -> Accepted | None:
        return next((each for each in self.entries if each.covers(request, difference)), None)

    def unmet(self, area: str) -> list[str]:
        """The differences of an area itself that were not met there."""
        return [each.name for each in self.entries if area in each.areas and not self.met[each.name]]


def _shown(value: Any) -> str:
    return "nothing" if value is ABSENT else orjson.dumps(value).decode()
