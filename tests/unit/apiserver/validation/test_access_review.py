from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.access_review import validate


def review(**attributes: Any) -> dict[str, Any]:
    return {"metadata": {}, "spec": {"user": "a", "resourceAttributes": attributes}}


def test_an_operator_of_a_later_version_is_let_through() -> None:
    requirements = [{"key": "a", "operator": "Later"}]

    obj = review(fieldSelector={"requirements": requirements}, labelSelector={"requirements": requirements})

    assert list(validate(obj, None)) == []


def test_the_value_of_a_label_is_one() -> None:
    requirements = [{"key": "a", "operator": "In", "values": ["b", "c d"]}]

    (fault,) = validate(review(labelSelector={"requirements": requirements}), None)

    assert fault.field == "spec.resourceAttributes.labelSelector.requirements[0].values[1]"


def test_a_review_has_no_metadata() -> None:
    (fault,) = validate({**review(), "metadata": {"name": "a"}}, None)

    assert str(fault) == 'metadata: Invalid value: {"name":"a"}: must be empty'
