from __future__ import annotations

from windlass.apiserver.validation import validate

META = {"name": "a", "namespace": "b"}


def test_there_are_not_less_than_none() -> None:
    assert list(validate("autoscaling/Scale", {"metadata": META, "spec": {"replicas": 0}}, None, "")) == []

    (fault,) = validate("autoscaling/Scale", {"metadata": META, "spec": {"replicas": -1}}, None, "")

    assert str(fault) == "spec.replicas: Invalid value: -1: must be greater than or equal to 0"
