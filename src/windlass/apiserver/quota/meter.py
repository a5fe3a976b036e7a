"""What the objects of a resource use: one of each in most cases, and more of some."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.quota.amount import ONE, Amounts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.apiserver.quota.scope import Scope

Object = dict[str, Any]

_COUNT: Final = "count/"
_OLDER_NAMES: Final = frozenset({"configmaps", "replicationcontrollers", "resourcequotas", "secrets"})
"""Core resources that are counted under their plain names too."""
_UNCOUNTED: Final = frozenset({"/bindings", "/componentstatuses", "/events", "events.k8s.io/events"})
_HOME: Final = "windlass.apiserver.quota"
_OWN: Final = {
    "/persistentvolumeclaims": f"{_HOME}.claim:ClaimMeter",
    "/pods": f"{_HOME}.pod:PodMeter",
    "/services": f"{_HOME}.service:ServiceMeter",
}
"""Resources that use more than their number, each with the module and the class of its meter."""


class Meter:
    """Measures objects of a resource: by default, it counts them when they are created.

    `collection` is where they are kept; `names` are those under which what they use is limited. Where all of
    them are `alike`, none of them needs to be looked at.
    """

    alike = True

    def __init__(self, group: str, plural: str) -> None:
        self.collection = f"{group}/{plural}"
        self.count = f"{_COUNT}{plural}.{group}" if group else f"{_COUNT}{plural}"
        """The name under which the number of objects is limited."""
        older = {plural} if not group and plural in _OLDER_NAMES else set[str]()
        self.names = frozenset({self.count} | older)

    def measures(self, name: str) -> bool:
        """Whether objects of this resource use what a quota calls by a name."""
        return name in self.names

    def handles(self, subresource: str, obj: Object, old: Object | None) -> bool:  # noqa: ARG002 - for some
        """Whether a write may raise what is used."""
        return old is None and not subresource

    def usage(self, obj: Object, now: datetime) -> Amounts:  # noqa: ARG002 - for resources that use more
        """What an object uses."""
        return dict.fromkeys(self.names, ONE)

    def matches(self, scope: Scope, obj: Object) -> bool:  # noqa: ARG002 - for resources that scopes know
        """Whether an object is in a scope."""
        return False

    def unsaid(self, names: Iterable[str], obj: Object) -> str:  # noqa: ARG002 - for resources that must say
        """What an object must say, and does not, when a quota limits the resources of these names."""
        return ""


@lru_cache(maxsize=1024)
def meter_of(group: str, plural: str) -> Meter | None:
    """What measures the objects of a resource, `None` where nobody counts them."""
    resource = f"{group}/{plural}"
    if resource in _UNCOUNTED:
        return None
    home = _OWN.get(resource)
    if home is None:
        return Meter(group, plural)
    module, _, class_name = home.partition(":")
    made: Meter = getattr(import_module(module), class_name)(group, plural)
    return made


@lru_cache(maxsize=1024)
def meter_named(name: str) -> Meter | None:
    """What measures that which a quota calls by a name, `None` where nothing does."""
    for resource in (*_OWN, *(f"/{plural}" for plural in _OLDER_NAMES)):
        meter = meter_of("", resource[1:])
        if meter and meter.measures(name):
            return meter
    if not name.startswith(_COUNT):
        return None
    plural, _, group = name.removeprefix(_COUNT).partition(".")
    return meter_of(group, plural)
