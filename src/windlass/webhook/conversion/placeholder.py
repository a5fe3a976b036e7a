"""What is shown in place of an object that cannot be converted, and the way back to the object.

A review that fails because of one object fails the list, and the watch, of all. So a version that an object
cannot be converted to shows its metadata, a body without content, and an annotation with the body that it has
in its own version. The annotation alone decides: as long as it is there, the object is the one in it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from windlass.api import UNCONVERTED
from windlass.errors import ConversionError
from windlass.schema import alike, copied, structural
from windlass.schema.custom import CustomSchema, MalformedError
from windlass.webhook.conversion.difference import ABSENT, BESIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json, Resource, Unconverted
    from windlass.schema import Fault

_LARGEST: Final = 256 * 1024
"""What the API server takes of annotations, names and values of all of them."""
_ZEROS: Final[Json] = {"object": {}, "array": [], "string": "", "integer": 0, "number": 0, "boolean": False}


def placeholder(kind: type[Resource], obj: Json, note: Unconverted) -> Json:
    """An object of another version as it is shown in the version of a kind that it cannot be converted to.

    Raises:
        ConversionError: its annotations would be larger than the API server takes.
    """
    metadata = obj.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), UNCONVERTED: note.text()}
    size = sum(len(f"{name}{value}".encode()) for name, value in annotations.items())
    if size > _LARGEST:
        raise ConversionError(
            f"{note.reason} (and it is too large to be kept in the annotation {UNCONVERTED}: "
            f"annotations have {size} bytes, and {_LARGEST} are possible)"
        )
    known = kind.__kind__
    head = {"apiVersion": known.api_version, "kind": known.name}
    made = {**head, "metadata": {**metadata, "annotations": annotations}, **content_of_none(kind)}
    if status := carried(kind, obj.get("status")):
        made["status"] = status
    return made


def original(kinds: tuple[type[Resource], type[Resource]], obj: Json, note: Unconverted) -> Json:
    """The object that a placeholder stands for, with its present metadata, and its status where that changed.

    `kinds` are those of the placeholder's version and of the object's own.
    """
    shown, own = kinds
    metadata = dict(obj.get("metadata") or {})
    annotations = {
        name: value for name, value in (metadata.get("annotations") or {}).items() if name != UNCONVERTED
    }
    metadata = {name: value for name, value in metadata.items() if name != "annotations"}
    if annotations:
        metadata["annotations"] = annotations
    known = own.__kind__
    made = {"apiVersion": known.api_version, "kind": known.name, "metadata": metadata, **copied(note.body)}
    before, now = carried(shown, note.body.get("status")), obj.get("status")
    present = now if isinstance(now, dict) else {}
    names = {**before, **present}
    changed = [name for name in names if not alike(before.get(name, ABSENT), present.get(name, ABSENT))]
    if changed:
        was = made.get("status")
        kept = {
            name: value
            for name, value in (was if isinstance(was, dict) else {}).items()
            if name not in changed
        }
        made["status"] = kept | carried(own, {name: present[name] for name in changed if name in present})
    return made


def content_of_none(kind: type[Resource]) -> Json:
    """The body of an object that says nothing: what the schema requires, empty, and its defaults."""
    schema = structural(kind)
    fields = schema.get("properties") or {}
    made: Json = {
        name: copied(_ZEROS.get((fields.get(name) or {}).get("type", ""), {}))
        for name in schema.get("required") or ()
        if name not in (*BESIDE, "status")
    }
    _schema(kind).fill(made)
    made.pop("status", None)
    return made


def body_of(obj: Json) -> Json:
    """All of an object beside its metadata."""
    return {name: value for name, value in obj.items() if name not in BESIDE}


def same_content(kind: type[Resource], one: Json, other: Json) -> bool:
    """Whether two objects of a kind are equal beside their metadata and status, as its schema reads them."""
    bodies = [_content(each) for each in (one, other)]
    if alike(*bodies):
        return True
    for each in bodies:
        _read(kind, each)
    return alike(*bodies)


def carried(kind: type[Resource], status: Any) -> Json:
    """The fields of a status that a version has, too, and has nothing against."""
    found: Json = {}
    for name, value in (status if isinstance(status, dict) else {}).items():
        obj: Json = {"status": {name: copied(value)}}
        if not _read(kind, obj, fill=False) or name not in (obj.get("status") or {}):
            continue
        path = f"status.{name}"
        wrong = (each.field for each in _schema(kind).faults(obj))
        if not any(each == path or each.startswith((f"{path}.", f"{path}[")) for each in wrong):
            found[name] = obj["status"][name]
    return found


def _content(obj: Json) -> Json:
    return {name: copied(value) for name, value in body_of(obj).items() if name != "status"}


def _read(kind: type[Resource], obj: Json, *, fill: bool = True) -> bool:
    """Prune an object and fill in its defaults, in place; whether its embedded objects can be read."""
    try:
        _schema(kind).prune(obj)
    except MalformedError:
        return False
    if fill:
        _schema(kind).fill(obj)
    return True


class AnyMetadata:
    """Takes the metadata of embedded objects as it is: they are not what is converted."""

    def read(self, metadata: Any) -> tuple[Json, Sequence[str]]:
        """As it is."""
        return metadata, ()

    def faults(self, metadata: Json, path: str) -> Iterable[Fault]:  # noqa: ARG002 - the protocol's
        """None."""
        return ()


@cache
def _schema(kind: type[Resource]) -> CustomSchema:
    """The schema of a kind, but for its rules in CEL."""
    return CustomSchema(structural(kind), AnyMetadata())
