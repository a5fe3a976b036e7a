"""What is to be written, before it is text: classes and their fields."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

from windlass.codegen.models.names import quoted

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
    is an object made by calling the field's own type. `nullable` means that null is a value of its own.
    """

    name: str
    wire: str
    annotation: Annotation
    default: str = ""
    made: bool = False
    nullable: bool = False

    @property
    def marked(self) -> Annotation:
        """The type with its marks: the name on the wire where camelCase does not lead to it, `Nullable()`."""
        marks = {} if to_camel(self.name) == self.wire else {"Wire": f"Wire({quoted(self.wire)})"}
        if self.nullable:
            marks["Nullable"] = "Nullable()"
        if not marks:
            return self.annotation
        text = f"Annotated[{self.annotation.text}, {', '.join(marks.values())}]"
        return replace(
            self.annotation, text=text, imports=self.annotation.imports.union({"Annotated"}, marks)
        )


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
