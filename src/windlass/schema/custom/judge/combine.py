"""Conditions joined: any of, one of, all of, not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.custom.judge.check import Tally
from windlass.schema.custom.judge.complaint import Complaint, Sort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.custom.judge.check import Judging
    from windlass.schema.custom.judge.ratchet import Link

    Verdict = tuple[Sequence[Complaint], int]


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a schema beside its own keywords. They hold for what an update leaves alone, too."""

    any_of: Sequence[Judging] = ()
    one_of: Sequence[Judging] = ()
    all_of: Sequence[Judging] = ()
    none_of: Judging | None = None

    def __bool__(self) -> bool:
        return bool(self.any_of or self.one_of or self.all_of or self.none_of)

    def complaints(self, value: Any, _link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
        """What is wrong with a value that is not null."""
        found: list[Complaint] = []
        if self.any_of:
            found += self._any(value, tally)
        if self.one_of:
            found += self._one(value, tally)
        if self.all_of:
            found += self._all(value, tally)
        if self.none_of is not None and not self.none_of.complaints(value, None, None):
            found.append(_condition("must not validate the schema (not)"))
        return found

    def _any(self, value: Any, tally: Tally | None) -> Sequence[Complaint]:
        if tally is None and any(not each.complaints(value, None, None) for each in self.any_of):
            return ()
        verdicts: list[Verdict] = []
        for each in self.any_of:
            verdicts.append(_verdict(each, value))
            if not verdicts[-1][0]:
                return _taken(verdicts[-1], tally)
        return [_condition("must validate at least one schema (anyOf)"), *_taken(_furthest(verdicts), tally)]

    def _one(self, value: Any, tally: Tally | None) -> Sequence[Complaint]:
        if tally is None and sum(not each.complaints(value, None, None) for each in self.one_of) == 1:
            return ()
        verdicts = [_verdict(each, value) for each in self.one_of]
        valid = [verdict for verdict in verdicts if not verdict[0]]
        text = "must validate one and only one schema (oneOf). Found"
        if len(valid) == 1:
            return _taken(valid[0], tally)
        if valid:
            return [_condition(f"{text} {len(valid)} valid alternatives")]
        return [_condition(f"{text} none valid"), *_taken(_furthest(verdicts), tally)]

    def _all(self, value: Any, tally: Tally | None) -> Sequence[Complaint]:
        each_found = [each.complaints(value, None, tally) for each in self.all_of]
        failed = sum(map(bool, each_found))
        if not failed:
            return ()
        none = ". None validated" if failed == len(self.all_of) else ""
        found = [complaint for complaints in each_found for complaint in complaints]
        return [*found, _condition(f"must validate all the schemas (allOf){none}")]


def _condition(text: str) -> Complaint:
    return Complaint(Sort.CONDITION, f" {text}")


def _verdict(judge: Judging, value: Any) -> Verdict:
    tally = Tally()
    return judge.complaints(value, None, tally), tally.count


def _taken(verdict: Verdict, tally: Tally | None) -> Sequence[Complaint]:
    if tally is not None:
        tally.count += verdict[1]
    return verdict[0]


def _furthest(verdicts: Sequence[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: verdict[1])
