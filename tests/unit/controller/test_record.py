from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.controller.journal import Recorder
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Secret
from windlass.reconcile import Cause
from windlass.workqueue import Item, Priority

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = Key("default", "web")
STARTED = datetime(2026, 1, 1, tzinfo=UTC)
TOOK = timedelta(milliseconds=20)


@dataclass(frozen=True)
class Ended:
    outcome: str = "ready"
    reason: str = "Ready"
    message: str = ""


def recorder(causes: Sequence[Cause] = (Cause("found"),), dropped: int = 0) -> Recorder:
    item = Item(KEY, tuple(causes), dropped, timedelta(seconds=2), Priority.FRESH, 3)
    return Recorder("webapp", item, STARTED, Random(1))


def test_a_run_tells_why_it_ran_what_it_did_and_how_it_ended() -> None:
    record = recorder([Cause("modified", "WebApp", KEY), Cause("again")])
    record.read(Secret, KEY)
    record.read(Secret, KEY)
    record.read(Deployment, None, live=True)
    record.wrote("apply", Deployment, KEY, {"spec": {"replicas": 1}}, {"spec": {"replicas": 2}})
    record.wrote("delete", Secret, KEY, None, None)
    record.effect("create record", "done")
    assert record.write_count == 2

    run = record.run(Ended("waiting", "RollingOut", "1 of 2"), TOOK)

    assert json.loads(json.dumps(run.to_dict())) == {
        "id": record.id,
        "controller": "webapp",
        "namespace": "default",
        "name": "web",
        "started": "2026-01-01T00:00:00+00:00",
        "causes": ["WebApp default/web modified", "again"],
        "waited": 2.0,
        "attempt": 3,
        "reads": [
            {"kind": "Secret", "namespace": "default", "name": "web", "live": False},
            {"kind": "Deployment", "live": True},
        ],
        "writes": [
            {
                "verb": "apply",
                "kind": "Deployment",
                "namespace": "default",
                "name": "web",
                "changes": [{"path": ".spec.replicas", "old": 1, "new": 2}],
            },
            {"verb": "delete", "kind": "Secret", "namespace": "default", "name": "web", "changes": []},
        ],
        "effects": [{"what": "create record", "outcome": "done"}],
        "outcome": "waiting",
        "reason": "RollingOut",
        "message": "1 of 2",
        "took": 0.02,
        "leftOut": 0,
    }


def test_values_of_secrets_do_not_get_into_the_journal() -> None:
    record = recorder()
    record.wrote("apply", Secret, KEY, {"data": {"a": "s3cret"}}, {"data": {"a": "s3crets", "b": "s3cret"}})
    record.wrote("apply", Secret, KEY, None, {"stringData": {"a": "s3cret"}})

    assert "s3cret" not in str(record.run(Ended(), TOOK))


def test_what_is_kept_of_a_talkative_run_is_bounded_and_the_rest_counted() -> None:
    record = recorder([Cause("x" * 5000)] * 20, dropped=7)
    for number in range(100):
        record.read(Secret, Key("default", str(number)))
        record.effect("e" * 5000, "done")
        new = {"spec": {f"field{index}": "v" * 5000 for index in range(100)}}
        record.wrote("apply", Deployment, KEY, {"spec": {}}, new)

    run = record.run(Ended(message="m" * 5000), TOOK)

    assert len(json.dumps(run.to_dict())) < 200_000
    assert run.left_out == (20 - 8) + 7 + (100 - 32) + (100 - 16) + (100 - 32)
    assert record.writes[0].changes[0].new == "v" * 5000


def test_the_size_of_a_run_is_about_what_it_takes() -> None:
    quiet, talkative = recorder(), recorder()
    talkative.wrote("apply", Deployment, KEY, {"spec": {"a": "x" * 200}}, {"spec": {"a": "y" * 200}})

    assert quiet.run(Ended(), TOOK).size < 1000
    assert talkative.run(Ended(), TOOK).size - quiet.run(Ended(), TOOK).size > 400


def test_the_id_of_a_run_comes_from_the_chance_that_is_given() -> None:
    assert recorder().id == recorder().id
    assert len(recorder().id) == 16
