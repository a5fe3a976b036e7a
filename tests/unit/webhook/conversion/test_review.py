"""From a ConversionReview to its answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from pydantic import BaseModel

from versioned import BETA, GROUP, SHOPS, BetaShop, Shop, from_beta
from windlass.api import UNCONVERTED
from windlass.errors import UndecodableError
from windlass.webhook import Conversion

Object = dict[str, Any]


def beta(name: str, **spec: Any) -> Object:
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": "Shop", "metadata": metadata, "spec": spec}


def asked(*objects: Object, conversion: Conversion[Any] = SHOPS, to: str = "v1") -> Object:
    request = {"uid": "7", "desiredAPIVersion": f"{GROUP}/{to}", "objects": objects}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
    answer = orjson.loads(conversion.answer(orjson.dumps(review)))
    assert (answer["apiVersion"], answer["kind"]) == ("apiextensions.k8s.io/v1", "ConversionReview")
    response: Object = answer["response"]
    assert response["uid"] == "7"
    return response


def test_all_objects_are_converted_in_their_order() -> None:
    response = asked(beta("a", host="x"), beta("b", host="y", replicas=3))

    assert response["result"] == {"status": "Success"}
    assert [each["metadata"]["name"] for each in response["convertedObjects"]] == ["a", "b"]
    assert [each["spec"]["limits"]["least"] for each in response["convertedObjects"]] == [1, 3]


def test_no_objects_are_no_objects() -> None:
    assert asked() == {"uid": "7", "convertedObjects": [], "result": {"status": "Success"}}


def note_of(obj: Object) -> Object:
    found: Object = orjson.loads(obj["metadata"]["annotations"][UNCONVERTED])
    return found


def test_an_object_that_is_refused_fails_no_other_and_is_kept_in_an_annotation() -> None:
    def refused(shop: BetaShop) -> Shop:
        if shop.spec.host == "x":
            raise ValueError(f"{shop.spec.host} has moved")
        return from_beta(shop)

    conversion = Conversion(hub=Shop, spokes=(replace(BETA, to_hub=refused),))

    response = asked(beta("a", host="x"), beta("b", host="y"), conversion=conversion)

    assert response["result"] == {"status": "Success"}
    unconverted, converted = response["convertedObjects"]
    assert note_of(unconverted) == {
        "from": f"{GROUP}/v1beta1",
        "reason": "x has moved",
        "object": {"spec": {"host": "x"}},
    }
    assert unconverted["apiVersion"] == f"{GROUP}/v1"
    assert unconverted["metadata"]["name"] == "a"
    assert unconverted["spec"] == {"limits": {"least": 1, "most": 1}, "strategy": "Rolling"}
    assert converted["spec"]["host"] == "y"
    assert "annotations" not in converted["metadata"]


def test_a_function_that_fails_is_told_by_object_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_shop: BetaShop) -> Shop:
        raise KeyError("host")

    conversion = Conversion(hub=Shop, spokes=(replace(BETA, to_hub=broken),))

    response = asked(beta("a", host="x"), conversion=conversion)

    (unconverted,) = response["convertedObjects"]
    assert note_of(unconverted)["reason"] == "KeyError: 'host'"
    assert caplog.records[0].exc_info is not None
    assert "Shop default/a" in caplog.text


def test_a_conversion_that_pydantic_refuses_is_told_by_field_without_values_and_links() -> None:
    def strict(shop: BetaShop) -> Shop:
        Strict.model_validate({"size": "hunter2"})
        raise AssertionError(shop)

    conversion = Conversion(hub=Shop, spokes=(replace(BETA, to_hub=strict),))

    response = asked(beta("a", host="x"), conversion=conversion)

    (unconverted,) = response["convertedObjects"]
    message = note_of(unconverted)["reason"]
    assert message == "size: Input should be a valid integer, unable to parse string as an integer"


class Strict(BaseModel):
    """What not everything fits."""

    size: int


def test_an_object_that_does_not_fit_its_type_is_told_by_field() -> None:
    (unconverted,) = asked(beta("a", host="x", replicas="many"))["convertedObjects"]

    assert "spec.replicas" in note_of(unconverted)["reason"]


def test_an_object_that_is_too_large_for_an_annotation_fails_the_review_by_name() -> None:
    response = asked(beta("a", host="x" * 300_000, replicas="many"))

    assert response["convertedObjects"] == []
    assert response["result"]["status"] == "Failure"
    message = response["result"]["message"]
    assert message.startswith(f"Shop default/a of {GROUP}/v1beta1 cannot be converted to {GROUP}/v1: ")
    assert "262144 are possible" in message


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "a review is JSON"),
        (b"[]", "a list is no ConversionReview"),
        (b'{"kind": "AdmissionReview"}', "a AdmissionReview is no ConversionReview"),
        (b'{"kind": "ConversionReview", "request": {}}', "has a `request` with `objects`"),
        (b'{"kind": "ConversionReview", "request": {"objects": [1]}}', "has a `request` with `objects`"),
    ],
)
def test_what_is_no_review_is_refused(body: bytes, said: str) -> None:
    with pytest.raises(UndecodableError, match=said):
        SHOPS.answer(body)
