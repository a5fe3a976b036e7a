"""What an operator may do, as data: roles are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from windlass.api import Resource

READ = ("get", "list", "watch")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What may be done to some resources, or to some addresses that are no resources (`urls`).

    With a `namespace` it holds there alone, in a Role; otherwise everywhere, in a ClusterRole, or in the
    watched namespaces of an operator that is limited to some. `cluster_wide` keeps it in the ClusterRole of
    such an operator too: for cluster-scoped custom resources, and for what the operator grants to others by
    a ClusterRole. The core group is `""` or `"core"`, and meant where no group is named. `names` are the
    only objects that it is about.
    """

    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    verbs: tuple[str, ...]
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    namespace: str = ""
    cluster_wide: bool = False

    def __post_init__(self) -> None:
        if not self.verbs:
            raise ConfigError(f"{self} allows nothing: name its verbs")
        if bool(self.resources) == bool(self.urls):
            raise ConfigError(f"{self} must be about resources, or about urls, and not about both")
        if self.urls and (self.groups or self.names or self.namespace):
            raise ConfigError(f"{self}: urls have no groups, no names and no namespace")
        if self.cluster_wide and self.namespace:
            raise ConfigError(f"{self} cannot be cluster-wide and limited to a namespace")

    @classmethod
    def on(cls, kind: type[Resource], *verbs: str, subresource: str = "") -> Rule:
        """A rule about one kind, or one of its subresources: `Rule.on(Secret, "get")`."""
        resource = kind.__kind__.plural + (f"/{subresource}" if subresource else "")
        return cls(
            groups=(kind.__kind__.group,),
            resources=(resource,),
            verbs=verbs or READ,
            cluster_wide=not kind.__kind__.namespaced,
        )
