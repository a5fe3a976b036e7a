from __future__ import annotations

from changes import change, metadata
from widget import Widget
from windlass.api import Key
from windlass.controller.authors import Authors

OWNER = Key("default", "owner")
KEY = Key("default", "a")


def test_a_write_is_recognised_by_its_version_once() -> None:
    authors = Authors()
    authors.note(Widget, KEY, "7", OWNER)
    ours = change(metadata(resourceVersion="6"), metadata(resourceVersion="7"))

    assert authors.writer(ours) == OWNER
    assert authors.writer(ours) is None


def test_what_others_wrote_before_and_after_is_not_ours() -> None:
    authors = Authors()
    authors.note(Widget, KEY, "7", OWNER)

    assert authors.writer(change(metadata(resourceVersion="5"), metadata(resourceVersion="6"))) is None
    assert authors.writer(change(metadata(resourceVersion="7"), metadata(resourceVersion="8"))) is None


def test_a_listed_change_may_hold_more_than_our_write() -> None:
    authors = Authors()
    authors.note(Widget, KEY, "7", OWNER)

    assert (
        authors.writer(change(metadata(resourceVersion="5"), metadata(resourceVersion="7"), listed=True))
        is None
    )


def test_a_deletion_is_recognised_by_the_identity_of_the_object() -> None:
    authors = Authors()
    authors.note(Widget, KEY, "u", OWNER)

    assert authors.writer(change(metadata(resourceVersion="7"), None)) == OWNER


def test_events_that_never_come_do_not_pile_up() -> None:
    authors = Authors()
    for version in range(60_000):
        authors.note(Widget, KEY, str(version), OWNER)

    assert authors.writer(change(metadata(), metadata(resourceVersion="0"))) is None
    assert authors.writer(change(metadata(), metadata(resourceVersion="59999"))) == OWNER
