"""Which pods a service selects, and which services a pod concerns."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import Key, Selector
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.api import Change, Json, Snapshot
    from windlass.kinds.core.v1 import Service
    from windlass.reconcile import Context


class _Label(NamedTuple):
    namespace: str
    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}={self.value}"


def _labels_of(pod: Pod) -> Iterable[str]:
    return [str(_Label(pod.metadata.namespace, *each)) for each in pod.metadata.labels.items()]


LABELS: Final = Index(Pod, _labels_of)
"""Pods by each of their labels."""


def selector_of(service: Service) -> Mapping[str, str]:
    """What a service selects pods by; empty for one whose endpoints are somebody else's business."""
    return {} if service.spec.type == "ExternalName" else service.spec.selector


def matters(change: Change[Any]) -> bool:
    """Whether a pod has changed in what endpoints tell of it."""
    if change.old is None or change.new is None:
        return True
    return _told(change.old) != _told(change.new)


class Selectors:
    """The selectors of services, as far as they have been seen.

    A selector is looked up by that of its labels which the fewest services have: where a thousand share
    `app=shop`, and each has an instance of its own, it is the instance that tells them apart.
    """

    def __init__(self) -> None:
        self._selectors: dict[Key, Mapping[str, str]] = {}
        self._uses: Counter[_Label] = Counter()
        self._filed: defaultdict[_Label, dict[Key, None]] = defaultdict(dict)
        self._places: dict[Key, _Label] = {}

    def note(self, key: Key, selector: Mapping[str, str]) -> None:
        """A service has this selector now; an empty one selects nothing."""
        if self._selectors.get(key, {}) == selector:
            return
        before = self._selectors.pop(key, {})
        self._uses.subtract(_Label(key.namespace, *each) for each in before.items())
        if before:
            self._filed[self._places.pop(key)].pop(key)
        if selector:
            self._selectors[key] = dict(selector)
            self._places[key] = place = self._rarest(key)
            self._filed[place][key] = None
            self._uses.update(_Label(key.namespace, *each) for each in selector.items())

    def services_of(self, pod: Pod) -> Iterable[Key]:
        """The services that select a pod."""
        labels = pod.metadata.labels
        for each in labels.items():
            for key in self._filed.get(_Label(pod.metadata.namespace, *each), ()):
                if self._selectors[key].items() <= labels.items():
                    yield key

    async def pods_of(self, key: Key, ctx: Context) -> Sequence[Pod]:
        """The pods that a service selects, by name."""
        selector = Selector.of(self._selectors[key])
        value = str(self._rarest(key))
        found = await ctx.list(Pod, key.namespace, labels=selector, index=LABELS, value=value)
        return sorted(found, key=lambda pod: pod.metadata.name)

    def _rarest(self, key: Key) -> _Label:
        labels = (_Label(key.namespace, *each) for each in self._selectors[key].items())
        return min(labels, key=lambda each: (self._uses[each], each))


def _told(state: Snapshot[Any]) -> tuple[Any, ...]:
    metadata, status = state.metadata, state.data.get("status") or {}
    conditions: list[Json] = status.get("conditions") or []
    ready = next((each.get("status") for each in conditions if each.get("type") == "Ready"), None)
    ended = status.get("phase") in ("Succeeded", "Failed")
    node = state.data.get("spec", {}).get("nodeName")
    return metadata.get("labels"), metadata.get("deletionTimestamp"), ready, ended, status.get("podIPs"), node
