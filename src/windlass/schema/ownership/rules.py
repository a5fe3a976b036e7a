from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from windlass.schema.ownership.atom import Atom, Grammar
from windlass.schema.ownership.tree import Tree, within, without

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema.shape import Shape

Object: TypeAlias = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """What decides about ownership in one resource or subresource; made once, used for every write.

    `shapes`: the schema of each version, by `apiVersion`; entries in terms of other versions are dropped.
    `convert`: an object in terms of another of these versions; needed if there are several.
    `empty`: for each version, what an object holds before anything is set: nothing in a custom resource, but
    built-in kinds have structures that are always there, like the `spec` of a Service. Nobody owns those.
    `reset`: for each version, the fields that writes here leave as they were (`{"f:status": {}}`).
    `only`: for each version, the only fields that writes here may change, `*` standing for any step.
    `grammar`: shared by resources whose schemas share definitions.
    """

    shapes: Mapping[str, Shape]
    convert: Callable[[Object, str], Object] | None = None
    empty: Mapping[str, Object] = field(default_factory=dict)
    reset: Mapping[str, Tree] = field(default_factory=dict)
    only: Mapping[str, Tree] = field(default_factory=dict)
    grammar: Grammar = field(default_factory=Grammar)
    _atoms: dict[str, Atom] = field(default_factory=dict, init=False, repr=False, compare=False)

    def atom(self, api_version: str) -> Atom | None:
        """The schema of a version, read for merging; `None` if there is no such version."""
        found = self._atoms.get(api_version)
        if found is None and (shape := self.shapes.get(api_version)) is not None:
            found = self._atoms[api_version] = self.grammar.resource(shape)
        return found

    def tracked(self, fields: Tree, api_version: str) -> Tree:
        """Those of some fields that can change here."""
        fields = without(fields, self.reset.get(api_version, {}))
        return within(fields, self.only.get(api_version, {}))

    def converted(self, value: Object, source: str, target: str) -> Object | None:
        """An object in terms of another version; `None` if there is no such version."""
        if source == target:
            return value
        if target not in self.shapes or self.convert is None:
            return None
        return self.convert(value, target)
