"""Whom a change has the garbage collector look at."""

from __future__ import annotations

from typing import Any

import pytest

from collecting import CONFIG, ROLE
from windlass.api import Key, Kind
from windlass.cluster.controller.garbage.graph import Graph, Node, Reference, Stage, node_of

WIDGET, NEW_WIDGET = (Kind("example.com", version, "Widget", "widgets") for version in ("v1", "v2"))


def node(name: str, *owners: Node | Reference, stage: Stage = Stage.ALIVE, **changed: Any) -> Node:
    """An object whose uid is its name, which holds all its owners back."""
    references = tuple(each if isinstance(each, Reference) else named(each) for each in owners)
    made = Node(CONFIG, Key("default", name), name, references, stage)
    return made._replace(**changed)


def named(owner: Node, *, blocking: bool = True) -> Reference:
    """The reference that means an object."""
    return Reference(owner.uid, owner.kind.api_version, owner.kind.name, owner.key.name, blocking)


def told(*nodes: Node) -> Graph:
    """A graph that has been told of these."""
    graph = Graph()
    for each in nodes:
        graph.observe(each)
    return graph


def test_a_dependent_of_an_owner_that_was_seen_need_not_be_looked_at() -> None:
    owner = node("owner")
    assert told(owner).observe(node("child", owner)) == []


def test_a_dependent_of_an_owner_that_nobody_has_seen_is_looked_at_once() -> None:
    graph, child = Graph(), node("child", node("owner"))
    assert graph.observe(child) == [child]
    assert graph.observe(child) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "another"},
        {"kind": "Secret"},
        {"api_version": "example.com/v1"},
    ],
)
def test_a_reference_that_does_not_fit_its_owner_is_doubtful_whoever_is_seen_first(wrong: Any) -> None:
    owner = node("owner")
    child = node("child", named(owner)._replace(**wrong))
    assert told(owner).observe(child) == [child]
    assert told(child).observe(owner) == [child]


def test_an_owner_in_another_namespace_is_doubtful_and_one_in_none_is_not() -> None:
    owner, everywhere = node("owner"), node("role", kind=ROLE, key=Key("", "role"))
    child = node("child", owner, key=Key("elsewhere", "child"))
    assert told(owner).observe(child) == [child]
    assert told(everywhere).observe(node("child", everywhere)) == []


def test_an_owner_that_is_served_in_another_version_too_is_the_same_owner() -> None:
    owner = node("owner", kind=NEW_WIDGET)
    child = node("child", named(owner)._replace(api_version="example.com/v1"))
    assert told(owner).observe(child) == []


def test_when_an_owner_is_gone_its_dependents_are_looked_at() -> None:
    owner = node("owner")
    children = [node(f"child-{number}", owner) for number in range(3)]
    assert told(owner, *children).forget("owner", CONFIG) == children


def test_an_owner_that_waits_has_itself_and_its_dependents_looked_at() -> None:
    owner = node("owner")
    child, waiting = node("child", owner), node("owner", stage=Stage.FOREGROUND)
    graph = told(owner, child)
    assert graph.observe(waiting) == [waiting, child]
    assert graph.is_blocked("owner")
    assert graph.forget("child", CONFIG) == [waiting]
    assert not graph.is_blocked("owner")


def test_a_dependent_that_holds_its_owner_back_no_longer_has_the_owner_looked_at() -> None:
    waiting = node("owner", stage=Stage.FOREGROUND)
    child, free = node("child", waiting), node("child", named(waiting, blocking=False))
    assert waiting in told(waiting, child).observe(free)
    assert waiting in told(waiting, child).observe(node("child"))


def test_an_owner_that_orphans_is_looked_at_and_its_dependents_are_not() -> None:
    owner = node("owner")
    orphaning = node("owner", stage=Stage.ORPHANING)
    assert told(owner, node("child", owner)).observe(orphaning) == [orphaning]


def test_what_was_seen_in_a_newer_version_is_not_lost_with_the_old_one() -> None:
    old, new = node("owner", kind=WIDGET), node("owner", kind=NEW_WIDGET)
    graph = told(old, node("child", old))
    graph.observe(new)
    assert graph.lose(WIDGET) == []
    assert graph.forget("owner", WIDGET) == []
    assert graph.get("owner") == new


def test_when_a_kind_is_lost_the_dependents_of_its_objects_are_looked_at() -> None:
    owner = node("owner", kind=WIDGET)
    below = node("below", owner, kind=WIDGET)
    child = node("child", owner, below)
    graph = told(owner, below, child)
    assert graph.lose(WIDGET) == [child]
    assert graph.suspects() == [child]


def test_suspects_are_those_who_wait_and_those_whose_owners_were_not_seen() -> None:
    owner = node("owner")
    fine, lost = node("fine", owner), node("lost", node("nobody"))
    going = node("going", node("nobody"), stage=Stage.GOING)
    orphaning = node("orphaning", stage=Stage.ORPHANING)
    assert told(owner, fine, lost, going, orphaning).suspects() == [lost, orphaning]


@pytest.mark.parametrize(
    ("deleted", "finalizers", "stage"),
    [
        (None, ["orphan"], Stage.ALIVE),
        ("2026-01-01T00:00:00Z", [], Stage.GOING),
        ("2026-01-01T00:00:00Z", ["example.com/other"], Stage.GOING),
        ("2026-01-01T00:00:00Z", ["foregroundDeletion"], Stage.FOREGROUND),
        ("2026-01-01T00:00:00Z", ["foregroundDeletion", "orphan"], Stage.ORPHANING),
    ],
)
def test_the_stage_follows_from_the_deletion_and_the_finalizers(
    deleted: str | None, finalizers: list[str], stage: Stage
) -> None:
    metadata = {"uid": "u", "deletionTimestamp": deleted, "finalizers": finalizers}
    assert node_of(CONFIG, Key("default", "u"), metadata).stage is stage
