from __future__ import annotations

from datetime import UTC, datetime, timedelta

from windlass.api import Key
from windlass.cluster.controller.pace import Pace

NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEY = Key("default", "web")


def test_an_object_rests_the_longer_the_more_pods_it_has() -> None:
    pace = Pace()
    assert pace.rest(KEY, NOW) is None
    pace.looked(KEY, 3000, NOW)
    assert pace.rest(KEY, NOW + timedelta(seconds=1)) == timedelta(seconds=2)
    assert pace.rest(KEY, NOW + timedelta(seconds=3)) is None
    assert pace.rest(Key("default", "other"), NOW) is None


def test_what_is_gone_need_not_rest_when_it_comes_back() -> None:
    pace = Pace()
    pace.looked(KEY, 3000, NOW)
    pace.forget(KEY)
    assert pace.rest(KEY, NOW) is None
