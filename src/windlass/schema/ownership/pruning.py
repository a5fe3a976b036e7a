"""What goes from an object because its manager applies it no longer, and nobody else owns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.ownership.atom import attempt
from windlass.schema.ownership.combination import removed
from windlass.schema.ownership.extent import given
from windlass.schema.ownership.reading import with_named
from windlass.schema.ownership.tree import Tree, difference, intersection, union

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.schema.ownership.atom import Atom
    from windlass.schema.ownership.owner import Owned
    from windlass.schema.ownership.rules import Object, Rules


def pruned(new: Object, last: Owned, owners: Iterable[Owned], api_version: str, rules: Rules) -> Object:
    """An object without what its manager, who owned `last`, has given up and nobody of `owners` has.

    Raises:
        Unfit: what is left on the way does not fit the schema of a version in which somebody owns fields,
            which comes of owning items of a list without the fields that tell them apart.
    """
    version = last.api_version
    atom = rules.find(version)
    if atom is None or not last.fields:
        return new
    with attempt("failed to convert merged object to last applied version"):
        whole = rules.converted(new, api_version, version)
    if whole is None:
        return new
    theirs = with_named(last.fields, atom)
    kept = _with_owned(whole, removed(whole, theirs, atom) or {}, version, owners, rules)
    # What nobody owns, like a default, goes with an item that is gone, but not by itself.
    gone = difference(_fields(whole, atom), _fields(kept, atom))
    left = removed(whole, intersection(gone, theirs), atom) or {}
    return rules.converted(left, version, api_version) or new


def _with_owned(whole: Object, left: Object, version: str, owners: Iterable[Owned], rules: Rules) -> Object:
    """What is left of an object, in a version, with everything put back that somebody owns."""
    owned: dict[str, Tree] = {}
    for each in owners:
        owned[each.api_version] = union(owned.get(each.api_version, {}), each.fields)
    at, complete = version, whole
    for target in sorted(owned, key=lambda each: each != version):  # a conversion may need what is put back
        atom = rules.find(target)
        with attempt(f"failed add back owned items: failed to convert merged object at version {target}"):
            full = rules.converted(complete, at, target)
        with attempt(f"failed add back owned items: failed to convert pruned object at version {target}"):
            part = rules.converted(left, at, target)
        if atom is None or full is None or part is None:
            continue
        kept = union(_fields(part, atom), with_named(owned[target], atom))
        left = removed(full, difference(_fields(full, atom), kept), atom) or {}
        complete, at = full, target
    with attempt("failed add back dangling items: failed to convert pruned object to last applied version"):
        return rules.converted(left, at, version) or whole


def _fields(value: Object, atom: Atom) -> Tree:
    return with_named(given(value, atom) or {}, atom)
