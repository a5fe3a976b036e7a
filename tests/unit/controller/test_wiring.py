"""Whom a change concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from changes import change, metadata
from widget import Widget
from windlass.api import Key
from windlass.controller.authors import Authors
from windlass.controller.settled import Settled
from windlass.controller.wiring import Listener, followed, itself, mapped, owned_by, references
from windlass.kinds.core.v1 import ConfigMap, Node, Secret
from windlass.reconcile import Follow, Watch, generation_changed

if TYPE_CHECKING:
    from windlass.api import Json


def owner(
    name: str, *, kind: str = "Widget", group: str = "test.windlass.dev", controller: bool = True
) -> Json:
    version = f"{group}/v1" if group else "v1"
    return {"apiVersion": version, "kind": kind, "name": name, "uid": name, "controller": controller}


def concerned(old: Json | None, new: Json | None) -> set[Key]:
    return set(owned_by(Widget, None).concerned(change(old, new, ConfigMap)))


def test_a_child_concerns_its_controller() -> None:
    assert concerned(None, metadata(ownerReferences=[owner("w")])) == {Key("default", "w")}


def test_an_owner_of_another_version_of_the_kind_is_still_the_owner() -> None:
    reference = owner("w") | {"apiVersion": "test.windlass.dev/v2"}

    assert concerned(None, metadata(ownerReferences=[reference])) == {Key("default", "w")}


def test_a_child_that_changes_hands_concerns_both() -> None:
    old, new = metadata(ownerReferences=[owner("a")]), metadata(ownerReferences=[owner("b")])

    assert concerned(old, new) == {Key("default", "a"), Key("default", "b")}


def test_others_are_not_concerned() -> None:
    references = [owner("a", kind="Gadget"), owner("b", group="other.dev"), owner("c", controller=False)]

    assert concerned(None, metadata(ownerReferences=references)) == set()


def test_a_mapped_kind_tells_whom_it_concerns_before_and_after() -> None:
    watch = Watch(Node, to=lambda node: [Key("", each) for each in node.metadata.labels])
    role = mapped(watch)

    found = role.concerned(change(metadata(labels={"a": ""}), metadata(labels={"b": ""}), Node))

    assert set(found) == {Key("", "a"), Key("", "b")}


def test_an_object_that_could_not_be_read_before_still_wakes_whom_it_concerns_now() -> None:
    watch = Watch(Node, to=lambda node: [Key("", each) for each in node.metadata.labels])
    mended = change({"spec": "not an object"}, metadata(labels={"b": ""}), Node)

    assert heard([mapped(watch)], Authors(), mended) == [Key("", "b")]


def test_references_are_names_in_our_namespace_or_keys() -> None:
    def named(by: Any) -> list[str]:
        widget = Widget.from_wire({"metadata": {"name": "w", "namespace": "default"}})
        return list(references(Watch(Secret, by=by))(widget))

    assert named(lambda widget: "s") == ["default/s"]
    assert named(lambda widget: None) == []
    assert named(lambda widget: "") == []
    assert named(lambda widget: ["a", Key("other", "b")]) == ["default/a", "other/b"]


def test_a_reference_to_a_cluster_wide_kind_needs_no_namespace_and_one_from_it_does() -> None:
    widget = Widget.from_wire({"metadata": {"name": "w", "namespace": "default"}})
    node = Node.from_wire({"metadata": {"name": "n"}})

    assert list(references(Watch(Node, by=lambda _: ["a", Key("default", "b")]))(widget)) == ["a", "b"]
    assert list(references(Watch(Secret, by=lambda _: Key("default", "s")))(node)) == ["default/s"]
    with pytest.raises(ValueError, match="n is in no namespace"):
        list(references(Watch(Secret, by=lambda _: "s"))(node))


def heard(listener_roles: list[Any], authors: Authors, *changes: Any) -> list[Key]:
    woken: list[Key] = []
    listener = Listener(authors, [Settled("tester")], lambda key, _: woken.append(key))
    listener.roles += listener_roles
    for each in changes:
        listener(each)
    return woken


def test_an_object_is_woken_once_for_a_change_in_two_roles() -> None:
    assert heard([itself(None), itself(None)], Authors(), change(None, {})) == [Key("default", "a")]


def test_a_predicate_keeps_changes_away() -> None:
    states = metadata(generation=1), metadata(generation=1)

    assert heard([itself(generation_changed)], Authors(), change(*states)) == []


def test_a_wish_to_be_looked_at_is_never_kept_away() -> None:
    states = metadata(generation=1), metadata(generation=1, annotations={"windlass.dev/reconcile-at": "now"})

    assert heard([itself(generation_changed)], Authors(), change(*states)) == [Key("default", "a")]


def test_a_write_wakes_everybody_but_the_one_whose_reconcile_made_it() -> None:
    authors = Authors()
    authors.note(ConfigMap, Key("default", "a"), "2", Key("default", "w"))
    shared = metadata(resourceVersion="2", ownerReferences=[owner("w"), owner("x")])

    woken = heard([owned_by(Widget, None)], authors, change(metadata(resourceVersion="1"), shared, ConfigMap))

    assert woken == [Key("default", "x")]


def test_a_mapping_that_fails_for_one_object_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def to(node: Node) -> list[Key]:
        return [Key("", node.metadata.labels["zone"])]

    unlabelled, labelled = change(None, {}, Node), change(None, metadata(labels={"zone": "z"}), Node)

    assert heard([mapped(Watch(Node, to=to))], Authors(), unlabelled, labelled) == [Key("", "z")]
    assert "Node default/a was added" in caplog.text


def test_who_follows_a_kind_is_told_before_anybody_is_woken() -> None:
    order: list[object] = []
    listener = Listener(Authors(), [Settled("us")], lambda key, _: order.append(key))
    listener.roles += [itself(None), followed(Follow(ConfigMap, lambda change: order.append(change.event)))]

    listener(change(None, metadata(), ConfigMap))

    assert order == ["added", Key("default", "a")]


def test_a_failure_of_who_follows_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: object) -> None:
        raise LookupError("no such sum")

    assert heard(
        [itself(None), followed(Follow(ConfigMap, fail))], Authors(), change(None, metadata(), ConfigMap)
    )
    assert "no such sum" in caplog.text
