"""From a change of labelled objects to those that select them by labels.

An index over the selecting objects has, for each, one label that its selector demands, so that a change looks
at those alone with which it shares a label, and at those that demand none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.controller.wiring import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from windlass.api import Change, Key, Resource, Snapshot
    from windlass.cache import Informer
    from windlass.reconcile import Watch


def demands(watch: Watch[Any]) -> Callable[[Resource], Iterable[str]]:
    """An index of all labels that an object of ours demands of what it selects: tells which are rare."""
    selects, namespaced = watch.selects, watch.kind.__kind__.namespaced

    def demanded(resource: Resource) -> Iterable[str]:
        selector = selects(resource) if selects else None
        if selector is not None:
            place = resource.metadata.namespace if namespaced else ""
            labels = [f"{name}={value}" for name, value in sorted(selector.match_labels.items())]
            yield from (_entry(place, label) for label in labels or [""])

    return demanded


def selections(
    demanded: Callable[[Resource], Iterable[str]], count: Callable[[str], int]
) -> Callable[[Resource], Iterable[str]]:
    """The index behind `selected`: of the labels that an object demands, the one that the fewest demand.

    Where a thousand share `app=shop`, and each has an instance of its own, it is that which tells them apart.
    """

    def rarest(resource: Resource) -> Iterable[str]:
        return sorted(demanded(resource), key=count)[:1]

    return rarest


def selected(watch: Watch[Any], index: str, primaries: Callable[[], Iterable[Informer[Any]]]) -> Role:
    """A kind that those that are reconciled select by labels, before or after the change."""

    def concerned(change: Change[Any]) -> Iterator[Key]:
        for labels in _labels(change):
            for informer in primaries():
                places = entries(change.key.namespace, labels)
                for key in (key for place in places for key in informer.find(index, place)):
                    if _selects(watch, informer.snapshot(key), labels):
                        yield key

    return Role(concerned, watch.when)


def _labels(change: Change[Any]) -> Sequence[Mapping[str, str]]:
    """The labels before and after a change; once where they are the same."""
    states = [state.metadata.get("labels") or {} for state in (change.old, change.new) if state is not None]
    return states[:1] if states[0] == states[-1] else states


def _selects(watch: Watch[Any], ours: Snapshot[Any] | None, labels: Mapping[str, str]) -> bool:
    selector = watch.selects(ours.decode()) if ours and watch.selects else None
    return selector is not None and selector.matches(labels)


def entries(namespace: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Where those are filed that may select something with these labels."""
    for place in dict.fromkeys((namespace, "")):  # one that is in no namespace selects in all
        yield _entry(place, "")
        yield from (_entry(place, f"{name}={value}") for name, value in labels.items())


def _entry(namespace: str, label: str) -> str:
    return f"{namespace}:{label}"
