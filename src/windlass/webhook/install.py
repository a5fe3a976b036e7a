"""Configurations in the cluster as they are declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.client import MergePatch
from windlass.errors import NotFound
from windlass.reconcile import Rule
from windlass.schema import alike
from windlass.webhook.configuration import configurations, conversion_clause, definition_name
from windlass.webhook.conversion import Conversion
from windlass.webhook.declare import Webhook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.webhook.configuration import Part
    from windlass.webhook.place import Place

MANAGER: Final = "windlass-webhooks"
"""The field manager of what is installed: processes of one operator agree on it."""


async def install_webhooks(client: Client, parts: Sequence[Part], place: Place) -> None:
    """Make configurations, and the conversion of definitions, be as declared; what is so is not written.

    Raises:
        ApiError: the server refuses; NotFound if the definition of a kind that is converted is not there.
    """
    for wanted in configurations(parts, place):
        if not await _is_there(client, wanted):
            await client.using(field_manager=MANAGER).apply(wanted, force=True)
    for part in parts:
        if isinstance(part, Conversion):
            await _converted(client, part, place)


def install_rules(parts: Sequence[Part]) -> tuple[Rule, ...]:
    """What `install_webhooks` has to be allowed."""
    from windlass.kinds.admissionregistration.v1 import (
        MutatingWebhookConfiguration,
        ValidatingWebhookConfiguration,
    )
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    verbs = ("get", "create", "patch")
    rules = []
    if any(isinstance(each, Webhook) and each.mutates for each in parts):
        rules.append(Rule.on(MutatingWebhookConfiguration, *verbs))
    if any(isinstance(each, Webhook) and not each.mutates for each in parts):
        rules.append(Rule.on(ValidatingWebhookConfiguration, *verbs))
    if any(isinstance(each, Conversion) for each in parts):
        rules.append(Rule.on(CustomResourceDefinition, "get", "patch"))
    return tuple(rules)


async def _is_there(client: Client, wanted: Resource) -> bool:
    try:
        live = await client.get(type(wanted), wanted.metadata.name)
    except NotFound:
        return False
    return _covers(live.to_wire(), wanted.to_wire())


async def _converted(client: Client, part: Conversion[Any], place: Place) -> None:
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    name, clause = definition_name(part), conversion_clause(part, place)
    definition = await client.get(CustomResourceDefinition, name)
    if not _covers(definition.to_wire()["spec"].get("conversion", {}), clause):
        change: Json = {"spec": {"conversion": clause}}
        await client.patch(CustomResourceDefinition, name, MergePatch(change))


def _covers(live: Any, wanted: Any) -> bool:
    """Whether all that is wanted is there; the server adds defaults, but no items to our lists."""
    if isinstance(live, dict) and isinstance(wanted, dict):
        return all(name in live and _covers(live[name], value) for name, value in wanted.items())
    if isinstance(live, list) and isinstance(wanted, list) and len(live) == len(wanted):
        return all(map(_covers, live, wanted))
    return alike(live, wanted)
