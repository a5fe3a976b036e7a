"""From a change of labelled objects to those that select them by labels.

An index over the selecting objects has, for each, one label that its selector demands, so that a change looks
at those alone with which it shares a label, and at those that demand none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.controller.wiring import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from windlass.api import Change, Key, LabelSelector, Resource, Snapshot
    from windlass.cache import Informer
    from windlass.reconcile import Watch


def selections(watch: Watch[Any]) -> Callable[[Resource], Iterable[str]]:
    """The index behind `selected`: where an object of ours selects, and one label that it demands."""
    selects, namespaced = watch.selects, watch.kind.__kind__.namespaced

    def demanded(resource: Resource) -> Iterable[str]:
        selector = selects(resource) if selects else None
        if selector is not None:
            yield _entry(resource.metadata.namespace if namespaced else "", _one_label(selector))

    return demanded


def selected(watch: Watch[Any], index: str, primaries: Callable[[], Iterable[Informer[Any]]]) -> Role:
    """A kind that those that are reconciled select by labels, before or after the change."""

    def concerned(change: Change[Any]) -> Iterator[Key]:
        states = [state for state in (change.old, change.new) if state is not None]
        for labels in [state.metadata.get("labels") or {} for state in states]:
            for informer in primaries():
                for key in _candidates(informer, index, change.key.namespace, labels):
                    if _selects(watch, informer.snapshot(key), labels):
                        yield key

    return Role(concerned, watch.when)


def _selects(watch: Watch[Any], ours: Snapshot[Any] | None, labels: Mapping[str, str]) -> bool:
    selector = watch.selects(ours.decode()) if ours and watch.selects else None
    return selector is not None and selector.matches(labels)


def _candidates(
    informer: Informer[Any], index: str, namespace: str, labels: Mapping[str, str]
) -> Iterator[Key]:
    for place in dict.fromkeys((namespace, "")):  # one that is in no namespace selects in all
        yield from informer.find(index, _entry(place, ""))
        for name, value in labels.items():
            yield from informer.find(index, _entry(place, f"{name}={value}"))


def _one_label(selector: LabelSelector) -> str:
    return next((f"{name}={value}" for name, value in sorted(selector.match_labels.items())), "")


def _entry(namespace: str, label: str) -> str:
    return f"{namespace}:{label}"
