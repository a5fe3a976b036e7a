from __future__ import annotations

import socket
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from windlass.errors import ConfigError
from windlass.manager import ElectionOptions, unique_identity


def test_the_durations_are_those_of_client_go_unless_told_otherwise() -> None:
    options = ElectionOptions(name="x")
    durations = (options.lease_duration, options.renew_deadline, options.retry_period)
    assert [each.total_seconds() for each in durations] == [15, 10, 2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": ""}, "needs a name"),
        ({"lease_duration": 2.5}, "whole seconds"),
        ({"lease_duration": 0}, "whole seconds"),
        ({"lease_duration": 10}, r"lease_duration \(10 s\) must be longer than renew_deadline \(10 s\)"),
        ({"renew_deadline": 2.4}, r"renew_deadline \(2.4 s\) must be longer than 1.2 times retry_period"),
        ({"retry_period": 0}, "must not be nothing"),
    ],
)
def test_durations_that_do_not_fit_are_refused(options: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {
        key: timedelta(seconds=value) if isinstance(value, int | float) else value
        for key, value in options.items()
    }
    with pytest.raises(ConfigError, match=said):
        ElectionOptions(**{"name": "x", **given})


def test_an_attempt_that_hangs_leaves_time_for_another() -> None:
    options = ElectionOptions(name="x")
    assert 2 * options.attempt_limit <= options.renew_deadline


def test_an_identity_says_where_the_process_is_and_which_one() -> None:
    host, _, unique = unique_identity(Random(1)).rpartition("_")
    assert host == socket.gethostname()
    assert UUID(unique).version == 4


def test_no_two_identities_are_alike() -> None:
    random = Random(1)
    assert len({unique_identity(random) for _ in range(100)}) == 100
