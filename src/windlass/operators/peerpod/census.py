"""Which PeerPodConfigs there are, for what they share: nodes, and what is made once for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.operators.peerpod.desired import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.api import Change, Resource, Selector
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.types import Components, PeerPodConfig


class Census:
    """The configs that there are. `see` is told of every change."""

    def __init__(self, options: PeerPodOptions) -> None:
        self._options = options
        self._configs: dict[Key, PeerPodConfig] = {}

    def see(self, change: Change[PeerPodConfig]) -> None:
        """Take note of a change."""
        if change.new is None:
            self._configs.pop(change.key, None)
        else:
            self._configs[change.key] = change.new.decode()

    def everybody(self, _: Resource | None = None) -> tuple[Key, ...]:
        """All configs, whatever changed."""
        return tuple(self._configs)

    def others(self, config: PeerPodConfig) -> tuple[Key, ...]:
        """All configs but this one."""
        own = Key(config.metadata.namespace, config.metadata.name)
        return tuple(key for key in self._configs if key != own)

    def elders(self, config: PeerPodConfig, own: Key) -> Iterator[tuple[Key, Selector]]:
        """Configs that are older, with what they select; one that goes has its nodes until it is gone."""
        for key, other in self._configs.items():
            if key != own and _age(other) < _age(config):
                try:
                    selector = other.spec.node_selector.selector()
                except ValueError:  # it has told so itself, and has no nodes
                    continue
                yield key, selector

    def instance_type(self, place: str) -> str:
        """The instance type for the webhook of a namespace: that of the oldest config which names one."""
        named = [
            config
            for config in self._configs.values()
            if config.spec.instance_type and place_of(config, self._options) == place
        ]
        return min(named, key=_age).spec.instance_type if named else ""

    def is_last(self, own: Key, wants: Callable[[Components], bool], *, place: str = "") -> bool:
        """Whether no other config that stays wants something that all share, or all of a namespace."""
        return not any(
            wants(other.spec.components)
            for key, other in self._configs.items()
            if key != own
            and other.metadata.deletion_timestamp is None
            and place in ("", place_of(other, self._options))
        )


def _age(config: PeerPodConfig) -> tuple[str, bool, str]:
    """Orders configs by age; one that is not stored yet is the youngest.

    Times of creation are whole seconds: of two that came in the same one, who has nodes is the older.
    """
    created = config.metadata.creation_timestamp
    return created.isoformat() if created else "~", not config.status.node_count, config.metadata.uid
