from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.validation.same import same


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ({"resources": {"limits": {"cpu": "1000m"}}}, {"resources": {"limits": {"cpu": "1"}}}),
        ({"emptyDir": {"sizeLimit": "1Gi"}}, {"emptyDir": {"sizeLimit": "1024Mi"}}),
        ({"a": []}, {}),
        ([{"requests": {"cpu": "0.5"}}], [{"requests": {"cpu": "500m"}}]),
    ],
)
def test_other_words_for_the_same_are_the_same(new: Any, old: Any) -> None:
    assert same(new, old)
    assert same(old, new)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ({"name": "1000m"}, {"name": "1"}),
        ({"limits": {"cpu": "2"}}, {"limits": {"cpu": "1"}}),
        ({"limits": {"cpu": "1"}}, {"limits": {}}),
        ({"a": 0}, {}),
        ({"a": {"b": {}}}, {"a": {}}),
        ([1, 2], [1]),
        ([1], [2]),
        ({"limits": {"cpu": "x"}}, {"limits": {"cpu": "y"}}),
    ],
)
def test_other_values_are_not(new: Any, old: Any) -> None:
    assert not same(new, old)
    assert not same(old, new)
