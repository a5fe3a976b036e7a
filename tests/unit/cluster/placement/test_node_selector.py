from __future__ import annotations

from typing import Any

import pytest

from windlass.cluster.placement import matches_node_selector, preference
from windlass.kinds.core.v1 import Node, PodSpec


def _node(name: str = "a", **labels: str) -> Node:
    return Node.from_wire({"metadata": {"name": name, "labels": labels}})


def _spec(**spec: Any) -> PodSpec:
    return PodSpec.from_wire({"containers": [], **spec})


def _requiring(*terms: dict[str, Any]) -> PodSpec:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    return _spec(affinity={"nodeAffinity": required})


def _labels(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


def _fields(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchFields": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("wanted", "labels", "expected"),
    [
        ({}, {}, True),
        ({"disk": "ssd"}, {"disk": "ssd", "zone": "a"}, True),
        ({"disk": "ssd"}, {"disk": "hdd"}, False),
        ({"disk": "ssd", "zone": "b"}, {"disk": "ssd", "zone": "a"}, False),
        ({"disk": ""}, {}, False),
    ],
)
def test_a_node_selector_wants_every_label(
    wanted: dict[str, str], labels: dict[str, str], *, expected: bool
) -> None:
    assert matches_node_selector(_spec(nodeSelector=wanted), _node(**labels)) is expected


@pytest.mark.parametrize(
    ("term", "labels", "expected"),
    [
        (_labels("zone", "In", "a", "b"), {"zone": "b"}, True),
        (_labels("zone", "In", "a", "b"), {"zone": "c"}, False),
        (_labels("zone", "In", "a"), {}, False),
        (_labels("zone", "NotIn", "a"), {"zone": "b"}, True),
        (_labels("zone", "NotIn", "a"), {}, True),
        (_labels("zone", "NotIn", "a"), {"zone": "a"}, False),
        (_labels("zone", "NotIn"), {"zone": "a"}, False),
        (_labels("zone", "Exists"), {"zone": ""}, True),
        (_labels("zone", "Exists"), {}, False),
        (_labels("zone", "Exists", "a"), {"zone": "a"}, False),
        (_labels("zone", "DoesNotExist"), {}, True),
        (_labels("zone", "DoesNotExist"), {"zone": ""}, False),
        (_labels("cores", "Gt", "4"), {"cores": "10"}, True),
        (_labels("cores", "Gt", "4"), {"cores": "4"}, False),
        (_labels("cores", "Lt", "4"), {"cores": "3"}, True),
        (_labels("cores", "Lt", "4"), {}, False),
        (_labels("cores", "Lt", "4"), {"cores": "few"}, False),
        (_labels("cores", "Gt", "0"), {"cores": "9223372036854775808"}, False),
        (_labels("cores", "Gt", "1", "2"), {"cores": "3"}, False),
        (_labels("zone", "Near", "a"), {"zone": "a"}, False),
        (_fields("metadata.name", "In", "a"), {}, True),
        (_fields("metadata.name", "In", "b"), {}, False),
        (_fields("metadata.name", "NotIn", "b"), {}, True),
        (_fields("metadata.name", "NotIn", "a"), {}, False),
        (_fields("metadata.name", "In", "a", "b"), {}, False),
        (_fields("metadata.name", "Exists"), {}, False),
        ({**_labels("zone", "In", "a"), **_fields("metadata.name", "In", "a")}, {"zone": "a"}, True),
        ({**_labels("zone", "In", "a"), **_fields("metadata.name", "In", "b")}, {"zone": "a"}, False),
        ({**_labels("zone", "In", "b"), **_fields("metadata.name", "In", "a")}, {"zone": "a"}, False),
        ({}, {"zone": "a"}, False),
    ],
)
def test_a_term_is_satisfied_as_its_operators_say(
    term: dict[str, Any],
    labels: dict[str, str],
    *,
    expected: bool,
) -> None:
    assert matches_node_selector(_requiring(term), _node(**labels)) is expected


def test_one_term_of_several_is_enough_and_none_is_too_few() -> None:
    spec = _requiring(_labels("zone", "In", "b"), _labels("disk", "Exists"))
    assert matches_node_selector(spec, _node(disk="ssd"))
    assert not matches_node_selector(spec, _node(zone="a"))
    assert not matches_node_selector(_requiring(), _node(zone="a"))


def test_selector_and_affinity_have_to_be_satisfied_both() -> None:
    spec = _requiring(_labels("zone", "In", "a"))
    spec.node_selector = {"disk": "ssd"}
    assert matches_node_selector(spec, _node(zone="a", disk="ssd"))
    assert not matches_node_selector(spec, _node(zone="a"))
    assert not matches_node_selector(spec, _node(disk="ssd"))


def test_a_preference_is_the_sum_of_what_a_node_satisfies() -> None:
    preferred = [
        {"weight": 10, "preference": _labels("zone", "In", "a")},
        {"weight": 5, "preference": _labels("disk", "Exists")},
        {"weight": 100, "preference": {}},
    ]
    spec = _spec(affinity={"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}})
    assert preference(spec, _node(zone="a", disk="ssd")) == 15
    assert preference(spec, _node(disk="ssd")) == 5
    assert preference(_spec(), _node(disk="ssd")) == 0
