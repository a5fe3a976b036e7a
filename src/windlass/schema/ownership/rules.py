from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from windlass.schema.ownership.atom import Atom, Grammar, Unfit
from windlass.schema.ownership.fit import fits, holds_objects, misfits, told
from windlass.schema.ownership.tree import Tree, within, without

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema.shape import Shape

Object: TypeAlias = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What decides about ownership in one resource or subresource; made once, used for every write.

    `shapes`: the schema of each version, by `apiVersion`.
    `convert`: an object in terms of another of these versions; needed if there are several.
    `custom`: it is a custom resource. Of a built-in kind, what is owned in terms of a version that there is
    not is forgotten; objects of a custom kind lose all managed fields by it, and cannot be applied to.
    `empty`: for each version, what an object holds before anything is set: nothing in a custom resource, but
    built-in kinds have parts that are always there (see `structure`), which nobody owns.
    `reset`: for each version, the fields that writes here leave as they were (`{"f:status": {}}`).
    `only`: for each version, the only fields that writes here may change, `*` standing for any step.
    `raw`: the places of a built-in kind where an object is expected, and anything was taken.
    `grammar`: shared by resources whose schemas share definitions.
    """

    shapes: Mapping[str, Shape]
    convert: Callable[[Object, str], Object] | None = None
    custom: bool = False
    empty: Mapping[str, Object] = field(default_factory=dict)
    reset: Mapping[str, Tree] = field(default_factory=dict)
    only: Mapping[str, Tree] = field(default_factory=dict)
    raw: tuple[tuple[str, ...], ...] = ()
    grammar: Grammar = field(default_factory=Grammar)
    _atoms: dict[str, Atom] = field(default_factory=dict, init=False, repr=False, compare=False)

    def atom(self, api_version: str) -> Atom:
        """The schema of a version, read for merging.

        Raises:
            Unfit: there is no such version.
        """
        found = self._atoms.get(api_version)
        if found is None:
            shape = self.shapes.get(api_version)
            if shape is None:
                raise Unfit(f"request to convert CR to an invalid group/version: {api_version}")
            found = self._atoms[api_version] = self.grammar.resource(shape)
        return found

    def fits(self, value: Object, api_version: str) -> bool:
        """Whether an object is as its schema says. Built-in ones are, by their types, but in a few places."""
        if self.custom:
            return fits(value, self.atom(api_version))
        return all(holds_objects(value, place) for place in self.raw)

    def find(self, api_version: str) -> Atom | None:
        """The schema of a version that an owner names; `None` if what is owned there is to be forgotten.

        Raises:
            Unfit: there is no such version of a custom resource, or it is none at all.
        """
        if api_version.count("/") > 1:
            raise Unfit(f"unexpected GroupVersion string: {api_version}")
        return self.atom(api_version) if self.custom or api_version in self.shapes else None

    def tracked(self, fields: Tree, api_version: str) -> Tree:
        """Those of some fields that can change here."""
        if not fields:
            return fields
        fields = without(fields, self.reset.get(api_version, {}))
        return within(fields, self.only.get(api_version, {}))

    def converted(self, value: Object, source: str, target: str) -> Object | None:
        """An object in terms of another version; `None` if there is no such version.

        Raises:
            Unfit: after the conversion it does not fit the schema, or has items that cannot be told apart.
        """
        if source == target:
            return value
        atom = self.find(target)
        if atom is None or self.convert is None:
            return None
        out = self.convert(value, target)
        if faults := misfits(out, atom):
            raise Unfit(told(faults))
        return out
