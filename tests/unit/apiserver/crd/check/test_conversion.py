from typing import Any

import pytest

from windlass.apiserver.crd.check.conversion import conversion_faults
from windlass.apiserver.crd.check.past import NOTHING_BEFORE, Past

URL = {"url": "https://example.com/convert"}


def webhook(client: dict[str, Any] | None = None, *versions: str) -> dict[str, Any]:
    reviews = list(versions) or ["v1"]
    return {
        "strategy": "Webhook",
        "webhook": {"clientConfig": client or URL, "conversionReviewVersions": reviews},
    }


def faults(conversion: dict[str, Any], past: Past = NOTHING_BEFORE, **more: Any) -> list[str]:
    return [str(fault) for fault in conversion_faults({"conversion": conversion, **more}, past)]


def test_a_conversion_as_they_are_has_no_faults() -> None:
    assert faults(webhook()) == []
    assert faults({"strategy": "None"}) == []


def test_a_strategy_must_be_given() -> None:
    assert faults({"strategy": ""}) == ["spec.conversion.strategy: Required value"]


def test_without_pruning_there_is_no_webhook() -> None:
    assert faults(webhook(), preserveUnknownFields=True) == [
        'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true'
    ]


@pytest.mark.parametrize("client", [{"caBundle": ""}, {**URL, "service": {"name": "a", "namespace": "b"}}])
def test_a_webhook_is_reached_in_one_way(client: dict[str, Any]) -> None:
    assert faults(webhook(client)) == [
        "spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required"
    ]


def test_review_versions_are_different_labels() -> None:
    first, second = faults(webhook(URL, "v1", "v1", "V_2"))

    assert first == 'spec.conversion.conversionReviewVersions[1]: Invalid value: "v1": duplicate version'
    assert second.startswith(
        'spec.conversion.conversionReviewVersions[2]: Invalid value: "V_2": a DNS-1035 label'
    )


def test_reviews_that_were_unknown_before_may_stay_so() -> None:
    assert faults(webhook(URL, "v9"), Past(any_reviews=True)) == []


def test_certificates_matter_once_a_kind_is_served() -> None:
    broken = {**URL, "caBundle": "aGk="}

    assert faults(webhook(broken)) == []
    assert len(faults(webhook(broken), Past(established=True, any_bundle=False))) == 1


def test_what_was_wrong_with_a_webhook_before_is_known() -> None:
    def past(conversion: dict[str, Any]) -> Past:
        established = {"type": "Established", "status": "True"}
        spec = {"conversion": conversion, "versions": []}
        return Past.of({"spec": spec, "status": {"conditions": [established]}})

    assert past(webhook(URL, "v9")).any_reviews
    assert not past(webhook()).any_reviews
    assert past(webhook({**URL, "caBundle": "aGk="})).any_bundle
    assert not past(webhook()).any_bundle
