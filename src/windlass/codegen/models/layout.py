"""Which class goes into which module, so that importing one kind loads little else.

A class lives with the kind that alone leads to it; one to which several kinds lead gets a module of its own,
with everything that only it leads to. In the terms of graph theory: the home of a class is its topmost
dominator in the graph of references that starts at the kinds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.codegen.models.shape import ClassShape


def homes(classes: Mapping[str, ClassShape]) -> dict[str, str]:
    """For each class the class in whose module it lives (itself, for kinds and for shared ones)."""
    leads_to = {key: sorted(shape.refers - {key}) for key, shape in classes.items()}
    roots = [key for key, shape in classes.items() if shape.kind is not None]
    dominators = _dominators(leads_to, roots)
    found = {}
    for key in classes:
        above = dominators[key]
        found[key] = max(above, key=lambda each: (-len(dominators[each]), each)) if above else key
    return found


def _dominators(leads_to: Mapping[str, Iterable[str]], roots: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each class, the classes (itself included) through which every way from the roots leads."""
    before: dict[str, set[str]] = defaultdict(set)
    for key, below in leads_to.items():
        for each in below:
            before[each].add(key)
    roots = set(roots)
    everything = frozenset(leads_to)
    found = {key: frozenset({key}) if key in roots or not before[key] else everything for key in leads_to}
    changed = True
    while changed:
        changed = False
        for key in leads_to:
            if key in roots or not before[key]:
                continue
            common = frozenset.intersection(*(found[each] for each in before[key])) | {key}
            if common != found[key]:
                found[key], changed = common, True
    return found


def in_order(classes: Iterable[ClassShape]) -> list[ClassShape]:
    """The classes with those that others refer to first; a circle is cut somewhere."""
    by_key = {shape.key: shape for shape in classes}
    done: dict[str, ClassShape] = {}

    def visit(shape: ClassShape, path: frozenset[str]) -> None:
        if shape.key in done or shape.key in path:
            return
        for key in sorted(shape.refers):
            if key in by_key:
                visit(by_key[key], path | {shape.key})
        done[shape.key] = shape

    for shape in sorted(by_key.values(), key=lambda each: each.name):
        visit(shape, frozenset())
    return list(done.values())
