"""Configurations from declarations: what tells the API server whom to ask, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.api import LabelSelector, LabelSelectorRequirement, ObjectMeta
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Resource
    from windlass.kinds.admissionregistration.v1 import MutatingWebhook, ValidatingWebhook
    from windlass.webhook.place import Place

Part = Webhook[Any] | Conversion[Any]
"""What a webhook server answers for."""


def hooks_of(parts: Sequence[Part]) -> list[Webhook[Any]]:
    """The webhooks among parts, and those that come with a conversion."""
    found: list[Webhook[Any]] = []
    for part in parts:
        found += [part] if isinstance(part, Webhook) else part.guards
    return found


_NAMESPACE_NAME: Final = "kubernetes.io/metadata.name"
_NEVER: Final = "kube-system"
REVIEW_VERSIONS: Final = ("v1",)


def configurations(parts: Sequence[Part], place: Place) -> list[Resource]:
    """The configurations of these webhooks, at most one of those that change and one of those that judge.

    They are called `<operator>-mutating-webhook-configuration` and `<operator>-validating-…`; the webhooks of
    each are sorted by name. Conversions have none: see `conversion_clause`.
    """
    from windlass.kinds.admissionregistration.v1 import (
        MutatingWebhookConfiguration,
        ValidatingWebhookConfiguration,
    )

    hooks = sorted(hooks_of(parts), key=lambda hook: hook.name)
    found: list[Resource] = []
    if changing := [_mutating(each, place) for each in hooks if each.mutates]:
        metadata = _metadata(place, "mutating")
        found.append(MutatingWebhookConfiguration(metadata=metadata, webhooks=changing))
    if judging := [_validating(each, place) for each in hooks if not each.mutates]:
        metadata = _metadata(place, "validating")
        found.append(ValidatingWebhookConfiguration(metadata=metadata, webhooks=judging))
    return found


def configuration_name(operator: str, sort: Literal["mutating", "validating"]) -> str:
    """What a configuration is called."""
    return f"{operator}-{sort}-webhook-configuration"


def conversion_clause(part: Conversion[Any], place: Place) -> Json:
    """The `spec.conversion` of the custom resource definition whose versions a part converts."""
    return {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": place.client(part.path),
            "conversionReviewVersions": list(REVIEW_VERSIONS),
        },
    }


def definition_name(part: Conversion[Any]) -> str:
    """The name of the custom resource definition whose versions a part converts."""
    kind = part.hub.__kind__
    return f"{kind.plural}.{kind.group}"


def _metadata(place: Place, what: Literal["mutating", "validating"]) -> ObjectMeta:
    metadata = ObjectMeta(name=configuration_name(place.name, what))
    if place.annotations:
        metadata.annotations = dict(place.annotations)
    return metadata


def _mutating(hook: Webhook[Any], place: Place) -> MutatingWebhook:
    from windlass.kinds.admissionregistration.v1 import MutatingWebhook

    again = "IfNeeded" if hook.options.reinvoke else "Never"
    return MutatingWebhook.from_wire(_common(hook, place) | {"reinvocationPolicy": again})


def _validating(hook: Webhook[Any], place: Place) -> ValidatingWebhook:
    from windlass.kinds.admissionregistration.v1 import ValidatingWebhook

    return ValidatingWebhook.from_wire(_common(hook, place))


def _common(hook: Webhook[Any], place: Place) -> Json:
    """What both sorts of webhooks have, as it is written."""
    options = hook.options
    said: dict[str, Any] = {
        "name": hook.name,
        "admissionReviewVersions": list(REVIEW_VERSIONS),
        "clientConfig": place.client(hook.path),
        "rules": [_rule(hook)],
        "failurePolicy": options.failure,
        "matchPolicy": options.match,
        "sideEffects": options.side_effects,
        "timeoutSeconds": int(options.timeout.total_seconds()),
    }
    if selector := _namespaces(hook, place):
        said["namespaceSelector"] = selector.to_wire()
    if options.objects is not None:
        said["objectSelector"] = options.objects.to_wire()
    if options.conditions:
        said["matchConditions"] = [
            {"name": name, "expression": expression} for name, expression in options.conditions.items()
        ]
    return said


def _rule(hook: Webhook[Any]) -> Json:
    kind, subresource = hook.of.__kind__, hook.options.subresource
    return {
        "apiGroups": [kind.group],
        "apiVersions": [kind.version],
        "operations": list(hook.operations),
        "resources": [f"{kind.plural}/{subresource}" if subresource else kind.plural],
    }


def _namespaces(hook: Webhook[Any], place: Place) -> LabelSelector | None:
    """The user's selector, joined with what keeps a webhook from holding up its own way back."""
    said = hook.options.namespaces or LabelSelector()
    terms = list(said.match_expressions)
    if not hook.options.everywhere:
        own = (place.service.namespace,) if place.service else ()
        terms.append(_named("NotIn", *sorted({_NEVER, *own})))
    if place.namespaces:
        terms.append(_named("In", *place.namespaces))
    if not terms and hook.options.namespaces is None:
        return None
    selector = LabelSelector()
    if said.match_labels:
        selector.match_labels = dict(said.match_labels)
    if terms:
        selector.match_expressions = terms
    return selector


def _named(operator: str, *names: str) -> LabelSelectorRequirement:
    return LabelSelectorRequirement(key=_NAMESPACE_NAME, operator=operator, values=list(names))
