from __future__ import annotations

import pytest

from windlass.apiserver.validation.cron_schedule import schedule_problem


@pytest.mark.parametrize(
    "schedule",
    [
        "* * * * *",
        "? ? ? ? ?",
        "59 23 31 12 6",
        "*/5 0-23/2 1,15 JAN-mar Mon",
        "5/15 * * * *",
        "+5 * * * *",
        " 0  0 * * * ",
        "@yearly",
        "@midnight",
        "@every 1h30m5.5s",
        "@every -1s",
        "@every 0",
        "TZ=UTC * * * * *",
        "CRON_TZ=Europe/Berlin @daily",
    ],
)
def test_a_schedule_that_can_be_read_has_no_problem(schedule: str) -> None:
    assert schedule_problem(schedule) == ""


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        ("* *", "expected exactly 5 fields, found 2: [* *]"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("* 24 * * *", "end of range (24) above maximum (23): 24"),
        ("* * * * sun-7", "end of range (7) above maximum (6): sun-7"),
        ("30-10 * * * *", "beginning of range (30) beyond end of range (10): 30-10"),
        ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
        ("1.5 * * * *", 'failed to parse int from 1.5: strconv.Atoi: parsing "1.5": invalid syntax'),
        ("@never", "unrecognized descriptor: @never"),
        ("@every", "unrecognized descriptor: @every"),
        ("@every x", 'failed to parse duration @every x: time: invalid duration "x"'),
        ("@every 1", 'failed to parse duration @every 1: time: missing unit in duration "1"'),
        ("@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'),
    ],
)
def test_a_schedule_that_cannot_be_read_is_told_why(schedule: str, problem: str) -> None:
    assert schedule_problem(schedule) == problem
