"""Who owns fields, and which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from windlass.schema.golang import quoted
from windlass.schema.ownership.element import json_text

if TYPE_CHECKING:
    from windlass.schema.ownership.tree import Tree

APPLY: Final = "Apply"
UPDATE: Final = "Update"
_UNKNOWN: Final = "unknown"


class Manager(NamedTuple):
    """What tells the owners of an object's fields apart.

    A name stands for one owner in all that it applied, in whichever version, and for another in its updates
    in each version; and all that again for each subresource.
    """

    name: str
    operation: str
    api_version: str = ""
    subresource: str = ""

    @classmethod
    def applier(cls, name: str, subresource: str = "") -> Manager:
        """Who applies."""
        return cls(name or _UNKNOWN, APPLY, "", subresource)

    @classmethod
    def updater(cls, name: str, api_version: str, subresource: str = "") -> Manager:
        """Who writes in any other way."""
        return cls(name or _UNKNOWN, UPDATE, api_version, subresource)

    def __str__(self) -> str:
        """As conflicts name it."""
        text = quoted(self.name)
        if self.subresource:
            text += f" with subresource {quoted(self.subresource)}"
        return f"{text} using {self.api_version}" if self.operation == UPDATE else text

    @property
    def key(self) -> str:
        """The text by which servers sort managers where times do not decide."""
        parts = {
            "manager": self.name,
            "operation": self.operation,
            "apiVersion": self.api_version,
            "subresource": self.subresource,
        }
        members = (f"{quoted(name)}:{json_text(value)}" for name, value in parts.items() if value)
        return f"{{{','.join(members)}}}"


class Owned(NamedTuple):
    """What a manager owns: fields, the version in whose terms they are, and whether it applied them."""

    fields: Tree
    api_version: str
    applied: bool = False

    def reduced(self, fields: Tree) -> Owned:
        """The same with other fields."""
        return self if fields is self.fields else Owned(fields, self.api_version, self.applied)


Managers: TypeAlias = "dict[Manager, Owned]"
