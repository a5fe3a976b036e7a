"""How objects are converted between versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.crd.check.past import REVIEWS
from windlass.apiserver.crd.check.shared import SPEC
from windlass.apiserver.outside import bundle_problem
from windlass.apiserver.validation.names import dns_1035_label
from windlass.apiserver.validation.webhook_client import validate_client
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.crd.check.past import Past

Object = dict[str, Any]

_STRATEGIES: Final = ("None", "Webhook")
_PATH: Final = SPEC.child("conversion")
_CLIENT: Final = _PATH.child("webhookClientConfig")
_REVIEWS: Final = _PATH.child("conversionReviewVersions")


def conversion_faults(spec: Object, past: Past) -> Iterator[Fault]:
    """What is wrong with the conversion of a definition; a webhook's fields are named as they once were."""
    conversion = spec.get("conversion")
    if conversion is None:
        return
    strategy, webhook = conversion.get("strategy", ""), conversion.get("webhook") or {}
    if strategy != "None" and spec.get("preserveUnknownFields"):
        detail = "must be None if spec.preserveUnknownFields is true"
        yield Fault.invalid(_PATH.child("strategy"), strategy, detail)
    if not strategy:
        yield Fault.required(_PATH.child("strategy"))
    elif strategy not in _STRATEGIES:
        yield Fault.not_supported(_PATH.child("strategy"), strategy, _STRATEGIES)
    if strategy == "Webhook":
        yield from _client_faults(webhook.get("clientConfig"), past)
        yield from _review_faults(webhook.get("conversionReviewVersions") or [], past)
        return
    unwanted = "should not be set when strategy is not set to Webhook"
    if webhook.get("clientConfig") is not None:
        yield Fault.forbidden(_CLIENT, unwanted)
    if webhook.get("conversionReviewVersions"):
        yield Fault.forbidden(_REVIEWS, unwanted)


def _client_faults(client: Object | None, past: Past) -> Iterator[Fault]:
    if client is None:
        yield Fault.required(_CLIENT, "required when strategy is set to Webhook")
        return
    yield from validate_client(client, _CLIENT)
    bundle = client.get("caBundle")
    if bundle and not past.any_bundle and (problem := bundle_problem(bundle)):
        yield Fault.invalid(_CLIENT.child("caBundle"), bundle, problem)


def _review_faults(versions: list[str], past: Past) -> Iterator[Fault]:
    if not versions:
        yield Fault.required(_REVIEWS)
        return
    for index, version in enumerate(versions):
        if version in versions[:index]:
            yield Fault.invalid(_REVIEWS.index(index), version, "duplicate version")
            continue
        for problem in dns_1035_label(version):
            yield Fault.invalid(_REVIEWS.index(index), version, problem)
    if not past.any_reviews and not any(version in REVIEWS for version in versions):
        detail = f"must include at least one of {', '.join(REVIEWS)}"
        yield Fault.invalid(_REVIEWS, versions, detail)
