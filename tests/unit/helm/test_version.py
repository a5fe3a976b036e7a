from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.errors import ChartError
from windlass.helm.source import highest, is_exact
from windlass.helm.source.version import Version

VERSIONS = [
    "0.0.1",
    "0.2.3",
    "1.0.0",
    "1.2.3",
    "1.2.10",
    "1.3.0",
    "2.0.0-rc.1",
    "2.0.0",
    "2.1.0-0",
    "v3.0.0-beta",
]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", "2.0.0"),
        ("latest", "2.0.0"),
        ("*", "2.0.0"),
        ("1.2.3", "1.2.3"),
        ("v1.2.3", "1.2.3"),
        ("=1.2.3", "1.2.3"),
        ("1.2", "1.2.10"),
        ("1.2.x", "1.2.10"),
        ("1", "1.3.0"),
        ("1.x", "1.3.0"),
        ("~1.2.3", "1.2.10"),
        ("~1", "1.3.0"),
        ("^1.2.3", "1.3.0"),
        ("^1", "1.3.0"),
        ("^0.2", "0.2.3"),
        ("^0.0.1", "0.0.1"),
        ("^0", "0.2.3"),
        (">=1.0 <2.0", "1.3.0"),
        (">=1.0, <2.0.0", "1.3.0"),
        (">1.2", "2.0.0"),
        (">1.2 <1.3", None),
        ("<=1.2", "1.2.10"),
        ("<1.2", "1.0.0"),
        ("!=2.0.0", "1.3.0"),
        ("1.0.0 - 1.2.3", "1.2.3"),
        ("1.0.0 - 1.2", "1.2.10"),
        ("9.x || ~1.2.3", "1.2.10"),
        ("9.x", None),
        (">=2.0.0-0", "v3.0.0-beta"),
        ("2.0.0-rc.1", "2.0.0-rc.1"),
        ("^2.0.0-rc.0", "2.1.0-0"),
        ("^1.2.3-0", "1.3.0"),
    ],
)
def test_the_highest_version_that_a_constraint_allows_is_found(wanted: str, found: str | None) -> None:
    assert highest(VERSIONS, wanted) == found


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("1.0.0+b", "1.0.0+b"),
        ("1.0.0+a", "1.0.0+a"),
        ("1.0.0+x", "1.0.0+b"),
        ("^1", "1.0.0+b"),
        ("1.0.0", "1.0.0+b"),
    ],
)
def test_of_versions_that_differ_in_build_metadata_the_one_that_is_named_is_preferred(
    wanted: str, found: str
) -> None:
    assert highest(["1.0.0+a", "1.0.0+b", "0.9.0"], wanted) == found


@pytest.mark.parametrize("wanted", ["abc", ">=", "1.2.3 or so", "> > 1", "||", "1..2"])
def test_what_is_no_constraint_is_said_to_be_none(wanted: str) -> None:
    with pytest.raises(ChartError, match="no version"):
        highest(VERSIONS, wanted)


def test_what_is_no_version_is_passed_over() -> None:
    assert highest(["stable", "", "1.0.0", "bar-2.0.0"]) == "1.0.0"


def test_early_versions_come_in_the_order_of_their_words() -> None:
    early = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
    ]

    for index, version in enumerate(early):
        assert highest(early[: index + 1], ">=1.0.0-0") == version


@pytest.mark.parametrize(
    ("wanted", "exact"),
    [("1.2.3", True), ("v1.2.3-rc.1", True), ("1.2", False), ("^1.2.3", False), ("latest", False)],
)
def test_only_a_whole_version_is_exact(wanted: str, exact: bool) -> None:  # noqa: FBT001
    assert is_exact(wanted) is exact


numbers = st.tuples(*[st.integers(0, 20)] * 3)


@given(st.lists(numbers, min_size=1), numbers)
def test_a_caret_keeps_the_first_part_that_is_not_zero(
    known: list[tuple[int, ...]], low: tuple[int, ...]
) -> None:
    kept = next((index for index, number in enumerate(low, 1) if number), 3)
    fitting = [each for each in known if each >= low and each[:kept] == low[:kept]]

    found = highest([".".join(map(str, each)) for each in known], "^" + ".".join(map(str, low)))

    assert found == (".".join(map(str, max(fitting))) if fitting else None)


def test_a_text_of_any_length_is_no_version_without_a_crash() -> None:
    assert Version.of("1" * 5000) is None
    assert highest(["1" * 5000, "1.0.0"]) == "1.0.0"
    assert not is_exact("1.0.0-" + "a" * 5000)
    with pytest.raises(ChartError, match="is longer than 256 characters"):
        highest(["1.0.0"], "1" * 5000)
