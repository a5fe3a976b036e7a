"""What the table of a kind looks like: its columns, and how an object becomes a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    Cells = Callable[[dict[str, Any], datetime], list[Any]]

NONE: Final = "<none>"
UNSET: Final = "<unset>"

_DESCRIPTIONS: Final = {
    "Name": "The name of the object, the only one of its kind in its namespace.",
    "Age": "How long ago the object was created.",
    "Created At": "When the object was created.",
    "Containers": "The names of the containers in the pod template.",
    "Images": "The images of the containers in the pod template.",
    "Selector": "The labels of the pods that are meant.",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column; those of a priority above 0 are shown when much is to be shown (`kubectl get -o wide`)."""

    name: str
    type: str = "string"
    format: str = ""
    priority: int = 0
    description: str = ""

    @property
    def wire(self) -> dict[str, Any]:
        """The column as a table defines it."""
        described = self.description or _DESCRIPTIONS.get(self.name) or f"{self.name} of the object."
        return {
            "name": self.name,
            "type": self.type,
            "format": self.format,
            "description": described,
            "priority": self.priority,
        }


class Layout(Protocol):
    """How the objects of a kind become a table."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""

    def cells(self, obj: dict[str, Any], now: datetime) -> list[Any]:
        """What stands in each column for an object."""

    def conditions(self, obj: dict[str, Any]) -> list[dict[str, Any]]:
        """What is to be said of the row as a whole; mostly nothing."""


@dataclass(frozen=True, slots=True)
class KindLayout:
    """The layout of a built-in kind: its columns, and a function for its cells."""

    columns: tuple[Column, ...]
    write: Cells

    def cells(self, obj: dict[str, Any], now: datetime) -> list[Any]:
        """What stands in each column for an object."""
        return self.write(obj, now)

    def conditions(self, _obj: dict[str, Any]) -> list[dict[str, Any]]:
        """Nothing."""
        return []


def columns(*texts: str) -> tuple[Column, ...]:
    """Columns from short texts: `Age`, `Desired:integer`, `+Images` for one of lower priority."""
    return tuple(map(_column, texts))


def _column(text: str) -> Column:
    name, _, kind = text.removeprefix("+").partition(":")
    return Column(name, kind or "string", "name" if name == "Name" else "", int(text.startswith("+")))
