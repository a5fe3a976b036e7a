"""Versions of a kind, converted into each other."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import orjson
import pytest

from versioned import (
    BETA,
    GROUP,
    SHOPS,
    AlphaShop,
    BetaShop,
    Shop,
    ShopSpec,
    from_beta,
    to_alpha,
    to_beta,
)
from widget import Widget
from windlass.api import Definition, ObjectMeta
from windlass.codegen import Project
from windlass.errors import ConfigError, ConversionError
from windlass.webhook import Conversion, Spoke, WebhookServer, with_webhooks
from windlass.webhook.conversion import annotation_of, differences

Object = dict[str, Any]
V1, BETA1, ALPHA1 = (f"{GROUP}/{version}" for version in ("v1", "v1beta1", "v1alpha1"))
KEPT_HUB = annotation_of("v1")


def shop(**spec: Any) -> Object:
    metadata = {"name": "x", "namespace": "y", "uid": "7", "resourceVersion": "3", "labels": {"a": "b"}}
    return {"apiVersion": V1, "kind": "Shop", "metadata": metadata, "spec": {"host": "here", **spec}}


RICH = {
    "limits": {"least": 2, "most": 5},
    "strategy": "Recreate",
    "ports": [{"name": "web", "number": 80, "protocol": "h"}, {"name": "ops", "number": 81}],
}


def there_and_back(obj: Object, api_version: str, change: Any = lambda obj: None) -> Object:
    """An object that somebody changes in another version."""
    shown = deepcopy(SHOPS.convert(deepcopy(obj), api_version))
    change(shown)
    return SHOPS.convert(shown, obj["apiVersion"])


def test_an_object_of_the_wanted_version_is_left_alone() -> None:
    given = shop(unknown=1)

    assert SHOPS.convert(deepcopy(given), V1) == given


def test_metadata_is_carried_over_although_no_function_cares_for_it() -> None:
    given = shop()

    made = SHOPS.convert(given, BETA1)

    assert (made["apiVersion"], made["kind"]) == (BETA1, "Shop")
    assert made["metadata"] == given["metadata"]
    assert made["spec"] == {"host": "here", "replicas": 1, "ports": []}


def test_a_function_may_change_labels_and_annotations_and_nothing_else_of_the_metadata() -> None:
    def told(given: Shop) -> BetaShop:
        made = to_beta(given)
        made.metadata = ObjectMeta(name="other", uid="8", labels={}, annotations={"was": "v1"})
        return made

    spokes = (replace(BETA, from_hub=told),)

    made = Conversion(hub=Shop, spokes=spokes).convert(shop(), BETA1)

    unchanged = {"name": "x", "namespace": "y", "uid": "7", "resourceVersion": "3"}
    assert made["metadata"] == {**unchanged, "labels": {}, "annotations": {"was": "v1"}}


def test_what_a_version_can_say_leaves_no_annotation() -> None:
    made = SHOPS.convert(shop(limits={"least": 2, "most": 2}), BETA1)

    assert "annotations" not in made["metadata"]


@pytest.mark.parametrize("api_version", [BETA1, ALPHA1])
def test_what_a_version_cannot_say_comes_back(api_version: str) -> None:
    given = shop(**RICH)

    made = there_and_back(given, api_version)

    assert (made["metadata"], made["spec"]) == (given["metadata"], given["spec"])
    assert differences(Shop, made, given) == []


def test_what_only_an_old_version_can_say_comes_back_to_it_by_way_of_any_other() -> None:
    given = {**shop(), "apiVersion": ALPHA1, "spec": {"address": "here", "nickname": "n"}}

    for api_version in (V1, BETA1):
        assert there_and_back(given, api_version) == given


def test_a_change_in_an_old_version_keeps_the_rest() -> None:
    made = there_and_back(shop(**RICH), BETA1, lambda obj: obj["spec"].update(host="there"))

    assert made["spec"] == {"host": "there", **RICH}
    assert "annotations" not in made["metadata"]


def test_a_field_that_was_changed_in_an_old_version_is_not_taken_from_the_past() -> None:
    made = there_and_back(shop(**RICH), BETA1, lambda obj: obj["spec"].update(replicas=7))

    assert made["spec"]["limits"] == {"least": 7, "most": 7}
    assert made["spec"]["strategy"] == "Recreate"


def test_an_item_is_told_by_its_key_wherever_it_stands() -> None:
    def moved(obj: Object) -> None:
        obj["spec"]["ports"] = [{"name": "new", "number": 1}, *reversed(obj["spec"]["ports"])]

    made = there_and_back(shop(**RICH), BETA1, moved)

    assert made["spec"]["ports"] == [
        {"name": "new", "number": 1},
        {"name": "ops", "number": 81},
        {"name": "web", "number": 80, "protocol": "h"},
    ]


def test_an_item_that_was_removed_does_not_come_back() -> None:
    made = there_and_back(shop(**RICH), BETA1, lambda obj: obj["spec"]["ports"].pop(0))

    assert made["spec"]["ports"] == [{"name": "ops", "number": 81}]


def test_an_old_client_that_drops_the_annotation_brings_nothing_back() -> None:
    made = there_and_back(shop(**RICH), BETA1, lambda obj: obj["metadata"].pop("annotations"))

    assert made["spec"].get("strategy", "Rolling") == "Rolling"
    assert made["spec"]["limits"] == {"least": 2, "most": 2}


def test_defaults_that_the_server_fills_in_between_are_no_change() -> None:
    def filled(obj: Object) -> None:
        obj["spec"]["nickname"] = ""

    made = there_and_back(shop(**RICH), ALPHA1, filled)

    assert made["spec"] == {"host": "here", **RICH}


def test_a_default_that_the_server_fills_into_the_hub_does_not_hide_what_was_kept() -> None:
    spokes = (
        Spoke(BetaShop, to_hub=lambda given: Shop(spec=ShopSpec(host=given.spec.host)), from_hub=to_beta),
    )
    conversion = Conversion(hub=Shop, spokes=spokes)
    shown = conversion.convert(shop(strategy="Recreate"), BETA1)

    def filled(given: BetaShop) -> Shop:
        return Shop(spec=ShopSpec(host=given.spec.host, strategy="Rolling"))

    later = Conversion(hub=Shop, spokes=(replace(spokes[0], to_hub=filled),))

    assert later.convert(shown, V1)["spec"]["strategy"] == "Recreate"


def test_an_annotation_that_somebody_made_up_is_ignored_and_removed() -> None:
    for text in ("", "{", "[1]", '[{"path": [], "made": []}]', '[{"path": [3], "made": ["absent"]}]', "7"):
        given = {**shop(), "apiVersion": BETA1}
        given["metadata"]["annotations"] = {KEPT_HUB: text, "other": "1"}

        made = SHOPS.convert(given, V1)

        assert made["metadata"]["annotations"] == {"other": "1"}
        assert made["spec"]["host"] == "here"


@pytest.mark.parametrize(
    "entry",
    [
        {"path": ["metadata"], "made": ["absent"]},
        {"path": ["metadata"], "made": ["absent"], "kept": {"name": "other"}},
        {"path": ["metadata", "name"], "made": ["absent"], "kept": "other"},
        {"path": ["apiVersion"], "made": ["absent"], "kept": "v2"},
        {"path": ["kind"], "made": ["absent"]},
        {"path": ["spec", "host"], "made": [[]], "kept": "there"},
        {"path": ["spec", "ports", {"name": []}, "number"], "made": ["absent"], "kept": 1},
        {"path": [["spec"]], "made": ["absent"]},
    ],
    ids=str,
)
def test_no_annotation_keeps_an_object_from_being_converted(entry: Object) -> None:
    """One object that cannot be converted, or has another name then, makes every list of its kind fail."""
    given = {**shop(**RICH), "apiVersion": BETA1}
    plain = SHOPS.convert(deepcopy(given), V1)
    given["metadata"]["annotations"] = {KEPT_HUB: orjson.dumps([entry]).decode()}

    assert SHOPS.convert(given, V1) == plain


def test_an_annotation_cannot_smuggle_in_what_the_type_refuses() -> None:
    shown = SHOPS.convert(shop(**RICH), BETA1)
    notes = shown["metadata"]["annotations"]
    notes[KEPT_HUB] = notes[KEPT_HUB].replace('"kept":5', '"kept":-5')

    made = SHOPS.convert(shown, V1)

    assert made["spec"]["limits"] == {"least": 2, "most": 2}


def test_an_annotation_for_the_version_that_the_object_is_in_means_nothing() -> None:
    given = shop()
    text = orjson.dumps([{"path": ["spec", "strategy"], "made": ["absent"], "kept": "Stale"}]).decode()
    given["metadata"]["annotations"] = {KEPT_HUB: text}

    shown = SHOPS.convert(given, BETA1)

    assert "annotations" not in shown["metadata"]
    assert SHOPS.convert(shown, V1)["spec"].get("strategy", "Rolling") == "Rolling"


def test_nothing_is_kept_where_that_is_not_wanted() -> None:
    conversion = replace(SHOPS, keep=False)

    shown = conversion.convert(shop(**RICH), BETA1)

    assert "annotations" not in shown["metadata"]
    assert "strategy" not in conversion.convert(shown, V1)["spec"]


def test_a_function_that_returns_another_version_is_named() -> None:
    def unannotated(shop: Any) -> Any:
        return to_alpha(shop)

    conversion = Conversion(hub=Shop, spokes=(Spoke(BetaShop, to_hub=from_beta, from_hub=unannotated),))

    with pytest.raises(ConversionError, match=r"unannotated returned a AlphaShop, not a .*v1beta1"):
        conversion.convert(shop(), BETA1)


@pytest.mark.parametrize("api_version", ["", f"{GROUP}/v9", "other.example.com/v1"])
def test_an_unknown_version_is_refused_with_those_that_are_known(api_version: str) -> None:
    with pytest.raises(ConversionError, match=f"{V1}, {BETA1}, {ALPHA1} are"):
        SHOPS.convert(shop(), api_version)
    with pytest.raises(ConversionError, match="is no version that can be converted"):
        SHOPS.convert({**shop(), "apiVersion": api_version}, V1)


@pytest.mark.parametrize(
    ("hub", "spokes", "path", "said"),
    [
        (Shop, (BETA, BETA), "/c", "Shop: v1beta1 has two spokes"),
        (Shop, (Spoke(Shop, to_hub=lambda x: x, from_hub=lambda x: x),), "/c", "v1 is the hub's version"),
        (Widget, (BETA,), "/c", "it is another kind"),
        (Shop, (), "/c", "has no spokes"),
        (Shop, (BETA,), "c", "begins with a slash"),
    ],
)
def test_a_mistake_is_told_where_it_is_made(hub: Any, spokes: Any, path: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Conversion(hub=hub, spokes=spokes, path=path)


def test_a_version_that_is_served_and_has_no_spoke_is_told() -> None:
    class Gone(Shop, version="v0", kind="Shop", definition=Definition(served=False)):
        pass

    class Forgotten(Shop, version="v2", kind="Shop"):
        pass

    SHOPS.check_covers([Shop, BetaShop, AlphaShop, Gone, Widget])
    with pytest.raises(ConfigError, match="v2 is served, but nobody can convert it"):
        SHOPS.check_covers([Shop, Forgotten])
    with pytest.raises(ConfigError, match="v1alpha1 is served"):
        Conversion(hub=Shop, spokes=(BETA,)).check_covers([Shop, BetaShop, AlphaShop])


def test_definitions_are_not_generated_with_a_version_that_nobody_can_convert() -> None:
    project = Project(
        operator="shops", kinds=(Shop, BetaShop, AlphaShop), companions=(WebhookServer([SHOPS]),)
    )
    partly = replace(project, companions=(WebhookServer([Conversion(hub=Shop, spokes=(BETA,))]),))

    assert with_webhooks(project).project.conversions[f"shops.{GROUP}"]["strategy"] == "Webhook"
    with pytest.raises(ConfigError, match="v1alpha1 is served"):
        with_webhooks(partly)
