"""The webhooks that are configured."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.derived import Derived
from windlass.apiserver.admission.match import Match
from windlass.apiserver.outside import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.store import Collection, Record

Object = dict[str, Any]

_HARMLESS: Final = ("None", "NoneOnDryRun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One webhook of a configuration. `uid` tells it from all others."""

    name: str
    configuration: str
    uid: str
    match: Match
    conditions: tuple[Object, ...]
    target: Target
    limit: timedelta
    ignores_failure: bool
    harmless: bool
    reinvoked: bool
    versions: tuple[str, ...]


def hooks_of(configurations: Collection) -> tuple[Hook, ...]:
    """Every webhook, in the order in which they are asked: by the names of their configurations."""
    return _HOOKS.of(configurations)


def _parsed(configurations: Collection) -> tuple[Hook, ...]:
    return tuple(hook for record in configurations.page().records for hook in _hooks(record))


def _hooks(record: Record) -> Iterator[Hook]:
    for index, each in enumerate(record.object().get("webhooks") or ()):
        yield Hook(
            name=each["name"],
            configuration=record.name,
            uid=f"{record.name}/{each['name']}/{index}",
            match=Match.of_webhook(each),
            conditions=tuple(each.get("matchConditions") or ()),
            target=Target.of(each["clientConfig"]),
            limit=timedelta(seconds=each.get("timeoutSeconds", 10)),
            ignores_failure=each.get("failurePolicy") == "Ignore",
            harmless=each.get("sideEffects") in _HARMLESS,
            reinvoked=each.get("reinvocationPolicy") == "IfNeeded",
            versions=tuple(each.get("admissionReviewVersions") or ()),
        )


_HOOKS: Final = Derived(_parsed)
