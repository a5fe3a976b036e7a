from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Quantity
from windlass.apiserver.admission.claim import class_of
from windlass.apiserver.quota.amount import ONE, Amounts, read
from windlass.apiserver.quota.meter import Meter

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.apiserver.quota.scope import Scope

Object = dict[str, Any]

_CLAIMS: Final = "persistentvolumeclaims"
_STORAGE: Final = "requests.storage"
_OF_CLASS: Final = ".storageclass.storage.k8s.io/"


class ClaimMeter(Meter):
    """A claim uses storage, which may be limited for each storage class."""

    alike = False

    def __init__(self, group: str, plural: str) -> None:
        super().__init__(group, plural)
        self.names = frozenset({self.count, _CLAIMS, _STORAGE})

    @override
    def measures(self, name: str) -> bool:
        return name in self.names or name.endswith((_OF_CLASS + _CLAIMS, _OF_CLASS + _STORAGE))

    @override
    def handles(self, subresource: str, obj: Object, old: Object | None) -> bool:
        return subresource in ("", "status")

    @override
    def usage(self, obj: Object, now: datetime) -> Amounts:
        plain = {_CLAIMS: ONE}
        size = _size(obj)
        if size is not None:
            plain[_STORAGE] = size
        name = class_of(obj)
        of_class = {f"{name}{_OF_CLASS}{each}": amount for each, amount in plain.items()} if name else {}
        return {self.count: ONE, **plain, **of_class}

    @override
    def matches(self, scope: Scope, obj: Object) -> bool:
        return scope.name == "VolumeAttributesClass" and scope.selects_any(_attribute_classes(obj))


def _size(claim: Object) -> Quantity | None:
    """The storage that a claim asks for, or that is set aside for it if that is more, in whole bytes."""
    asked = read((claim["spec"].get("resources") or {}).get("requests")).get("storage")
    if asked is None:
        return None
    aside = read(claim.get("status", {}).get("allocatedResources")).get("storage")
    size = aside if aside is not None and aside > _whole(asked) else asked
    return _whole(size)


def _whole(size: Quantity) -> Quantity:
    return size if size == int(size) else Quantity(int(size))


def _attribute_classes(claim: Object) -> set[str]:
    """The classes of volume attributes that a claim has, wants or is being given."""
    status = claim.get("status", {})
    names = (
        claim["spec"].get("volumeAttributesClassName"),
        status.get("currentVolumeAttributesClassName"),
        (status.get("modifyVolumeStatus") or {}).get("targetVolumeAttributesClassName"),
    )
    return {name for name in names if name}
