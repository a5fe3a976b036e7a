"""What goes from an object because its manager applies it no longer, and nobody else owns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.ownership.atom import Unfit, attempt
from windlass.schema.ownership.combination import removed
from windlass.schema.ownership.extent import given
from windlass.schema.ownership.reading import with_named
from windlass.schema.ownership.tree import Tree, difference, intersection, union

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.schema.ownership.atom import Atom
    from windlass.schema.ownership.owner import Owned
    from windlass.schema.ownership.rules import Object, Rules


class Pruner:
    """Takes away from objects, which are in a version, what nobody owns any longer."""

    def __init__(self, rules: Rules, api_version: str, owners: Iterable[Owned]) -> None:
        self._rules = rules
        self._version = api_version
        self._owned: dict[str, Tree] = {}
        for each in owners:
            self._owned[each.api_version] = union(self._owned.get(each.api_version, {}), each.fields)

    def pruned(self, new: Object, last: Owned) -> Object:
        """An object without what its manager, who owned `last`, has given up and nobody else has.

        Raises:
            Unfit: what is left on the way is no object of a version in which somebody owns fields. That comes
                of owning items of a list without the fields that tell them apart, or the `apiVersion`.
        """
        version = last.api_version
        atom = self._rules.find(version)
        if atom is None or not last.fields:
            return new
        with attempt("failed to convert merged object to last applied version"):
            whole = self._rules.converted(new, self._version, version)
        if whole is None:
            return new
        theirs = with_named(last.fields, atom)
        kept = self._with_owned(whole, removed(whole, theirs, atom) or {}, version)
        # What nobody owns, like a default, goes with an item that is gone, but not by itself.
        gone = difference(_fields(whole, atom), _fields(kept, atom))
        left = removed(whole, intersection(gone, theirs), atom) or {}
        return self._rules.converted(left, version, self._version) or new

    def _with_owned(self, whole: Object, left: Object, version: str) -> Object:
        """What is left of an object, in a version, with everything put back that somebody owns."""
        at, complete = version, whole
        # The version at hand comes first: a conversion may need what is put back.
        for target in sorted(self._owned, key=lambda each: each != version):
            atom = self._rules.find(target)
            with attempt(f"failed add back owned items: failed to convert merged object at version {target}"):
                full = self._rules.converted(complete, at, target)
            with attempt(f"failed add back owned items: failed to convert pruned object at version {target}"):
                self._check_version(left)
                part = self._rules.converted(left, at, target)
            if atom is None or full is None or part is None:
                continue
            kept = union(_fields(part, atom), with_named(self._owned[target], atom))
            left = removed(full, difference(_fields(full, atom), kept), atom) or {}
            complete, at = full, target
        with attempt(
            "failed add back dangling items: failed to convert pruned object to last applied version"
        ):
            return self._rules.converted(left, at, version) or whole

    def _check_version(self, left: Object) -> None:
        """Refuse what has lost its `apiVersion`, even if it needs no conversion."""
        if "apiVersion" in left:
            return
        if not left:
            raise Unfit("failed to convert value to unstructured for type <nil>")
        if not self._rules.custom:
            raise Unfit("Object 'apiVersion' is missing in 'unstructured object has no version'")
        kind = left.get("kind", "")
        raise Unfit(f'/, Kind={kind} is unstructured and is not suitable for converting to "{self._version}"')


def _fields(value: Object, atom: Atom) -> Tree:
    return with_named(given(value, atom) or {}, atom)
