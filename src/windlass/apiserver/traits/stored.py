from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.store import Record
from windlass.schema import copied

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.resource import Resource

Object = dict[str, Any]


class Stored:
    """How objects of a kind are stored, and read again in one of its versions."""

    def body(self, resource: Resource, record: Record) -> bytes:  # noqa: ARG002 - for kinds that convert
        """The stored JSON as the resource's version shows it, without kind and apiVersion."""
        return record.body

    def shown(self, body: bytes) -> bytes:
        """What such JSON shows to those who read objects, and not a part of one."""
        return body

    def hide(self, obj: Object) -> None:
        """Take out of an object, in place, what is not shown of it."""

    def prepare_reading(self, resource: Resource, records: Iterable[Record]) -> None:
        """Make ready to show these records, where that takes asking somebody.

        Raises:
            Unanswered: somebody is to be asked first.
        """

    def to_storage(self, resource: Resource, obj: Object) -> Object:  # noqa: ARG002 - for kinds that convert
        """An object of the resource's version as it is stored."""
        return obj

    def read_again(self, obj: Object) -> Object:
        """An object that is stored in its own version as it is then read: the same, or a new one."""
        return obj

    def differs_always(self, obj: Object) -> bool:  # noqa: ARG002 - for some kinds
        """Whether the real server would store an object in another way than anything, itself included."""
        return False

    def in_version(self, resource: Resource, obj: Object, other: Resource) -> Object:
        """An object as one of another resource, which keeps the same objects; a new one.

        Raises:
            Refusal: 500, it cannot be converted.
        """
        version = obj["metadata"].get("resourceVersion")
        shown = other.object(Record.of("", 0, self.to_storage(resource, copied(obj))))
        if version is None:
            del shown["metadata"]["resourceVersion"]
        else:
            shown["metadata"]["resourceVersion"] = version
        return shown
