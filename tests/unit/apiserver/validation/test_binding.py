from __future__ import annotations

from windlass.apiserver.validation import validate


def test_a_pod_is_bound_to_a_node_by_its_name() -> None:
    assert list(validate("/Binding", {"target": {"kind": "Node", "name": "a"}}, None, "")) == []
    assert list(validate("/Binding", {"target": {"name": "a"}}, None, "")) == []

    faults = [str(fault) for fault in validate("/Binding", {"target": {"kind": "Pod"}}, None, "")]

    assert faults == [
        'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
        "target.name: Required value",
    ]
