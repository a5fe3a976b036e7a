"""What cannot be converted is refused when it is written."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import orjson
import pytest

from refusing import Depots
from versioned import ALPHA, GROUP, AlphaShop, Shop
from windlass.api import UNCONVERTED
from windlass.schema import Fault
from windlass.webhook import (
    AdmissionRequest,
    Conversion,
    Verdict,
    WebhookServer,
    mutating,
    validating,
    validation,
)

Object = dict[str, Any]
DEPOTS = Depots("depots.windlass.dev")
V1, V2 = "depots.windlass.dev/v1", "depots.windlass.dev/v2"
PLACEHOLDER_TEXT = "is for an object that cannot be converted"


def old(size: str, **metadata: Any) -> Object:
    head = {"name": "a", "uid": "7", **metadata}
    return {"apiVersion": V1, "kind": "Depot", "metadata": head, "spec": {"size": size}}


def new(width: int = 1, **metadata: Any) -> Object:
    head = {"name": "a", "uid": "7", **metadata}
    return {"apiVersion": V2, "kind": "Depot", "metadata": head, "spec": {"width": width, "height": 2}}


def unconverted(size: str = "roomy", **metadata: Any) -> Object:
    return DEPOTS.conversion.show(old(size, **metadata), V2)


async def asked(
    obj: Object | None, before: Object | None = None, *, server: WebhookServer | None = None, path: str = ""
) -> Object:
    """What a server answers; it is the guard of the object's version that is asked, unless `path` says who."""
    operation = "DELETE" if obj is None else "CREATE" if before is None else "UPDATE"
    request = {"uid": "7", "operation": operation, "name": "a", "object": obj, "oldObject": before}
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    version = (obj or before or {})["apiVersion"].rpartition("/")[2]
    server = server or WebhookServer([DEPOTS.conversion])
    page = await server.answer(path or f"/convert/{version}", orjson.dumps(review))
    assert page.status == 200
    response: Object = orjson.loads(page.body)["response"]
    return response


async def test_what_the_hub_can_hold_may_pass() -> None:
    assert (await asked(old("3x4")))["allowed"]


async def test_what_is_refused_is_denied_in_the_words_of_its_author() -> None:
    response = await asked(old("roomy"))

    assert not response["allowed"]
    assert response["status"] == {
        "code": 422,
        "reason": "Invalid",
        "message": (
            f'Depot.depots.windlass.dev "a" is invalid: it cannot be converted to {V2}: '
            "spec.size: 'roomy' is not like 3x4"
        ),
    }


async def test_a_fault_among_the_words_is_a_cause() -> None:
    def refused(shop: AlphaShop) -> Shop:
        raise ValueError(Fault.invalid("spec.address", shop.spec.address, "must be far"))

    server = WebhookServer([Conversion(hub=Shop, spokes=(replace(ALPHA, to_hub=refused),))])
    shop = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Shop", "metadata": {"name": "a"}}

    response = await asked({**shop, "spec": {"address": "here"}}, server=server)

    (cause,) = response["status"]["details"]["causes"]
    assert (cause["field"], cause["reason"]) == ("spec.address", "FieldValueInvalid")
    assert response["status"]["message"].endswith('spec.address: Invalid value: "here": must be far')


async def test_a_function_that_fails_denies_by_a_fault_of_the_server() -> None:
    def broken(_shop: AlphaShop) -> Shop:
        raise KeyError("host")

    server = WebhookServer([Conversion(hub=Shop, spokes=(replace(ALPHA, to_hub=broken),))])
    shop = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "Shop", "metadata": {"name": "a"}}

    response = await asked({**shop, "spec": {"address": "here"}}, server=server)

    assert (response["status"]["code"], response["status"]["reason"]) == (500, "InternalError")
    assert response["status"]["message"].endswith("KeyError: 'host'")


async def test_an_update_that_leaves_what_was_refused_before_as_it_is_may_pass() -> None:
    assert (await asked(old("roomy", labels={"b": "c"}), old("roomy")))["allowed"]
    assert (await asked({**old("roomy"), "status": {"area": 1}}, old("roomy")))["allowed"]
    assert not (await asked(old("vast"), old("roomy")))["allowed"]
    assert not (await asked(old("roomy"), old("3x4")))["allowed"]
    assert (await asked(old("3x4"), old("roomy")))["allowed"]


