"""Which kinds are watched for garbage."""

from __future__ import annotations

import pytest

from windlass.api import Kind
from windlass.client import Served
from windlass.cluster.controller.garbage.monitor import deletable

VERBS = ("create", "delete", "get", "list", "watch")
WIDGET, OLD_WIDGET = (Kind("example.com", version, "Widget", "widgets") for version in ("v2", "v1"))
GADGET = Kind("example.com", "v1", "Gadget", "gadgets")


def test_each_kind_is_watched_in_the_version_that_comes_first() -> None:
    served = [Served(kind, VERBS) for kind in (WIDGET, OLD_WIDGET, GADGET)]
    assert deletable(served, ()) == [WIDGET, GADGET]


@pytest.mark.parametrize("lacking", ["delete", "list", "watch"])
def test_what_cannot_be_listed_watched_and_deleted_is_not_watched(lacking: str) -> None:
    assert deletable([Served(WIDGET, tuple(each for each in VERBS if each != lacking))], ()) == []


def test_events_are_not_watched_and_kinds_of_that_name_in_other_groups_are() -> None:
    kinds = [Kind(group, "v1", "Event", "events") for group in ("", "events.k8s.io", "example.com")]
    assert deletable([Served(kind, VERBS) for kind in kinds], ()) == [kinds[2]]


def test_nothing_is_begun_with_a_version_that_the_server_does_not_reach() -> None:
    served = [Served(WIDGET, VERBS), Served(GADGET, VERBS)]
    assert deletable(served, ["example.com/v2"]) == [GADGET]
