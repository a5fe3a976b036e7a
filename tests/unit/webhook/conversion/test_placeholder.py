"""Objects that cannot be converted: what is shown of them, and the way back."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import orjson
import pytest

from refusing import Depots
from versioned import ALPHA, BETA, GROUP, AlphaShop, BetaShop, Shop, from_beta, to_beta
from windlass.api import UNCONVERTED
from windlass.errors import ConversionError
from windlass.schema import Fault
from windlass.webhook import Conversion
from windlass.webhook.conversion.refusal import Refusal

Object = dict[str, Any]
WHEN = "2026-01-02T03:04:05Z"
DEPOTS = Depots("depots.windlass.dev")
V1, V2 = "depots.windlass.dev/v1", "depots.windlass.dev/v2"
SHOP1, BETA1, ALPHA1 = (f"{GROUP}/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


def odd(**more: Any) -> Object:
    """An object that v2 refuses."""
    metadata = {"name": "a", "uid": "7", "labels": {"b": "c"}, "annotations": {"d": "e"}}
    spec = {"size": "roomy", "note": "by hand"}
    return {"apiVersion": V1, "kind": "Depot", "metadata": metadata, "spec": spec, **more}


def show(obj: Object, api_version: str) -> Object:
    return DEPOTS.conversion.show(deepcopy(obj), api_version)


def test_what_is_refused_is_shown_with_its_metadata_and_the_defaults_of_the_schema() -> None:
    shown = show(odd(), V2)

    assert (shown["apiVersion"], shown["kind"]) == (V2, "Depot")
    assert shown["spec"] == {"color": "grey"}
    annotations = shown["metadata"].pop("annotations")
    assert shown["metadata"] == {"name": "a", "uid": "7", "labels": {"b": "c"}}
    assert annotations["d"] == "e"
    assert orjson.loads(annotations[UNCONVERTED]) == {
        "from": V1,
        "reason": "spec.size: 'roomy' is not like 3x4",
        "object": {"spec": {"size": "roomy", "note": "by hand"}},
    }


def test_the_way_back_restores_it_with_the_metadata_that_it_has_by_now() -> None:
    shown = show(odd(), V2)
    shown["metadata"]["labels"] = {"f": "g"}
    shown["metadata"]["finalizers"] = ["h.example.com/i"]

    back = show(shown, V1)

    assert back == odd(
        metadata={**odd()["metadata"], "labels": {"f": "g"}, "finalizers": ["h.example.com/i"]}
    )


def test_the_content_of_a_placeholder_does_not_matter_while_the_annotation_is_there() -> None:
    shown = show(odd(), V2)
    shown["spec"] = {"width": 1, "height": 2, "color": "red"}

    assert show(shown, V1) == odd()


@pytest.mark.parametrize("mark", [None, "", "nonsense"])
def test_without_the_annotation_the_functions_decide(mark: str | None) -> None:
    shown = show(odd(), V2)
    shown["spec"] = {"width": 1, "height": 2}
    del shown["metadata"]["annotations"][UNCONVERTED]
    if mark is not None:
        shown["metadata"]["annotations"][UNCONVERTED] = mark

    back = show(shown, V1)

    assert back["spec"]["size"] == "1x2"
    assert UNCONVERTED not in back["metadata"]["annotations"]


def test_a_status_is_carried_as_far_as_the_other_version_has_it() -> None:
    condition = {
        "type": "Ready",
        "status": "False",
        "reason": "Odd",
        "message": "",
        "lastTransitionTime": WHEN,
    }
    given = odd(status={"area": 3, "conditions": [condition], "unknown": 1})

    shown = show(given, V2)
    assert shown["status"] == {"area": 3, "conditions": [condition]}
    assert show(shown, V1) == given

    shown["status"] = {"area": 4, "conditions": "none"}
    assert show(shown, V1)["status"] == {"area": 4, "unknown": 1}


def test_once_the_function_takes_it_it_is_converted() -> None:
    shown = show(odd(), V2)
    depots = Depots("depots.windlass.dev", strict=False)

    again = depots.conversion.show(depots.conversion.show(shown, V1), V2)

    assert again["spec"] == {"width": 0, "height": 0}
    assert UNCONVERTED not in again["metadata"]["annotations"]


def shops(**changes: Any) -> Conversion[Shop]:
    def refused(_shop: AlphaShop) -> Shop:
        raise ValueError("nobody lives there")

    alpha = replace(ALPHA, to_hub=refused)
    return Conversion(hub=Shop, spokes=(replace(BETA, **changes), alpha))


ALPHA_SHOP: Object = {
    "apiVersion": ALPHA1,
    "kind": "Shop",
    "metadata": {"name": "a"},
    "spec": {"address": "here", "nickname": "b"},
}


def test_a_placeholder_may_go_through_other_versions() -> None:
    conversion = shops()

    beta = conversion.show(deepcopy(ALPHA_SHOP), BETA1)
    hub = conversion.show(deepcopy(beta), SHOP1)
    again = conversion.show(deepcopy(hub), BETA1)

    assert again == beta
    assert beta["apiVersion"] == BETA1
    assert hub["metadata"] == beta["metadata"]
    assert conversion.show(deepcopy(hub), ALPHA1) == ALPHA_SHOP
    assert conversion.show(deepcopy(beta), ALPHA1) == ALPHA_SHOP


def test_what_a_version_that_was_given_up_has_left_is_shown_as_it_is() -> None:
    hub = shops().show(deepcopy(ALPHA_SHOP), SHOP1)
    later = Conversion(hub=Shop, spokes=(BETA,))

    beta = later.show(deepcopy(hub), BETA1)

    assert beta["apiVersion"] == BETA1
    assert beta["metadata"] == hub["metadata"]
    assert later.show(deepcopy(beta), SHOP1) == hub


def test_what_the_way_from_the_hub_refuses_is_restored_in_the_hub() -> None:
    def refused(_shop: Shop) -> BetaShop:
        raise ValueError("too new")

    conversion = shops(from_hub=refused)
    given = {"apiVersion": SHOP1, "kind": "Shop", "metadata": {"name": "a"}, "spec": {"host": "x", "odd": 1}}

    shown = conversion.show(deepcopy(given), BETA1)

    assert orjson.loads(shown["metadata"]["annotations"][UNCONVERTED])["reason"] == "too new"
    assert conversion.show(shown, SHOP1) == given


def test_what_is_kept_for_another_version_outlives_the_placeholder() -> None:
    """What the hub has and v1beta1 has no place for."""
    rich = {
        "apiVersion": SHOP1,
        "kind": "Shop",
        "metadata": {"name": "a"},
        "spec": {"host": "here", "strategy": "Recreate"},
    }
    strict = [False]

    def moody(shop: BetaShop) -> Shop:
        if strict[0]:
            raise ValueError("not today")
        return from_beta(shop)

    conversion = Conversion(hub=Shop, spokes=(replace(BETA, to_hub=moody, from_hub=to_beta),))
    beta = conversion.show(deepcopy(rich), BETA1)
    strict[0] = True

    back = conversion.show(conversion.show(deepcopy(beta), SHOP1), BETA1)

    assert back == beta
    strict[0] = False
    assert conversion.show(back, SHOP1)["spec"]["strategy"] == "Recreate"


def test_a_version_that_is_not_known_is_no_matter_of_one_object() -> None:
    with pytest.raises(ConversionError, match="v9 is no version"):
        show(odd(), "depots.windlass.dev/v9")


def test_a_placeholder_takes_no_annotations_along_that_do_not_fit() -> None:
    given = odd()
    given["metadata"]["annotations"]["big"] = "x" * 262_000

    with pytest.raises(ConversionError, match="too large to be kept in the annotation"):
        show(given, V2)


def test_without_keeping_fields_it_is_kept_all_the_same() -> None:
    conversion = replace(DEPOTS.conversion, keep=False)

    assert conversion.show(conversion.show(odd(), V2), V1) == odd()


def refusal_of(error: Exception) -> Refusal:
    def refused(_shop: AlphaShop) -> Shop:
        raise error

    conversion = Conversion(hub=Shop, spokes=(replace(ALPHA, to_hub=refused),))
    found = conversion.attempt(deepcopy(ALPHA_SHOP), SHOP1)
    assert isinstance(found, Refusal)
    return found


def test_a_refusal_has_the_words_of_its_author() -> None:
    fault = Fault.invalid("spec.address", "here", "must be far")

    assert refusal_of(ValueError("gone")) == Refusal("gone")
    assert refusal_of(ValueError(fault)) == Refusal(str(fault), (fault,))
    assert refusal_of(KeyError("b")) == Refusal("KeyError: 'b'", is_fault=True)
    assert refusal_of(ValueError()) == Refusal("ValueError")
    assert len(refusal_of(ValueError("x" * 5000)).message) == 1024


def test_what_the_hub_cannot_hold_is_told_in_one_line() -> None:
    def too_many(shop: AlphaShop) -> Shop:
        return Shop.model_validate({"spec": {"host": shop.spec.address, "limits": {"least": -1}}})

    conversion = Conversion(hub=Shop, spokes=(replace(ALPHA, to_hub=too_many),))

    found = conversion.attempt(deepcopy(ALPHA_SHOP), SHOP1)

    assert isinstance(found, Refusal)
    assert found.message == "spec.limits.least: Input should be greater than or equal to 0"
