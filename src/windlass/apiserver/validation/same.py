"""Whether two values mean the same to the server, however they are written."""

from __future__ import annotations

from typing import Any, Final

from windlass.apiserver.validation.resource import quantity

_AMOUNTS: Final = frozenset({"limits", "requests", "overhead", "capacity", "allocatedResources", "hard"})
_AMOUNT: Final = frozenset({"sizeLimit", "divisor", "storage"})


def same(new: Any, old: Any) -> bool:
    """Equal but for the spelling of quantities: `1000m` is `1`; an empty list is none.

    An empty object is something, or it would not have been kept: Go has a pointer there.
    """
    return bool(new == old) or _same(new, old, amounts=False)


def _same(new: Any, old: Any, *, amounts: bool) -> bool:
    if new == old or (not new and not old and _is_listed(new) and _is_listed(old)):
        return True
    if isinstance(new, dict) and isinstance(old, dict):
        return all(
            _same(new.get(key), old.get(key), amounts=key in _AMOUNTS or (amounts or key in _AMOUNT))
            for key in new.keys() | old.keys()
        )
    if isinstance(new, list) and isinstance(old, list):
        pairs = zip(new, old, strict=False)
        return len(new) == len(old) and all(_same(one, two, amounts=amounts) for one, two in pairs)
    return amounts and _same_amount(new, old)


def _is_listed(value: Any) -> bool:
    return value is None or isinstance(value, list)


def _same_amount(new: Any, old: Any) -> bool:
    try:
        return quantity(new) == quantity(old)
    except (TypeError, ValueError):
        return False
