"""kubectl's annotation of client-side applies: what it lets kubectl take over, and keeping it in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import orjson

from windlass.schema.golang import json_text
from windlass.schema.ownership.comparison import compared
from windlass.schema.ownership.extent import given
from windlass.schema.ownership.fit import misfits
from windlass.schema.ownership.tree import Tree, difference

if TYPE_CHECKING:
    from windlass.schema.ownership.rules import Object, Rules

_ANNOTATION: Final = "kubectl.kubernetes.io/last-applied-configuration"
_LARGEST_ANNOTATIONS: Final = 256 * 1024


def untouched(live: Object, api_version: str, rules: Rules) -> Tree:
    """The fields that the last client-side apply set, as far as is known, and nobody changed since."""
    atom = rules.atom(api_version)
    try:
        last = orjson.loads(_annotations(live).get(_ANNOTATION, ""))
    except ValueError:
        return {}
    is_same_kind = isinstance(last, dict) and (last.get("apiVersion"), last.get("kind")) == (
        api_version,
        live.get("kind"),
    )
    if not is_same_kind or misfits(last, atom) or misfits(live, atom):
        return {}
    change = compared(last, live, atom)
    return difference(difference(given(last, atom) or {}, change.gained), change.removed)


def refresh(new: Object, config: Object) -> None:
    """Bring the annotation of an object up to date, if it has one, with what kubectl now applied."""
    annotations = _annotations(new)
    if not annotations.get(_ANNOTATION):
        return
    applied = dict(config)
    if _ANNOTATION in (before := _annotations(config)):
        rest = {name: value for name, value in before.items() if name != _ANNOTATION}
        applied["metadata"] = {**config["metadata"], "annotations": rest}
    annotations[_ANNOTATION] = f"{json_text(applied)}\n"
    size = sum(len(f"{name}{value or ''}".encode()) for name, value in annotations.items())
    if size > _LARGEST_ANNOTATIONS:
        del annotations[_ANNOTATION]


def _annotations(value: Object) -> dict[str, str]:
    return (value.get("metadata") or {}).get("annotations") or {}
