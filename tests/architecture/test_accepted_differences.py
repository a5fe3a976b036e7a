"""The differences between the two servers that are accepted: few, each with a reason, and never more."""

from __future__ import annotations

from differential_subject import AREAS
from differential_verdict import accepted_differences

MOST = 8
"""May only fall."""


def test_there_are_not_more_accepted_differences_than_there_were() -> None:
    assert len(accepted_differences()) <= MOST


def test_every_accepted_difference_has_a_name_of_its_own_an_area_and_a_reason() -> None:
    found = accepted_differences()

    assert len({each.name for each in found}) == len(found)
    assert {area for each in found for area in each.areas} <= {*AREAS, "every"}
    assert all(len(each.reason.split()) > 5 for each in found)


def test_no_accepted_difference_covers_everything() -> None:
    for each in accepted_differences():
        assert each.where not in (".*", ".+", ""), each.name
        assert (each.real, each.embedded) != (".*", ".*"), each.name
