"""Objects in objects: their type and metadata are read and validated as those of any object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.errors import WindlassError
from windlass.schema.custom.skeleton import Skeleton
from windlass.schema.fault import Fault
from windlass.schema.golang import shown_unstructured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.schema.shape import Shape

_LABEL: Final = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_LABEL_SIZE: Final = 63
_NOT_A_LABEL: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)


class MalformedError(WindlassError):
    """An object that cannot be read at all, because of something embedded in it.

    The message is the text of the fault, which is what a server says after it named the kind.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class MetadataRules(Protocol):
    """What a server knows about the metadata of any object."""

    def read(self, metadata: Any) -> tuple[dict[str, Any], Sequence[str]]:
        """Metadata as the server writes it, and the paths in it of unknown fields that it left out.

        Raises:
            ValueError: it cannot be read; the message is the decoder's.
        """

    def faults(self, metadata: dict[str, Any], path: str) -> Iterable[Fault]:
        """What is wrong with metadata that could be read. Its object may have any name that fits a path."""


class Embedded:
    """The embedded objects of a schema."""

    def __init__(self, shape: Shape, rules: MetadataRules) -> None:
        self._skeleton = Skeleton.of(shape, lambda each: each.embedded)
        self._rules = rules

    def read(self, value: Any, at: str = "") -> list[str]:
        """Bring the metadata of embedded objects into the server's form, in place; tell what was unknown.

        `at` is the path of the value.

        Raises:
            MalformedError: metadata or a type cannot be read.
        """
        if self._skeleton is None:
            return []
        unknown: list[str] = []
        for path, found, _ in self._skeleton.places(value, at):
            if type(found) is dict:
                unknown += self._read(found, path)
        return sorted(unknown)

    def faults(self, value: Any, at: str = "") -> list[Fault]:
        """What is wrong with the types and the metadata of embedded objects."""
        if self._skeleton is None:
            return []
        return [
            fault
            for path, found, _ in self._skeleton.places(value, at)
            if type(found) is dict
            for fault in self._faults(found, f"{path}." if path else "")
        ]

    def _read(self, found: dict[str, Any], path: str) -> Iterator[str]:
        prefix = f"{path}." if path else ""
        for name in ("apiVersion", "kind"):
            if name in found and type(found[name]) is not str:
                text = f"Invalid value: {shown_unstructured(found[name])}: must be a string"
                raise MalformedError(Fault("FieldValueInvalid", f"{prefix}{name}", text))
        if "metadata" not in found:
            return
        try:
            found["metadata"], unknown = self._rules.read(found["metadata"])
        except ValueError as error:
            raise MalformedError(_unread(found["metadata"], prefix, error)) from error
        for each in unknown:
            yield f"{prefix}metadata.{each}"

    def _faults(self, found: dict[str, Any], prefix: str) -> Iterator[Fault]:
        for name in ("apiVersion", "kind"):
            if name not in found:
                yield Fault.required(f"{prefix}{name}")
            elif problem := _TYPE_PROBLEMS[name](found[name]):
                text = f"Invalid value: {shown_unstructured(found[name])}: {problem}"
                yield Fault("FieldValueInvalid", f"{prefix}{name}", text)
        if found.get("metadata") is None:
            return
        try:
            metadata, _ = self._rules.read(found["metadata"])
        except ValueError as error:  # it was not read when it came, as it says to be of another kind
            yield _unread(found["metadata"], prefix, error)
            return
        named = metadata if metadata.get("name") else metadata | {"name": "fakename"}
        yield from self._rules.faults(named, f"{prefix}metadata")


def _unread(metadata: Any, prefix: str, why: ValueError) -> Fault:
    text = f"Invalid value: {shown_unstructured(metadata)}: {why}"
    return Fault("FieldValueInvalid", f"{prefix}metadata", text)


def _api_version_problem(text: Any) -> str:
    if type(text) is not str:
        return "must be a string"
    if not text:
        return "must not be empty"
    return f"unexpected GroupVersion string: {text}" if text.count("/") > 1 else ""


def _kind_problem(text: Any) -> str:
    if type(text) is not str:
        return "must be a string"
    if not text:
        return "must not be empty"
    problems = [f"must be no more than {_LABEL_SIZE} characters"] if len(text.encode()) > _LABEL_SIZE else []
    if not _LABEL.fullmatch(text.lower()):
        problems.append(_NOT_A_LABEL)
    return f"may have mixed case, but should otherwise match: {','.join(problems)}" if problems else ""


_TYPE_PROBLEMS: Final = {"apiVersion": _api_version_problem, "kind": _kind_problem}
