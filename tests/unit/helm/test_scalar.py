"""Scalars as Go reads them."""

from __future__ import annotations

import pytest

from windlass.helm.scalar import scalar_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), ("a", "a"), ("", ""), (True, "true"), (False, "false"), (3, "3"), (-1, "-1"), (1.0, "1"),
        (1.1, "1.1"), (0.25, "0.25"), ([], None), ({}, None),
    ],
)  # fmt: skip
def test_a_scalar_is_taken_for_a_text(value: object, text: str | None) -> None:
    assert scalar_text(value) == text
