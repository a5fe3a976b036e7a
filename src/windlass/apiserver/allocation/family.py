"""The address families of a service, settled before it gets its addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.network import read_address
from windlass.apiserver.validation.service_address import validate_cluster_addresses
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

Spec = dict[str, Any]

_SPEC: Final = Path("spec")
_POLICY: Final = _SPEC.child("ipFamilyPolicy")
_DEFAULT: Final = "IPv4"
_SERVED: Final = (_DEFAULT,)
_SINGLE: Final = "SingleStack"
_BOTH: Final = 2


def settle_families(spec: Spec, old: Spec | None) -> list[Fault]:
    """Set the families of a service and their policy, as far as it leaves them open.

    `old` is what the service was; the faults are those that leave no sense in asking for addresses.
    """
    if spec.get("type") == "ExternalName" or (old is not None and is_settled(spec, old)):
        return []
    spec.setdefault("ipFamilyPolicy", _policy(spec, old or {}))
    faults = list(validate_cluster_addresses(spec, old or {}))
    if faults:
        return faults
    if old is not None:
        faults = list(_reduce(spec, old))
    faults += _contradictions(spec)
    faults += _infer(spec)
    if faults:
        return faults
    if spec.get("clusterIP") == "None" and not spec.get("selector"):
        _settle_loose(spec)
        return []
    faults = list(_unserved(spec))
    if not faults and not spec.get("ipFamilies"):
        spec["ipFamilies"] = [_DEFAULT]
    return faults


def is_settled(spec: Spec, old: Spec) -> bool:
    """Whether a service that prefers two families stays as it is: it gains and loses none by itself."""
    return (
        spec.get("ipFamilyPolicy") == "PreferDualStack"
        and old.get("ipFamilyPolicy") in (None, "PreferDualStack")
        and spec.get("type") == old.get("type") in ("ClusterIP", "NodePort", "LoadBalancer")
        and same(spec, old, "clusterIPs")
        and same(spec, old, "ipFamilies")
    )


def same(spec: Spec, old: Spec, name: str) -> bool:
    """Whether a list is the same in both."""
    return (spec.get(name) or []) == (old.get(name) or [])


def _policy(spec: Spec, old: Spec) -> str:
    if "ipFamilyPolicy" in old:
        return str(old["ipFamilyPolicy"])
    # Who has no selector says nothing about the families of what will be behind the service.
    loose = spec.get("clusterIP") == "None" and not spec.get("selector")
    return "RequireDualStack" if loose else _SINGLE


def _reduce(spec: Spec, old: Spec) -> Iterator[Fault]:
    """Give a second family up where that is meant, and complain where it only seems to be."""
    parts = (("clusterIPs", "cluster IP"), ("ipFamilies", "IP family"))
    if spec["ipFamilyPolicy"] == _SINGLE:
        for name, _ in parts:
            if same(spec, old, name) and len(spec.get(name) or ()) > 1:
                spec[name] = spec[name][:1]
        return
    for name, what in parts:
        if spec.get(name) and len(spec[name]) < len(old.get(name) or ()):
            detail = f"must be 'SingleStack' to release the secondary {what}"
            yield Fault.invalid(_POLICY, spec["ipFamilyPolicy"], detail)


def _contradictions(spec: Spec) -> Iterator[Fault]:
    if spec["ipFamilyPolicy"] != _SINGLE:
        return
    for name, what in (("clusterIPs", "cluster IPs"), ("ipFamilies", "IP families")):
        if len(spec.get(name) or ()) == _BOTH:
            detail = f"must be 'RequireDualStack' or 'PreferDualStack' when multiple {what} are specified"
            yield Fault.invalid(_POLICY, _SINGLE, detail)


def _infer(spec: Spec) -> Iterator[Fault]:
    """Take the families from the addresses that are asked for."""
    addresses = spec.get("clusterIPs") or []
    for index, text in enumerate(addresses):
        address = read_address(text) if text != "None" else None
        if address is None:
            return
        if index < len(spec.get("ipFamilies") or ()):
            continue
        family = f"IPv{address.version}"
        if family in _SERVED:
            spec.setdefault("ipFamilies", []).append(family)
        else:
            detail = f"{family} is not configured on this cluster"
            yield Fault.invalid(_SPEC.child("clusterIPs").index(index), addresses, detail)


def _settle_loose(spec: Spec) -> None:
    """A service without addresses and selector may claim families that the cluster does not serve."""
    families = spec.setdefault("ipFamilies", [_DEFAULT])
    if len(families) < _BOTH and spec["ipFamilyPolicy"] != _SINGLE:
        families.append("IPv6" if families[0] == "IPv4" else "IPv4")


def _unserved(spec: Spec) -> Iterator[Fault]:
    if spec["ipFamilyPolicy"] == "RequireDualStack":
        detail = "this cluster is not configured for dual-stack services"
        yield Fault.invalid(_POLICY, "RequireDualStack", detail)
    for index, family in enumerate(spec.get("ipFamilies") or ()):
        if family not in _SERVED:
            yield Fault.invalid(
                _SPEC.child("ipFamilies").index(index), family, "not configured on this cluster"
            )
