"""What an answer says about defaults: for each structure, which absent fields it has got, and which not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .exception import BEYOND, RULES
from .manifest import OUTSIDE, short, structure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema import Shape

Json = dict[str, Any]
MISSING: Final = "(missing)"
"""What an absent field has got when it has got nothing; no default looks like this."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One field of one structure that a request did not have, or that came back changed.

    `place`: the definition and the field that the structure is in; of a root, the root itself.
    `got`: what the answer has there.
    """

    definition: str
    place: tuple[str, str]
    field: str
    got: Any
    changed: bool = False


def excepted(definition: str, field: str) -> bool:
    """Whether a field is known not to belong into the table."""
    name = f"{definition.rpartition('.')[2]}.{field}"
    return name in RULES or name in BEYOND


def sights(root: Shape, sent: Json, got: Json) -> Iterator[Sight]:
    """Everything that one answer shows, but for what every object has."""
    yield from _structure(root, (root.name, ""), sent, got)


def _structure(shape: Shape, place: tuple[str, str], sent: Json, got: Json) -> Iterator[Sight]:
    for name, field in shape.properties.items():
        if not place[1] and name in OUTSIDE - {"status"}:
            continue
        if name in sent:
            yield from _given(shape, place, name, sent[name], got.get(name, MISSING))
        elif name not in got:
            yield Sight(shape.name, place, name, MISSING)
        elif field.properties and isinstance(got[name], dict):
            yield Sight(shape.name, place, name, {})
            if short(field) != "ObjectMeta" and not excepted(shape.name, name):
                yield from _structure(field, (shape.name, name), {}, got[name])
        else:
            yield Sight(shape.name, place, name, got[name])


def _given(shape: Shape, place: tuple[str, str], name: str, sent: Any, got: Any) -> Iterator[Sight]:
    field = shape.properties[name]
    inner = structure(field)
    if inner is None or short(inner) == "ObjectMeta":
        if sent != got:
            yield Sight(shape.name, place, name, got, changed=True)
        return
    before, after = _members(inner is field, sent), _members(inner is field, got)
    if len(before) != len(after):
        yield Sight(shape.name, place, name, got, changed=True)
        return
    for one, other in zip(before, after, strict=True):
        yield from _structure(inner, (shape.name, name), one, other)


def _members(alone: bool, held: Any) -> list[Json]:  # noqa: FBT001 - a private helper
    if not isinstance(held, (dict, list)):
        return []
    if isinstance(held, list):
        return held
    return [held] if alone else [held[key] for key in sorted(held)]
