"""ServiceCIDR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import IMMUTABLE, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.network import read_range, validate_canonical_range
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_RANGES: Final = Path("spec").child("cidrs")
_FAMILIES: Final = 2
_ONE_EACH: Final = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A ServiceCIDR: a range for each family of addresses. A second one may be added, the first one stays."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    ranges = _ranges(obj)
    if old is None:
        yield from _validate_ranges(ranges)
        return
    before = _ranges(old)
    growing = (len(before), len(ranges)) == (1, _FAMILIES)
    if len(before) != len(ranges) and not growing:
        yield Fault.invalid(_RANGES, ranges or None, IMMUTABLE)
        return
    for index, (new, known) in enumerate(zip(ranges, before, strict=False)):
        if new != known:
            yield Fault.invalid(_RANGES.index(index), new, IMMUTABLE)
    if growing:
        yield from _validate_ranges(ranges)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """Whether the ranges are in use."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)


def _validate_ranges(ranges: Sequence[str]) -> Iterator[Fault]:
    if not ranges:
        yield Fault.required(_RANGES, "at least one CIDR required")
        return
    if len(ranges) > _FAMILIES:
        yield Fault.invalid(_RANGES, {"CIDRs": ranges}, f"may only hold up to {_FAMILIES} values")
        return
    for index, text in enumerate(ranges):
        yield from validate_canonical_range(text, _RANGES.index(index))
    versions = [found.version for text in ranges if (found := read_range(text))]
    if len(versions) == _FAMILIES and len(set(versions)) == 1:
        yield Fault.invalid(_RANGES, ranges, _ONE_EACH)


def _ranges(obj: Object) -> list[str]:
    ranges: list[str] = obj.get("spec", {}).get("cidrs") or []
    return ranges
