"""The rules of pods and workloads say what the real server said about every manifest of the tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from broken import WORKLOADS, edited, permissions, refusals
from verdict import accepted, judge, stored

if TYPE_CHECKING:
    from broken import Edit, Refusal, Sample

NOT_ONLY_RULES = {
    "Pod: a pod term of keys that contradict": "keys are merged into the selector before",
    "Deployment.apps: an unknown strategy that rolls": "a default comes before that the real server does not give",
}
REFUSED, FROZEN, STATUS = (
    {name: case for name, case in refusals(WORKLOADS, sort).items() if name not in NOT_ONLY_RULES}
    for sort in ("refused", "frozen", "status")
)
ACCEPTED, CHANGED = (permissions(WORKLOADS, sort) for sort in ("accepted", "changed"))


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_to_create(case: Refusal) -> None:
    assert judge(accepted(edited(case.sample.valid, case.edit))) == case.answer


@pytest.mark.parametrize("case", FROZEN.values(), ids=FROZEN.keys())
def test_it_is_refused_to_change(case: Refusal) -> None:
    old = stored(case.sample.valid)

    assert judge(accepted(edited(old, case.edit), new=False), old) == case.answer


@pytest.mark.parametrize("case", STATUS.values(), ids=STATUS.keys())
def test_it_is_refused_to_report(case: Refusal) -> None:
    old = stored(case.sample.valid)

    assert judge(accepted(edited(old, case.edit), new=False), old, "status") == case.answer


@pytest.mark.parametrize(("sample", "edit"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_it_is_fine_to_create(sample: Sample, edit: Edit) -> None:
    assert judge(accepted(edited(sample.valid, edit))) is None


@pytest.mark.parametrize(("sample", "edit"), CHANGED.values(), ids=CHANGED.keys())
def test_it_is_fine_to_change(sample: Sample, edit: Edit) -> None:
    old = stored(sample.valid)

    assert judge(accepted(edited(old, edit), new=False), old) is None


def test_every_kind_has_at_least_ten_broken_manifests() -> None:
    counts = Counter(case.sample.title for case in refusals(WORKLOADS, "refused").values())

    assert len(counts) == 10
    assert min(counts.values()) >= 10
