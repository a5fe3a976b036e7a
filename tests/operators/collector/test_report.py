from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from windlass.api import Key, find_condition
from windlass.errors import Answer, ApiError, ChartError, HelmError, ReleaseError, Terminal, ToolError
from windlass.helm import Revision
from windlass.operators.collector.report import available, failed, reason_of, rolling_out, when
from windlass.operators.collector.types import CollectorStatus

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def revision(number: int = 1, deployed: str = "") -> Revision:
    return Revision(
        release=Key("acme", "amp-main"),
        number=number,
        state="deployed",
        chart="c",
        manifest="",
        deployed=deployed,
    )


def told(status: CollectorStatus) -> dict[str, str]:
    return {each.type: each.status for each in status.conditions}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ChartError("no such chart"), "ChartFetchFailed"),
        (Terminal("ConfigurationInvalid", "not YAML"), "ConfigurationInvalid"),
        (ReleaseError("install", "template: collector/templates/a.yaml:1:2: executing"), "RenderFailed"),
        (
            ReleaseError("reconcile", "execution error at (c/templates/d.yaml:3): a is required"),
            "RenderFailed",
        ),
        (ReleaseError("install", "values don't meet the specifications of the schema(s)"), "RenderFailed"),
        (ReleaseError("upgrade", "field is immutable; rolled back to revision 2"), "RolledBack"),
        (ReleaseError("install", "Service exists and cannot be imported"), "ApplyFailed"),
        (HelmError("another operation is in progress"), "ApplyFailed"),
        (ToolError("there is no helm"), "ApplyFailed"),
        (ApiError(Answer(code=403)), "ApplyFailed"),
    ],
)
def test_each_failure_has_its_reason(error: Exception, reason: str) -> None:
    status = CollectorStatus()

    result = failed(status, error, NOW)

    assert reason_of(error) == reason
    assert not result.is_ready
    assert told(status) == {"Progressing": "False", "Degraded": "True"}


def test_what_is_not_due_yet_waits_until_it_is() -> None:
    error = ReleaseError("upgrade", "refused", retry_at=NOW + timedelta(seconds=40))

    result = failed(CollectorStatus(), error, NOW)

    assert (result.error, result.again) == (None, timedelta(seconds=40))


@pytest.mark.parametrize(("number", "reason"), [(1, "InstallSucceeded"), (2, "UpgradeSucceeded")])
def test_what_is_available_is_neither_progressing_nor_degraded(number: int, reason: str) -> None:
    status = CollectorStatus()

    result = available(status, revision(number), NOW, timedelta(minutes=1))

    assert (result.is_ready, result.reason, result.again) == (True, reason, timedelta(minutes=1))
    assert told(status) == {"Progressing": "False", "Degraded": "False"}


def test_a_rollout_is_in_progress_until_it_takes_too_long() -> None:
    status, until = CollectorStatus(), NOW + timedelta(minutes=5)

    first = rolling_out(status, "Deployment a: 0 of 1 replicas are available", NOW, until)
    early = told(status)
    late = rolling_out(status, "Deployment a: 0 of 1 replicas are available", until, until)

    assert (first.reason, first.again, early) == (
        "RollingOut",
        timedelta(minutes=5),
        {"Progressing": "True", "Degraded": "False"},
    )
    assert (late.reason, late.again, told(status)) == (
        "NotReady",
        None,
        {"Progressing": "False", "Degraded": "True"},
    )


def test_a_condition_keeps_the_time_at_which_it_came_about() -> None:
    status = CollectorStatus()
    failed(status, ChartError("one"), NOW)
    failed(status, ChartError("two"), NOW + timedelta(hours=1))
    degraded = find_condition(status.conditions, "Degraded")

    assert degraded is not None
    assert (degraded.message, degraded.last_transition_time) == ("two", NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-01T12:00:00.123456789Z", NOW.replace(microsecond=123456)),
        ("2026-01-01T13:00:00+01:00", NOW),
        ("2026-01-01T12:00:00", NOW),
        ("", datetime.fromtimestamp(0, UTC)),
    ],
)
def test_the_moment_of_a_deployment_is_read_as_helm_writes_it(text: str, moment: datetime) -> None:
    assert when(revision(deployed=text)) == moment