async def test_a_placeholder_may_be_written_back_with_other_metadata_and_status() -> None:
    written = unconverted(finalizers=[])
    written["status"] = {"area": 1}

    assert (await asked(written, unconverted()))["allowed"]


async def test_content_is_not_written_into_a_placeholder_by_accident() -> None:
    written = unconverted()
    written["spec"]["width"] = 3

    response = await asked(written, unconverted())

    (cause,) = response["status"]["details"]["causes"]
    assert cause["field"] == "spec"
    assert f"it was written in {V1}" in cause["message"]
    assert "repair it as depots.v1.depots.windlass.dev" in cause["message"]
    going = {"deletionTimestamp": "2026-01-02T03:04:05Z"}
    written["metadata"].update(going)
    assert (await asked(written, unconverted(**going)))["allowed"]


async def test_without_the_annotation_it_is_repaired() -> None:
    assert (await asked(new(), unconverted()))["allowed"]
    assert (await asked(new(annotations={UNCONVERTED: ""}), unconverted()))["allowed"]


async def test_a_placeholder_may_be_created_again_from_a_copy() -> None:
    assert (await asked(unconverted()))["allowed"]


def forged(**changes: Any) -> Object:
    made = unconverted()
    made["metadata"]["annotations"][UNCONVERTED] = orjson.dumps(
        {"from": V1, "reason": "", "object": {"spec": {"size": "roomy"}}, **changes}
    ).decode()
    return made


@pytest.mark.parametrize(
    "made",
    [
        forged(object={"spec": {"size": "3x4"}}),
        forged(**{"from": V2}),
        forged(**{"from": "depots.windlass.dev/v0"}),
        {**forged(), "spec": {"width": 9, "height": 9}},
    ],
    ids=["can be converted", "its own version", "no version", "with content"],
)
async def test_an_annotation_that_is_not_ours_is_refused(made: Object) -> None:
    for before in (None, new()):
        response = await asked(made, before)

        assert not response["allowed"]
        assert PLACEHOLDER_TEXT in response["status"]["message"]


async def test_other_webhooks_of_the_kind_are_not_asked_about_placeholders() -> None:
    def strict(request: AdmissionRequest[Any]) -> Verdict[Any]:
        seen.append((request.object, request.old))
        return Verdict.deny("no")

    seen: list[Any] = []
    judge = validating(DEPOTS.new, path="/judge", verbs=("*",))(strict)
    change = mutating(DEPOTS.new, path="/change")(strict)
    typed = validation(DEPOTS.new, name="typed.depots.windlass.dev", path="/typed")
    server = WebhookServer([DEPOTS.conversion, judge, change, typed])

    for path in ("/judge", "/change", "/typed"):
        assert (await asked(unconverted(), server=server, path=path))["allowed"]
        assert (await asked(unconverted(), unconverted(), server=server, path=path))["allowed"]
    assert seen == []

    assert not (await asked(new(), unconverted(), server=server, path="/judge"))["allowed"]
    assert [each for _, each in seen] == [None]
    assert (await asked(new(), unconverted(), server=server, path="/typed"))["allowed"]
    assert not (await asked(None, unconverted(), server=server, path="/judge"))["allowed"]


async def test_webhooks_of_a_kind_without_a_conversion_judge_whatever_the_annotation_says() -> None:
    def strict(_request: AdmissionRequest[Any]) -> Verdict[Any]:
        return Verdict.deny("no")

    server = WebhookServer([validating(DEPOTS.new, path="/judge")(strict)])

    assert not (await asked(unconverted(), server=server, path="/judge"))["allowed"]


async def test_an_object_that_is_shown_without_its_content_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = WebhookServer([DEPOTS.conversion])
    request = {"uid": "7", "desiredAPIVersion": V2, "objects": [old("roomy"), old("3x4", uid="8")]}
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}

    for _ in range(3):
        page = await server.answer("/convert", orjson.dumps(deepcopy(review)))
        assert page.status == 200

    (record,) = caplog.records
    assert record.getMessage() == (
        f"Depot a of {V1} cannot be converted to {V2}, and is shown without its content: "
        "spec.size: 'roomy' is not like 3x4"
    )
