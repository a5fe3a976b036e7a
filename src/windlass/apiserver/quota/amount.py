"""Amounts of resources by their names, as quotas have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import Quantity
from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

Amounts = dict[str, Quantity]

ONE: Final = Quantity("1")
ZERO: Final = Quantity("0")


def read(texts: Mapping[str, Any] | None) -> Amounts:
    """Amounts as an object has them."""
    return {name: quantity(text) for name, text in (texts or {}).items()}


def written(amounts: Amounts) -> dict[str, str]:
    """Amounts as an object has them: in order, and in the canonical form."""
    return {name: str(amounts[name]) for name in sorted(amounts)}


def only(amounts: Amounts, names: Container[str]) -> Amounts:
    """The amounts of some names."""
    return {name: amount for name, amount in amounts.items() if name in names}


def added(one: Amounts, other: Amounts) -> Amounts:
    """The sum of two."""
    result = dict(one)
    for name, amount in other.items():
        result[name] = result[name] + amount if name in result else amount
    return result


def excess(one: Amounts, other: Amounts) -> Amounts:
    """By how much the one is larger than the other, where it is."""
    differences = {name: amount - other.get(name, ZERO) for name, amount in one.items()}
    return {name: difference for name, difference in differences.items() if difference > 0}


def shown(amounts: Amounts) -> str:
    """Amounts as messages tell them: `cpu=1,memory=2Gi`."""
    return ",".join(f"{name}={text}" for name, text in written(amounts).items())
