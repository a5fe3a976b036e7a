from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.workqueue import QueueOptions


def test_the_back_off_is_that_of_controller_runtime_unless_said_otherwise() -> None:
    options = QueueOptions()

    assert (options.shortest, options.longest) == (timedelta(milliseconds=5), timedelta(seconds=1000))
    assert (options.rate, options.burst) == (10, 100)


@pytest.mark.parametrize(
    "wrong",
    [
        {"shortest": timedelta()},
        {"shortest": timedelta(seconds=2), "longest": timedelta(seconds=1)},
        {"jitter": 1.0},
        {"jitter": -0.1},
        {"rate": 0.0},
        {"burst": 0},
        {"background_every": 1},
        {"causes": 0},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="QueueOptions"):
        QueueOptions(**wrong)
