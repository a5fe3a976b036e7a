from __future__ import annotations

from typing import Any

import orjson
import pytest

from windlass.api import Change, Key, Snapshot
from windlass.operators.collector import Collector
from windlass.operators.collector.claims import Claims

MAIN = Key("acme", "amp-main")


def one(
    name: str, created: int, instance: str = "main", held: tuple[str, int] | None = None
) -> Snapshot[Collector]:
    """A Collector of some age, and the release that its status tells, with a revision."""
    body: dict[str, Any] = {
        "metadata": {
            "name": name,
            "namespace": "ops",
            "uid": name,
            "creationTimestamp": f"2026-01-01T00:00:{created:02}Z",
        },
        "spec": {"collector": {"name": "amp"}, "tenant": {"reference": "acme", "instance": instance}},
    }
    if held:
        body["status"] = {"release": {"namespace": "acme", "name": held[0], "revision": held[1]}}
    return Snapshot(Collector, orjson.dumps(body))


def seen(*collectors: Snapshot[Collector]) -> Claims:
    claims = Claims()
    for each in collectors:
        claims.see(Change(Collector, key(each), (None, each)))
    return claims


def key(snapshot: Snapshot[Collector]) -> Key:
    return Key("ops", snapshot.metadata["name"])


@pytest.mark.parametrize(
    ("collectors", "owner"),
    [
        ([], None),
        ([one("a", 1)], "a"),
        ([one("b", 2), one("a", 1)], "a"),
        ([one("b", 1), one("a", 1)], "a"),  # as old: by their identities
        ([one("b", 2, held=("amp-main", 1)), one("a", 1)], "b"),
        ([one("b", 2, held=("amp-main", 0)), one("a", 1)], "a"),  # about to have it is not to have it
        ([one("b", 2, held=("amp-main", 1)), one("a", 1, held=("amp-main", 3))], "a"),
        ([one("a", 1, "other")], None),
        ([one("a", 2, "other", held=("amp-main", 1)), one("b", 1)], "a"),  # until it has moved away
    ],
)
def test_a_release_belongs_to_who_runs_it_and_before_that_to_the_older(
    collectors: list[Snapshot[Collector]], owner: str | None
) -> None:
    for order in (collectors, collectors[::-1]):
        assert seen(*order).owner(MAIN) == (Key("ops", owner) if owner else None)


def test_a_status_gives_no_claim_where_the_collector_is_not_allowed() -> None:
    claims = Claims(lambda _, namespace: namespace != "acme")
    forged = one("squat", 1, "other", held=("amp-main", 1))
    claims.see(Change(Collector, key(forged), (None, forged)))

    assert claims.owner(MAIN) is None


def test_what_is_gone_claims_nothing() -> None:
    old, new = one("a", 1), one("b", 2)
    claims = seen(old, new)

    claims.see(Change(Collector, key(old), (old, None)))

    assert claims.owner(MAIN) == key(new)
    assert set(claims.everybody()) == {key(new)}
    assert claims.in_namespace("acme") == {key(new)}


def test_one_that_moves_lets_go() -> None:
    before, after = one("a", 1), one("a", 1, "other")
    claims = seen(before)

    claims.see(Change(Collector, key(before), (before, after)))

    assert claims.owner(MAIN) is None
    assert claims.claimants(Key("acme", "amp-other")) == (key(after),)


def test_those_who_want_the_same_are_rivals() -> None:
    claims = seen(one("a", 1), one("b", 2), one("c", 3, "other"), one("d", 4, "other", held=("amp-main", 1)))

    assert set(claims.rivals(one("a", 1).decode())) == {Key("ops", "b"), Key("ops", "d")}
    assert set(claims.rivals(one("c", 3, "other").decode())) == {Key("ops", "d")}
