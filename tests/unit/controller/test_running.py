from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

from changes import change, metadata
from widget import Widget
from windlass.api import Key
from windlass.controller import BoundLogger
from windlass.controller.authors import Authors
from windlass.controller.declared import Declared
from windlass.controller.running import Running
from windlass.reconcile import Cause

KEY = Key("default", "a")
LOG = BoundLogger(logging.getLogger("test"), {})


def test_a_write_that_changed_nothing_does_not_hide_the_change_that_it_found() -> None:
    shared: Any = SimpleNamespace(
        authors=Authors(), declared=Declared("Widgets"), writer=SimpleNamespace(is_dry=False), kind=Widget
    )
    recorder: Any = SimpleNamespace(wrote=lambda *_: None)
    found = metadata(resourceVersion="7")

    Running(shared, KEY, (), recorder, LOG).wrote("patch", Widget, KEY, (found, found))

    assert shared.authors.writer(change(metadata(resourceVersion="6"), found)) is None


def test_what_arrives_during_a_long_run_is_bounded_and_not_lost() -> None:
    nothing: Any = SimpleNamespace(kind=None, writer=SimpleNamespace(is_dry=False))
    run = Running(nothing, KEY, (), nothing, LOG)
    concerns = Cause("modified", "Widget", KEY, change({}, {}))

    for _ in range(5000):
        run.arrive(concerns)

    assert len(run.arrived) < 2000
    assert run.arrived[-1].change is None  # so that it is never taken for a write of our own
