"""CSIDriver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.token_request import token_life
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_GROUP_POLICIES: Final = ("File", "None", "ReadWriteOnceWithFSType")
_LIVES: Final = ("Persistent", "Ephemeral")
_SHORTEST_PERIOD: Final = 10
_NEEDED: Final = {
    "attachRequired": "attachedRequired",
    "podInfoOnMount": "podInfoOnMount",
    "storageCapacity": "storageCapacity",
}
"""What must be said, and where its absence is complained about."""


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A CSIDriver; whether it attaches, and how long its volumes live, stays."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    spec, before = obj.get("spec", {}), (old or {}).get("spec", {})
    yield from _validate_spec(spec)
    if old is not None:
        attaches, path = spec.get("attachRequired"), _SPEC.child("attachedRequired")
        if attaches != before.get("attachRequired"):
            yield Fault.invalid(path, attaches, "field is immutable")
        lives = spec.get("volumeLifecycleModes"), before.get("volumeLifecycleModes")
        yield from validate_unchanged(*lives, _SPEC.child("volumeLifecycleModes"))


def _validate_spec(spec: Object) -> Iterator[Fault]:
    for name, blamed in _NEEDED.items():
        if spec.get(name) is None:
            yield Fault.required(_SPEC.child(blamed))
    policy = spec.get("fsGroupPolicy")
    if policy is not None and policy not in _GROUP_POLICIES:
        yield Fault.not_supported(_SPEC.child("fsGroupPolicy"), policy, _GROUP_POLICIES)
    yield from _validate_tokens(spec.get("tokenRequests") or ())
    for life in spec.get("volumeLifecycleModes") or ():
        if life not in _LIVES:
            yield Fault.not_supported(_SPEC.child("volumeLifecycleModes"), life, _LIVES)
    if spec.get("seLinuxMount") is None:
        yield Fault.required(_SPEC.child("seLinuxMount"))
    period = spec.get("nodeAllocatableUpdatePeriodSeconds")
    if period is not None and period < _SHORTEST_PERIOD:
        detail = f"must be greater than or equal to {_SHORTEST_PERIOD} seconds"
        yield Fault.invalid(_SPEC.child("nodeAllocatableUpdatePeriodSeconds"), period, detail)
    in_secrets = spec.get("serviceAccountTokenInSecrets")
    if in_secrets is not None and not spec.get("tokenRequests"):
        detail = "serviceAccountTokenInSecrets is set but no tokenRequests are specified"
        yield Fault.invalid(_SPEC.child("serviceAccountTokenInSecrets"), in_secrets, detail)


def _validate_tokens(requests: Sequence[Object]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, request in enumerate(requests):
        audience, path = request.get("audience", ""), _SPEC.child("tokenRequests").index(index)
        if audience in seen:
            yield Fault.duplicate(path.child("audience"), audience)
            continue
        seen.add(audience)
        seconds = request.get("expirationSeconds")
        for problem in token_life(seconds) if seconds is not None else ():
            yield Fault.invalid(path.child("expirationSeconds"), seconds, problem)
