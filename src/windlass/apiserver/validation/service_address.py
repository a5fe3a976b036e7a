"""The cluster addresses of a Service and their families."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.network import is_dual_stack, read_address
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Spec = Mapping[str, Any]

_SPEC: Final = Path("spec")
_ADDRESSES: Final = _SPEC.child("clusterIPs")
_FAMILIES: Final = _SPEC.child("ipFamilies")
_POLICY: Final = _SPEC.child("ipFamilyPolicy")
_KNOWN_FAMILIES: Final = ("IPv4", "IPv6")
_KNOWN_POLICIES: Final = ("PreferDualStack", "RequireDualStack", "SingleStack")
_MOST: Final = 2
_SET_ONCE: Final = "may not change once set"


def is_headless(spec: Spec) -> bool:
    """Whether a service asks for no address."""
    return spec.get("clusterIPs") == ["None"]


def validate_cluster_addresses(spec: Spec, old: Spec) -> Iterator[Fault]:
    """Addresses and families, each on its own and beside each other; `old` is empty on creation."""
    if spec.get("type") == "ExternalName":
        return
    addresses, families = spec.get("clusterIPs") or [], spec.get("ipFamilies") or ()
    yield from _validate_first(spec.get("clusterIP", ""), addresses)
    yield from _validate_families(families)
    policy = spec.get("ipFamilyPolicy")
    if policy is not None and policy not in _KNOWN_POLICIES:
        yield Fault.not_supported(_POLICY, policy, _KNOWN_POLICIES)
    faults = list(_validate_each(addresses, old.get("clusterIPs") or ()))
    yield from faults
    if len(addresses) > _MOST:
        yield Fault.invalid(_ADDRESSES, addresses, "may only hold up to 2 values")
    if not faults and addresses and not is_headless(spec):
        yield from _validate_together(addresses, families)


def validate_same_addresses(new: Spec, old: Spec) -> Iterator[Fault]:
    """What an update may do to addresses and families: add a second one, or give the second one up."""
    if "ExternalName" in (new.get("type"), old.get("type")):
        return
    if is_headless(new) and is_headless(old):
        return
    yield from _validate_same_list(new, old, "clusterIPs", "clusterIP")
    if not is_headless(new) and not is_headless(old):
        yield from _validate_same_list(new, old, "ipFamilies", "ipFamily")


def _validate_first(address: str, addresses: Sequence[str]) -> Iterator[Fault]:
    if not address and addresses:
        yield Fault.invalid(_ADDRESSES, addresses, "must be empty when `clusterIP` is not specified")
    elif address and not addresses:
        yield Fault.required(_ADDRESSES)
    elif address and addresses[0] != address:
        yield Fault.invalid(_ADDRESSES, addresses, "first value must match `clusterIP`")


def _validate_families(families: Sequence[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, family in enumerate(families):
        if family not in _KNOWN_FAMILIES:
            yield Fault.not_supported(_FAMILIES.index(index), family, _KNOWN_FAMILIES)
        if family in seen:
            yield Fault.duplicate(_FAMILIES.index(index), family)
        seen.add(family)


def _validate_each(addresses: Sequence[str], kept: Sequence[str]) -> Iterator[Fault]:
    for index, text in enumerate(addresses):
        if index == 0 and text == "None":
            if len(addresses) > 1:
                yield Fault.invalid(_ADDRESSES, addresses, "'None' must be the first and only value")
        else:
            yield from validate_address(text, _ADDRESSES.index(index), kept)


def _validate_together(addresses: Sequence[str], families: Sequence[str]) -> Iterator[Fault]:
    found = [address for address in map(read_address, addresses) if address is not None]
    if len(addresses) > 1 and not is_dual_stack(found):
        yield Fault.invalid(_ADDRESSES, addresses, "may specify no more than one IP for each IP family")
    for index, (text, address, family) in enumerate(zip(addresses, found, families, strict=False)):
        if family in _KNOWN_FAMILIES and family != f"IPv{address.version}":
            detail = f"expected an {family} value as indicated by `ipFamilies[{index}]`"
            yield Fault.invalid(_ADDRESSES.index(index), text, detail)


def _validate_same_list(new: Spec, old: Spec, name: str, what: str) -> Iterator[Fault]:
    before, after = old.get(name) or [], new.get(name) or []
    path = _SPEC.child(name)
    if len(before) == len(after):
        for index, (was, becomes) in enumerate(zip(before, after, strict=True)):
            if was != becomes:
                where = path.index(index if name == "clusterIPs" else 0)
                yield Fault.invalid(where, after, _SET_ONCE)
        return
    addresses = new.get("clusterIPs") or []
    if len(before) > len(after) and not addresses:
        yield Fault.invalid(path.index(0), after, f"primary {what} can not be unset")
    if before and after and before[0] != after[0]:
        yield Fault.invalid(path.index(0), addresses, _SET_ONCE)
    if len(before) > len(after) == 1 and new.get("ipFamilyPolicy") != "SingleStack":
        detail = f"must be set to 'SingleStack' when releasing the secondary {what}"
        yield Fault.invalid(_POLICY, new.get("ipFamilyPolicy"), detail)
