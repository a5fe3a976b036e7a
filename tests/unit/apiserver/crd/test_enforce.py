from __future__ import annotations

from typing import Any

import orjson
import pytest

from windlass.apiserver.crd.enforce import settle_numbers


@pytest.mark.parametrize(
    ("given", "written"),
    [(1.0, 1), (1e3, 1000), (1.5, 1.5), (-0.0, 0), (1e20, 1e20), ([{"a": 2.0}], [{"a": 2}]), (True, True)],
)
def test_whole_numbers_are_written_without_a_point(given: Any, written: Any) -> None:
    obj = {"spec": given}

    settle_numbers(obj)

    assert orjson.dumps(obj) == orjson.dumps({"spec": written})
