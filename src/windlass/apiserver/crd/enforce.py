"""A schema put into force on the objects of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode import DecodeError, builtin_types, decode_custom, read_metadata
from windlass.apiserver.kind.form import judge
from windlass.apiserver.validation.meta import validate_meta
from windlass.apiserver.validation.names import path_segment
from windlass.schema import Path, copied
from windlass.schema.custom import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.schema import Fault
    from windlass.schema.custom import CustomSchema

Object = dict[str, Any]

_LARGEST: Final = 2.0**63


class EmbeddedMetadata:
    """What the server knows about the metadata of embedded objects."""

    def read(self, metadata: Any) -> tuple[Object, Sequence[str]]:
        """Metadata as the server writes it, and the paths in it of unknown fields that it left out."""
        try:
            return read_metadata(copied(metadata), builtin_types())  # the message shows it as it was
        except DecodeError as error:
            raise ValueError(str(error)) from error

    def faults(self, metadata: Object, path: str) -> Iterable[Fault]:
        """What is wrong with metadata that could be read."""
        namespaced = bool(metadata.get("namespace"))
        return validate_meta(metadata, Path(path), namespaced=namespaced, name_rule=path_segment)


def decode(resource: Resource, schema: CustomSchema, call: Call, validation: str) -> Object:
    """A body as an object of a custom kind, pruned and defaulted, or refused."""
    content_type = call.headers.get("content-type", "")
    draft = decode_custom(call.body, content_type, resource.kind, builtin_types(), validation)
    try:
        unknown = schema.prune(draft.object)
    except MalformedError as error:
        raise draft.unhandled(str(error)) from error
    if draft.object.get("kind") != resource.kind.name:
        unknown = []  # of another kind it is not known what is unknown
    for text in draft.judge(unknown, validation):
        call.warn(text)
    schema.fill(draft.object)
    return draft.object


def patched(
    resource: Resource, schema: CustomSchema, outcome: Patched, call: Call, validation: str
) -> Object:
    """The outcome of a patch as an object of a custom kind, pruned and defaulted, or refused."""
    obj: Object = copied(outcome.document)
    unknown: list[str] = []
    try:
        if "metadata" in obj:
            obj["metadata"], paths = read_metadata(obj["metadata"], builtin_types())
            unknown += [f"metadata.{path}" for path in paths]
        pruned = schema.prune(obj)
        unknown += pruned if obj.get("kind") == resource.kind.name else ()
    except (DecodeError, MalformedError) as error:
        raise outcome.refusal(str(error)) from error
    judge(outcome, [f'unknown field "{path}"' for path in unknown], call, validation)
    schema.fill(obj)
    return obj


def applied(schema: CustomSchema, obj: Object) -> Object:
    """The outcome of an apply as an object of a custom kind, defaulted; nothing unknown could be applied.

    An applied null is not dropped: it is for validation to say whether there may be one.

    Raises:
        DecodeError: its metadata cannot be read.
    """
    if "metadata" in obj:
        obj["metadata"], _ = read_metadata(obj["metadata"], builtin_types())
    schema.fill(obj)
    return obj


def settle_numbers(value: Any) -> None:
    """Write numbers, in place, as Go does: 2.0, as a client may send it and as it is validated, becomes 2."""
    for place, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(item, float):
            if item.is_integer() and abs(item) < _LARGEST:
                value[place] = int(item)
        elif isinstance(item, (dict, list)):
            settle_numbers(item)
