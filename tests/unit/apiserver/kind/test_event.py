from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

CORE = {
    "involvedObject": {"kind": "Pod", "name": "web"},
    "message": "hello",
    "reportingComponent": "tester",
    "source": {"component": "kubelet"},
    "firstTimestamp": "2026-01-01T00:00:00Z",
    "lastTimestamp": "2026-01-02T00:00:00Z",
    "count": 2,
    "reason": "Started",
    "type": "Normal",
}
NEW = {
    "regarding": {"kind": "Pod", "name": "web"},
    "note": "hello",
    "reportingController": "tester",
    "deprecatedSource": {"component": "kubelet"},
    "deprecatedFirstTimestamp": "2026-01-01T00:00:00Z",
    "deprecatedLastTimestamp": "2026-01-02T00:00:00Z",
    "deprecatedCount": 2,
    "reason": "Started",
    "type": "Normal",
}


def test_an_event_has_other_names_in_the_other_group(traits: Callable[[str, str], Any]) -> None:
    events = traits("events.k8s.io/v1", "Event")

    assert events.from_stored(CORE) == NEW
    assert events.to_stored(NEW) == CORE


@pytest.mark.parametrize("event", [CORE, NEW], ids=["core", "new"])
def test_selectors_read_an_event_under_either_of_its_names(
    traits: Callable[[str, str], Any], event: dict[str, Any]
) -> None:
    core, new = (traits(version, "Event").field_labels for version in ("v1", "events.k8s.io/v1"))

    assert core["involvedObject.name"](event) == new["regarding.name"](event) == "web"
    assert core["reportingComponent"](event) == new["reportingController"](event) == "tester"
    assert core["involvedObject.uid"](event) == ""
    assert core["source"](event) == "kubelet"
    assert "source" not in new


def test_the_source_of_an_event_is_its_reporter_where_it_names_none(
    traits: Callable[[str, str], Any],
) -> None:
    read = traits("v1", "Event").field_labels["source"]

    assert read({"reportingComponent": "tester"}) == "tester"
    assert read({}) == ""
