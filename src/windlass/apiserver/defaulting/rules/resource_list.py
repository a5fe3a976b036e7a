"""Amounts of resources: nothing finer than a thousandth, which is rounded up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.defaulting.plan import Rule

_CORE: Final = "io.k8s.api.core.v1"
_FIELDS: Final = {
    "ContainerStatus": ("allocatedResources",),
    "LimitRangeItem": ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio"),
    "NodeStatus": ("capacity", "allocatable"),
    "PersistentVolumeClaimStatus": ("capacity", "allocatedResources"),
    "PersistentVolumeSpec": ("capacity",),
    "PodSpec": ("overhead",),
    "PodStatus": ("allocatedResources",),
    "ResourceQuotaSpec": ("hard",),
    "ResourceQuotaStatus": ("hard", "used"),
    "ResourceRequirements": ("limits", "requests"),
    "VolumeResourceRequirements": ("limits", "requests"),
}


def rounding(*fields: str) -> Rule:
    """The rule that rounds the amounts in some fields of a structure."""

    def rounded(structure: dict[str, Any]) -> None:
        for field in fields:
            amounts = structure.get(field)
            if amounts:
                for name, amount in amounts.items():
                    if _may_be_finer(amount):
                        amounts[name] = thousandths(amount)

    return rounded


def _may_be_finer(amount: Any) -> bool:
    """Whether an amount may have to be rounded; most are told from their last letter."""
    return isinstance(amount, str) and (amount[-1:] in ("n", "u") or "." in amount or "e-" in amount.lower())


def thousandths(amount: str) -> str:
    """An amount rounded up to thousandths, in its canonical form."""
    from windlass.api import Quantity  # few amounts come this far

    quantity = Quantity(amount)
    exact = quantity.to_decimal() * 1000
    whole = int(exact)
    if whole != exact:
        whole += 1 if exact > 0 else -1
        quantity = Quantity(f"{whole}e-3" if "e" in amount.lower() else f"{whole}m")
    return str(quantity)


RULES: Final = {f"{_CORE}.{name}": (rounding(*fields),) for name, fields in _FIELDS.items()}
