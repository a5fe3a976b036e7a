from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Collection

    from windlass.apiserver.route import Route

_VERBS = frozenset({"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"})


@dataclass(frozen=True, kw_only=True)
class Scope:
    """Which requests are meant: those that fit everything that is said; what is not said is anything.

    `verbs`: as roles know them: get, list, watch, create, update, patch, delete, deletecollection.
    `resource`: `configmaps`, or with its group `deployments.apps`.
    `subresource`: `status`; requests for the object itself have none.
    `namespace`, `name`: of the object. A request for all namespaces is in none.
    `user`: who asks; only a server knows that.

    A request that is for no resource, such as discovery, is meant only if nothing but the user is said.

    Raises:
        ConfigError: there is no such verb.
    """

    verbs: Collection[str] | None = None
    resource: str | None = None
    subresource: str | None = None
    namespace: str | None = None
    name: str | None = None
    user: str | None = None

    def __post_init__(self) -> None:
        if self.verbs is None:
            return
        object.__setattr__(self, "verbs", frozenset(self.verbs))  # one that can be compared and hashed
        if unknown := sorted(set(self.verbs) - _VERBS):
            raise ConfigError(f"verbs: {', '.join(unknown)} is none; choose from {', '.join(sorted(_VERBS))}")

    def covers(self, route: Route | None, user: str = "") -> bool:
        """Whether a request is meant."""
        if self.user is not None and self.user != user:
            return False
        if route is None:
            return all(getattr(self, each.name) is None for each in fields(self) if each.name != "user")
        if self.verbs is not None and route.verb not in self.verbs:
            return False
        resource = f"{route.plural}.{route.group}" if route.group else route.plural
        wanted = (self.resource, self.subresource, self.namespace, self.name)
        found = (resource, route.subresource, route.namespace, route.name)
        return all(want is None or want == find for want, find in zip(wanted, found, strict=True))
