"""Configurations of declared webhooks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from versioned import GROUP, SHOPS
from widget import Widget
from windlass.api import Key, LabelSelector
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Pod
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Place,
    Verdict,
    Webhook,
    configurations,
    conversion_clause,
    mutating,
    validating,
)

PLACE = Place(name="shop", service=Key("shop-system", "hooks"))
NAME = "kubernetes.io/metadata.name"


def allow(_request: AdmissionRequest[Any]) -> Verdict[Any]:
    """Let everything pass."""
    return Verdict.allow()


def webhook(options: HookOptions) -> Webhook[Any]:
    """A webhook with these options."""
    return validating(Widget, options=options)(allow)


def selector(options: HookOptions, place: Place = PLACE) -> Any:
    """The namespaceSelector of a webhook with these options."""
    (configuration,) = configurations([webhook(options)], place)
    return configuration.to_wire()["webhooks"][0].get("namespaceSelector")


def test_a_webhook_is_written_as_controller_gen_writes_its_marker() -> None:
    options = HookOptions(
        timeout=timedelta(seconds=5), reinvoke=True, conditions={"kata": "has(object.spec.runtimeClassName)"}
    )
    pods = mutating(
        Pod, verbs=("create",), name="mwebhook.peerpods.io", path="/mutate-v1-pod", options=options
    )(allow)

    (configuration,) = configurations([pods], PLACE)

    assert configuration.to_wire() == {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "shop-mutating-webhook-configuration"},
        "webhooks": [
            {
                "admissionReviewVersions": ["v1"],
                "clientConfig": {
                    "service": {
                        "name": "hooks",
                        "namespace": "shop-system",
                        "path": "/mutate-v1-pod",
                        "port": 443,
                    }
                },
                "failurePolicy": "Fail",
                "matchConditions": [{"name": "kata", "expression": "has(object.spec.runtimeClassName)"}],
                "matchPolicy": "Equivalent",
                "name": "mwebhook.peerpods.io",
                "namespaceSelector": {
                    "matchExpressions": [
                        {"key": NAME, "operator": "NotIn", "values": ["kube-system", "shop-system"]}
                    ]
                },
                "reinvocationPolicy": "IfNeeded",
                "rules": [
                    {
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE"],
                        "resources": ["pods"],
                    }
                ],
                "sideEffects": "None",
                "timeoutSeconds": 5,
            }
        ],
    }


def test_there_is_one_configuration_of_each_sort_with_its_webhooks_in_the_order_of_their_names() -> None:
    names = [f"{name}.widgets.windlass.dev" for name in ("b", "c", "a")]
    hooks = [validating(Widget, name=name, path=f"/{name}")(allow) for name in names]

    mutates, judges = configurations([*hooks, SHOPS, mutating(Widget)(allow)], PLACE)

    assert mutates.metadata.name == "shop-mutating-webhook-configuration"
    assert [each["name"] for each in judges.to_wire()["webhooks"]] == sorted(
        [*names, *(guard.name for guard in SHOPS.guards)]
    )


def test_where_there_is_no_webhook_there_is_no_configuration() -> None:
    assert configurations([], PLACE) == []


def test_a_conversion_comes_with_a_webhook_for_each_version_which_is_asked_about_that_one_alone() -> None:
    (configuration,) = configurations([SHOPS], PLACE)

    hooks = {each["name"]: each for each in configuration.to_wire()["webhooks"]}
    assert configuration.kind == "ValidatingWebhookConfiguration"
    assert list(hooks) == [f"convert-{version}.shops.{GROUP}" for version in ("v1", "v1alpha1", "v1beta1")]
    beta = hooks[f"convert-v1beta1.shops.{GROUP}"]
    assert beta["clientConfig"]["service"]["path"] == "/convert-shops/v1beta1"
    assert beta["rules"] == [
        {
            "apiGroups": [GROUP],
            "apiVersions": ["v1beta1"],
            "operations": ["CREATE", "UPDATE"],
            "resources": ["shops"],
        }
    ]
    assert (beta["matchPolicy"], beta["failurePolicy"]) == ("Exact", "Fail")
    assert "namespaceSelector" not in beta
    assert "matchConditions" not in beta
    (condition,) = hooks[f"convert-v1.shops.{GROUP}"]["matchConditions"]
    assert "'windlass.dev/unconverted' in object.metadata.annotations" in condition["expression"]


def test_the_users_selector_is_joined_with_ours() -> None:
    said = LabelSelector(match_labels={"team": "shop"})

    assert selector(HookOptions(namespaces=said)) == {
        "matchLabels": {"team": "shop"},
        "matchExpressions": [{"key": NAME, "operator": "NotIn", "values": ["kube-system", "shop-system"]}],
    }
    assert said.match_expressions == []


def test_who_wants_everything_gets_everything() -> None:
    said = LabelSelector(match_labels={"team": "shop"})

    assert selector(HookOptions(everywhere=True)) is None
    assert selector(HookOptions(everywhere=True, namespaces=said)) == {"matchLabels": {"team": "shop"}}


def test_a_place_may_be_for_some_namespaces_only() -> None:
    restricted = replace(PLACE, namespaces=("test-1",))

    assert selector(HookOptions(everywhere=True), restricted) == {
        "matchExpressions": [{"key": NAME, "operator": "In", "values": ["test-1"]}]
    }


def test_a_conversion_is_a_clause_of_the_definition() -> None:
    place = Place(name="shop", url="https://shop.test/", bundle="PEM")

    assert conversion_clause(SHOPS, place) == {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"url": "https://shop.test/convert-shops", "caBundle": "UEVN"},
            "conversionReviewVersions": ["v1"],
        },
    }


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "say one of them"),
        ({"service": Key("a", "b"), "url": "https://c"}, "say one of them"),
        ({"url": "http://c"}, "https only"),
    ],
)
def test_a_place_that_nobody_finds_is_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        Place(name="shop", **said)
