"""An object with some of its fields set by somebody who does not come to own them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.ownership.atom import Unfit
from windlass.schema.ownership.combination import merged
from windlass.schema.ownership.fit import misfits, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema.ownership.atom import Atom

Object = dict[str, Any]


def overlaid(live: Object, config: Object, atom: Atom) -> Object:
    """An object with a configuration merged into it; it shares nothing with either.

    Unlike an apply, it takes nothing away, and may not set what would be replaced as a whole: who names some
    fields of that seldom means to remove the others.

    Raises:
        Unfit: the configuration or the object does not fit the schema, or it sets what is atomic.
    """
    if faults := misfits(config, atom):
        raise Unfit(f"failed to convert patch object to typed object: {told(faults)}")
    if atomics := list(_atomics(config, atom, "")):
        named = ", ".join(atomics)
        raise Unfit(f"invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {named}")
    if faults := misfits(live, atom, doubles=True):
        raise Unfit(f"failed to convert original object to typed object: {told(faults)}")
    found: Object = merged(live, config, atom)
    return found


def _atomics(value: Any, atom: Atom, path: str) -> Iterator[str]:
    """The paths of what is replaced as a whole; the values of maps are not looked into."""
    if isinstance(value, dict) and (mapping := atom.mapping) is not None:
        if mapping.atomic:
            yield path
        for name, held in value.items():
            if name in mapping.named:
                yield from _atomics(held, mapping.fields[name][1], f"{path}.{name}")
    if isinstance(value, list) and (listing := atom.listing) is not None:
        if listing.atomic:
            yield path
        for index, item in enumerate(value):
            yield from _atomics(item, listing.item, f"{path}[{index}]")
