"""The contract between a judge and its checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema.custom.judge.complaint import Complaint
    from windlass.schema.custom.judge.ratchet import Link


class Tally:
    """How many checks were made on a value and what is in it.

    Of several alternatives that all fail, the server explains the one of which it checked most.
    """

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class Check(Protocol):
    """One of the things that a schema asks of values of one type."""

    def __call__(self, value: Any, link: Link | None, tally: Tally | None, /) -> Sequence[Complaint]:
        """What is wrong with a value; checks are only counted where a tally is given."""


class Judging(Protocol):
    """Judges the values of one place. Of a type that has no checks any value will do."""

    @property
    def checks(self) -> Mapping[type, Sequence[Check]]:
        """The checks by the type of the value."""

    def complaints(self, value: Any, link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
        """What is wrong with a value; what was wrong with parts of it before, by the link, does not count."""
