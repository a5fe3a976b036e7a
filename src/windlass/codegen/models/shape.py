"""What is to be written, before it is text: classes and their fields."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from windlass.api import Kind


@dataclass(frozen=True, slots=True)
class Annotation:
    """A Python type as text, the names of `windlass.api` in it, and the classes that it refers to."""

    text: str
    imports: frozenset[str] = frozenset()
    refers: frozenset[str] = frozenset()

    def inside(self, template: str, *imports: str) -> Annotation:
        """This type within another: `list[…]`, `… | None`."""
        return Annotation(template.format(self.text), self.imports.union(imports), self.refers)


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field of a class.

    `default` is Python text; an empty one means that the field is required. `made` means that the default
    is an object made by calling the field's own type.
    """

    name: str
    wire: str
    annotation: Annotation
    default: str = ""
    made: bool = False

    @property
    def named(self) -> Annotation:
        """The type, with the name on the wire where camelCase does not lead to it."""
        if to_camel(self.name) == self.wire:
            return self.annotation
        return self.annotation.inside(f'Annotated[{{}}, Wire("{self.wire}")]', "Annotated", "Wire")


@dataclass(frozen=True, slots=True)
class ClassShape:
    """One class to be written. `key` names it for references; `kind` makes it a resource."""

    key: str
    name: str
    base: str
    fields: tuple[FieldShape, ...] = ()
    kind: Kind | None = None
    description: str = ""

    @property
    def refers(self) -> frozenset[str]:
        """The keys of the classes that the fields need."""
        return frozenset().union(*(each.annotation.refers for each in self.fields))


@dataclass(frozen=True, slots=True)
class ModuleShape:
    """One module to be written: its dotted name, and its classes with those that others refer to first."""

    name: str
    classes: tuple[ClassShape, ...] = field(default=())
