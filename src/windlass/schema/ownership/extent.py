"""Which fields a value has: those that it gives, and those that come and go with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.ownership.element import SELF, rank
from windlass.schema.ownership.tree import LEAF, Tree, with_self

if TYPE_CHECKING:
    from windlass.schema.ownership.atom import Atom, ListForm, MapForm

_PAIR = 2


def given(value: Any, atom: Atom) -> Tree | None:
    """The fields that a value gives: what its manager owns when it is applied.

    A field that the schema names is owned by its contents. Members of maps and items of lists are owned
    themselves too, so that they outlive their contents. The answer is a leaf if the value is owned as a
    whole, and `None` if it has parts, of which none is given.

    Raises:
        Unfit: a field is not in the schema.
    """
    if atom.leaf or value is None:
        return LEAF
    if isinstance(value, dict):
        form = atom.mapping
        return LEAF if form is None or form.atomic or not value else _given_by_map(value, form)
    if isinstance(value, list):
        listing = atom.listing
        return LEAF if listing is None or listing.atomic else _given_by_list(value, listing)
    return LEAF


def _given_by_map(value: dict[str, Any], form: MapForm) -> Tree | None:
    fields = form.fields
    out: Tree = {}
    for name in sorted(value):
        step, atom, named = fields[name]
        below = given(value[name], atom)
        if not named:
            out[step] = LEAF if below is None else with_self(below)
        elif below is not None:
            out[step] = below
    return out or None


def _given_by_list(value: list[Any], form: ListForm) -> Tree | None:
    atom = form.item
    out: Tree = {}
    for item in value:
        step = form.find(item)
        # Of items that cannot be told apart nothing is known but that they are there.
        below = None if step in out else given(item, atom)
        out[step] = LEAF if below is None else with_self(below)
    return _sorted(out) or None


def whole(value: Any, atom: Atom) -> Tree:
    """The node of a value and everything below it: what comes when it is added, and goes with it.

    Raises:
        Unfit: a field is not in the schema, or an item cannot be told from others.
    """
    if atom.leaf or not value:
        return LEAF
    if isinstance(value, dict):
        form = atom.mapping
        return LEAF if form is None or form.atomic else _whole_map(value, form)
    if isinstance(value, list):
        listing = atom.listing
        return LEAF if listing is None or listing.atomic else _whole_list(value, listing)
    return LEAF


def _whole_map(value: dict[str, Any], form: MapForm) -> Tree:
    fields = form.fields
    out: Tree = {SELF: LEAF}
    for name in sorted(value):
        step, atom, _ = fields[name]
        out[step] = LEAF if atom.leaf else whole(value[name], atom)
    return out


def _whole_list(value: list[Any], form: ListForm) -> Tree:
    atom = form.item
    out: Tree = {SELF: LEAF}
    for item in value:
        step = form.step(item)
        out[step] = LEAF if atom.leaf or step in out else whole(item, atom)
    return _sorted(out)


def _sorted(steps: Tree) -> Tree:
    """The items of a list in the order of their steps."""
    if len(steps) < _PAIR:
        return steps
    return {step: steps[step] for step in sorted(steps, key=rank)}
