"""Sets of fields, as trees in the form of `fieldsV1`, and the algebra on them.

A key is a step of a path (see `element`), its value the tree below. A node is in the set itself if nothing is
below it, or if it says so with a `.`: `{"f:data": {".": {}, "f:key": {}}}` holds `.data` and `.data.key`,
without the `.` only the latter. Trees are never changed once made: results share parts with what they were
made of, and a result that equals its first operand is that operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from windlass.schema.ownership.element import SELF, in_order, parsed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

Tree: TypeAlias = "dict[str, Tree]"

LEAF: Final[Tree] = {}
"""A node that is in the set and has nothing below it."""

ANY: Final = "*"
"""In a pattern, the step that stands for every step."""


def is_member(node: Tree) -> bool:
    """Whether a node is itself in the set."""
    return not node or SELF in node


def with_self(below: Tree) -> Tree:
    """The node that is in the set together with what is below it."""
    return {SELF: LEAF, **below} if below else LEAF


def union(one: Tree, other: Tree) -> Tree:
    """What is in either."""
    if not one:
        return other
    out = dict(one)
    for element, right in other.items():
        left = out.get(element)
        out[element] = right if left is None else _joined(left, right)
    return out


def _joined(left: Tree, right: Tree) -> Tree:
    if left is right:
        return left
    if not left:
        return right if is_member(right) else with_self(right)
    if not right:
        return left if SELF in left else with_self(left)
    return union(left, right)


def difference(one: Tree, other: Tree) -> Tree:
    """What is in the first and not in the second; a node leaves without what is below it."""
    if not one or not other:
        return one
    out: Tree = {}
    same = True
    for element, left in one.items():
        right = other.get(element)
        kept = left if right is None else _reduced(left, right)
        same = same and kept is left
        if kept is not None:
            out[element] = kept
    return one if same else out


def _reduced(left: Tree, right: Tree) -> Tree | None:
    if not left:
        return None if is_member(right) else left
    if not right:
        return _without_self(left)
    return _canonical(difference(left, right))


def _without_self(node: Tree) -> Tree | None:
    if SELF not in node:
        return node
    return {element: below for element, below in node.items() if element != SELF} or None


def _canonical(node: Tree) -> Tree | None:
    if not node:
        return None
    return LEAF if len(node) == 1 and SELF in node else node


def intersection(one: Tree, other: Tree) -> Tree:
    """What is in both."""
    out: Tree = {}
    for element, left in one.items():
        right = other.get(element)
        if right is None:
            continue
        if left and right:
            both = _canonical(intersection(left, right))
        else:
            both = LEAF if is_member(left) and is_member(right) else None
        if both is not None:
            out[element] = both
    return out


def without(tree: Tree, cut: Tree) -> Tree:
    """What is neither in the second set nor below anything in it."""
    if not tree or not cut:
        return tree
    out: Tree = {}
    for element, node in tree.items():
        shears = cut.get(element)
        if shears is None:
            out[element] = node
        elif not is_member(shears):
            left = _canonical(without(node, shears)) if node else node
            if left is not None:
                out[element] = left
    return out


def within(tree: Tree, pattern: Tree) -> Tree:
    """What lies on or below the paths of a pattern, in which `*` stands for any step."""
    if not pattern:
        return tree
    out: Tree = {}
    for element, node in tree.items():
        below = pattern.get(ANY, pattern.get(element))
        if below is None or element == SELF:
            continue
        kept = within(node, below)
        if is_member(node):
            out[element] = with_self(kept)
        elif kept:
            out[element] = kept
    return out


def holds(tree: Tree, path: tuple[str, ...]) -> bool:
    """Whether a path is in the set."""
    node: Tree | None = tree
    for element in path:
        node = None if node is None else node.get(element)
    return node is not None and is_member(node)


def alone(path: tuple[str, ...]) -> Tree:
    """The set of one path."""
    tree = LEAF
    for element in reversed(path):
        tree = {element: tree}
    return tree


def paths(tree: Tree) -> Iterator[str]:
    """Every path in the set as a person reads it, on each level first the members, then what is below."""
    elements = [element for element in in_order(list(tree)) if element != SELF]
    yield from (shown(element) for element in elements if is_member(tree[element]))
    for element in elements:
        prefix = shown(element)
        yield from (prefix + below for below in paths(tree[element]))


def ordered(tree: Tree) -> Tree:
    """The same set with its keys in the order in which servers write them."""
    out: Tree = {}
    for element in in_order(list(tree)):
        below = tree[element]
        out[element] = ordered(below) if below else LEAF
    return out


def read(fields: Any) -> Tree:
    """A set from the `fieldsV1` of a request, in our form and order; steps of unknown kinds are left out.

    Raises:
        ValueError: it is no such thing.
    """
    return ordered({element: node for element, node in _read(fields).items() if element != SELF})


def _read(fields: Any) -> Tree:
    if fields is None:
        return LEAF
    if not isinstance(fields, dict):
        raise ValueError(f"{fields!r} is no set of fields")  # noqa: TRY004 - a wrong value, from outside
    out: Tree = {}
    for key, below in fields.items():
        element = SELF if key == SELF else parsed(key)
        if element is not None:
            out[element] = LEAF if element == SELF else _read(below)
    return _canonical(out) or LEAF
