from __future__ import annotations

from set_pods import stateful
from windlass.cluster.controller.history import (
    digest,
    in_order,
    revision_name,
    snapshot,
    surplus,
    template_of,
)
from windlass.kinds.apps.v1 import ControllerRevision


def _revisions(*numbers: int) -> list[ControllerRevision]:
    wires = [{"metadata": {"name": f"web-{number}"}, "revision": number} for number in numbers]
    return [ControllerRevision.from_wire(each) for each in wires]


def _names(those: list[ControllerRevision]) -> list[str]:
    return [each.metadata.name for each in those]


def test_a_revision_brings_its_template_back() -> None:
    template = stateful(1).spec.template
    kept = ControllerRevision.from_wire({"metadata": {}, "data": snapshot(template), "revision": 1})
    assert kept.data["spec"]["template"]["$patch"] == "replace"
    assert template_of(kept).to_wire() == template.to_wire()


def test_the_digest_of_data_does_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": {"c": "<&>", "d": 2}}, 0) == digest({"b": {"d": 2, "c": "<&>"}, "a": 1}, 0)
    assert digest({"a": 1}, 0) != digest({"a": 1}, 1)
    assert digest({"a": "<"}, 0) != digest({"a": ">"}, 0)


def test_a_name_is_never_longer_than_a_server_takes() -> None:
    assert revision_name("web", "5d8c") == "web-5d8c"
    assert len(revision_name("w" * 253, "5" * 10)) == 223 + 1 + 10


def test_the_oldest_that_nobody_uses_are_too_many() -> None:
    old = in_order(_revisions(3, 1, 4, 2))
    assert _names(old) == ["web-1", "web-2", "web-3", "web-4"]
    assert _names(list(surplus(old, {"web-1"}, 2))) == ["web-2", "web-3"]
    assert _names(list(surplus(old, (), 0))) == _names(old)
    assert surplus(old, (), None) == []
