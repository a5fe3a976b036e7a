from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from windlass.schema.golang import quoted, shown

if TYPE_CHECKING:
    from collections.abc import Iterable


class Path:
    """Where a value stands in an object; its text, `spec.containers[0].name`, is only made when asked for."""

    __slots__ = ("_parent", "_step")

    def __init__(self, step: str = "", parent: Path | None = None) -> None:
        self._step = step
        self._parent = parent

    def child(self, *names: str) -> Path:
        """A field below this one, or a field below that."""
        path = self
        for name in names:
            path = Path(name, path)
        return path

    def index(self, position: int) -> Path:
        """An item of this list."""
        return Path(f"[{position}]", self)

    def key(self, key: str) -> Path:
        """The value of a key of this map, whatever characters the key has."""
        return Path(f"[{key}]", self)

    def __str__(self) -> str:
        steps: list[str] = []
        path: Path | None = self
        while path is not None:
            if path._step:  # noqa: SLF001 - another object of this class
                steps.append(path._step)  # noqa: SLF001
            path = path._parent  # noqa: SLF001
        text = ".".join(reversed(steps))
        return text.replace(".[", "[")

    def __repr__(self) -> str:
        return f"Path({self})"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one field, in the words of an API server: one of a Status's causes.

    `reason`: the cause's reason, for example `FieldValueRequired`.
    `field`: the path of the field.
    `message`: for example `Required value: must name a port`.
    """

    reason: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"

    @classmethod
    def required(cls, path: Path | str, detail: str = "") -> Self:
        """Something must be there and is not."""
        return cls("FieldValueRequired", str(path), _joined("Required value", detail))

    @classmethod
    def forbidden(cls, path: Path | str, detail: str = "") -> Self:
        """Something is there and must not be."""
        return cls("FieldValueForbidden", str(path), _joined("Forbidden", detail))

    @classmethod
    def invalid(cls, path: Path | str, value: Any, detail: str = "") -> Self:
        """A value that cannot be."""
        return cls("FieldValueInvalid", str(path), _joined(f"Invalid value: {shown(value)}", detail))

    @classmethod
    def type_invalid(cls, path: Path | str, value: Any, detail: str = "") -> Self:
        """A value of the wrong type."""
        return cls("FieldValueTypeInvalid", str(path), _joined(f"Invalid value: {shown(value)}", detail))

    @classmethod
    def not_supported(cls, path: Path | str, value: Any, supported: Iterable[str]) -> Self:
        """A value that is not among those there are; the order of `supported` is the message's."""
        options = ", ".join(quoted(option) for option in supported)
        detail = f"supported values: {options}" if options else ""
        return cls("FieldValueNotSupported", str(path), _joined(f"Unsupported value: {shown(value)}", detail))

    @classmethod
    def duplicate(cls, path: Path | str, value: Any) -> Self:
        """A value that is there already."""
        return cls("FieldValueDuplicate", str(path), f"Duplicate value: {shown(value)}")

    @classmethod
    def not_found(cls, path: Path | str, value: Any) -> Self:
        """A value that refers to nothing."""
        return cls("FieldValueNotFound", str(path), f"Not found: {shown(value)}")

    @classmethod
    def too_long(cls, path: Path | str, limit: int, unit: str = "byte") -> Self:
        """A text of more bytes, or of another unit, than it may have."""
        units = unit if limit == 1 else f"{unit}s"
        return cls("FieldValueTooLong", str(path), f"Too long: may not be more than {limit} {units}")

    @classmethod
    def too_many(cls, path: Path | str, count: int, limit: int) -> Self:
        """A list of more items than it may have."""
        items = "item" if limit == 1 else "items"
        detail = "has too many items" if limit < 0 else f"must have at most {limit} {items}"
        return cls("FieldValueTooMany", str(path), f"Too many: {count}: {detail}")


def _joined(problem: str, detail: str) -> str:
    return f"{problem}: {detail}" if detail else problem
