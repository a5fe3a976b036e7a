"""Field sets read with the schema at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.ownership.tree import LEAF, Tree, with_self

if TYPE_CHECKING:
    from windlass.schema.ownership.atom import Atom


def with_named(tree: Tree, atom: Atom | None) -> Tree:
    """A set to which each field that the schema names belongs as soon as something below it does."""
    form = None if atom is None else atom.mapping
    out: Tree = {}
    for step, node in tree.items():
        if not node:
            out[step] = node
            continue
        below = with_named(node, _below(step, atom))
        is_named = form is not None and step.startswith("f:") and step[2:] in form.named
        out[step] = with_self(below) if is_named else below
    return out


def _below(step: str, atom: Atom | None) -> Atom | None:
    if atom is not None and atom.mapping is not None and step.startswith("f:"):
        return atom.mapping.below(step)
    if atom is not None and atom.listing is not None and step.startswith("k:"):
        return atom.listing.item
    return None


def conformed(tree: Tree, atom: Atom) -> Tree:
    """A set as it is under the present schema: who owned a part of what is now atomic, owns it as a whole.

    A set that conforms is returned as it is. What became of one part and now has several needs no change.
    """
    changes = {
        step: kept
        for step, node in tree.items()
        if node and (below := _inside(step, atom)) is not None and (kept := _node(node, below)) is not node
    }
    return {**tree, **changes} if changes else tree


def _inside(step: str, atom: Atom) -> Atom | None:
    if atom.mapping is not None:
        return None if atom.mapping.opaque else atom.mapping.below(step)
    return None if atom.scalar or atom.listing is None else atom.listing.item


def _node(node: Tree, atom: Atom) -> Tree:
    if atom.mapping is not None:
        whole = atom.mapping.atomic and not atom.mapping.opaque
    else:
        whole = not atom.scalar and atom.listing is not None and atom.listing.atomic
    return LEAF if whole else conformed(node, atom)
