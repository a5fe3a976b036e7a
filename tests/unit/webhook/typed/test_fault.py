"""What a type has against its objects, in the API server's words."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from booking import Booking
from windlass.webhook import answer_review, validation

Object = dict[str, Any]
HOOK = validation(Booking)


def booking(spec: Object, **metadata: Any) -> Object:
    return {
        "apiVersion": "booking.windlass.dev/v1",
        "kind": "Booking",
        "metadata": {"name": "a", **metadata},
        "spec": spec,
    }


async def asked(obj: Object, old: Object | None = None) -> Object:
    request = {
        "uid": "7",
        "operation": "UPDATE" if old else "CREATE",
        "object": obj,
        "oldObject": old,
        "name": "a",
    }
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    response: Object = orjson.loads(await answer_review(HOOK, orjson.dumps(review)))["response"]
    return response


async def faults(obj: Object, old: Object | None = None) -> list[str]:
    response = await asked(obj, old)
    causes = response.get("status", {}).get("details", {}).get("causes", [])
    assert response["allowed"] == (not causes)
    return [f"{each['field']}: {each['message']}" for each in causes]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"size": 3}, "spec.size: Invalid value: 3: must be even"),
        ({"title": "a" * 11}, "spec.title: Too long: may not be more than 10 characters"),
        ({"sort": "Shut"}, 'spec.sort: Unsupported value: "Shut": supported values: "Open", "Closed"'),
        ({"guests": [{"seat": 2}]}, "spec.guests[0].name: Required value"),
        ({"guests": [{"name": "a", "seat": 1}]}, "spec.guests[0].seat: Invalid value: 1: must be even"),
        ({"guests": [{"name": "a"}] * 3}, "spec.guests: Too many: 3: must have at most 2 items"),
        ({"size": 0, "guests": [{"name": "a"}]}, 'spec: Invalid value: "object": more guests than seats'),
        ({"notes": {"a.b": 1}}, "spec.notes.a.b: Invalid value: 1: should be a valid string"),
        ({"port": {}}, 'spec.port: Invalid value: "object": should be a valid integer'),
        ({"size": []}, 'spec.size: Invalid value: "array": should be a valid integer'),
    ],
)
async def test_a_fault_is_told_by_field_and_value(spec: Object, said: str) -> None:
    assert await faults(booking(spec)) == [said]


async def test_an_object_that_the_type_takes_passes() -> None:
    assert await faults(booking({"size": 4, "unknown": 1})) == []


async def test_all_faults_are_told_at_once_in_the_words_of_kubernetes() -> None:
    response = await asked(booking({"size": 3, "sort": "Shut"}))

    sort = 'spec.sort: Unsupported value: "Shut": supported values: "Open", "Closed"'
    size = "spec.size: Invalid value: 3: must be even"
    assert response["status"] == {
        "code": 422,
        "reason": "Invalid",
        "message": f'Booking.booking.windlass.dev "a" is invalid: [{size}, {sort}]',
        "details": {
            "name": "a",
            "group": "booking.windlass.dev",
            "kind": "Booking",
            "causes": [
                {"reason": "FieldValueInvalid", "field": "spec.size", "message": size.partition(": ")[2]},
                {
                    "reason": "FieldValueNotSupported",
                    "field": "spec.sort",
                    "message": sort.partition(": ")[2],
                },
            ],
        },
    }


async def test_an_update_need_not_mend_what_it_does_not_change() -> None:
    old = booking({"size": 3}, finalizers=["x/y"])

    assert await faults(booking({"size": 3, "title": "new"}), old) == []
    assert await faults(booking({"size": 5}), old) == ["spec.size: Invalid value: 5: must be even"]
    assert await faults(booking({"size": 3, "sort": "Shut"}), old) != []


async def test_a_rule_about_several_fields_counts_once_one_of_them_changes() -> None:
    old = booking({"size": 0, "guests": [{"name": "a"}]})

    assert await faults(booking(old["spec"], labels={"a": "b"}), old) == []
    assert await faults(booking({**old["spec"], "guests": [{"name": "b"}]}), old) != []
