"""A schema put into force on the objects of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode import DecodeError, builtin_types, decode_custom, read_metadata
from windlass.apiserver.go_json import unstructured
from windlass.apiserver.kind.form import judge
from windlass.apiserver.number import settle_numbers
from windlass.apiserver.validation.meta import validate_meta
from windlass.apiserver.validation.names import path_segment
from windlass.schema import Path, copied
from windlass.schema.custom import CustomSchema, MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Kind
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.schema import Fault

Object = dict[str, Any]
Schemas = Mapping[str, CustomSchema]
"""The schemas of a custom kind by the apiVersion that each is for."""

_HEADER: Final = frozenset({"apiVersion", "kind", "metadata"})


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


def decode(resource: Resource, schemas: Schemas, call: Call, validation: str) -> Object:
    """A body as an object of a custom kind, pruned and defaulted, or refused."""
    content_type = call.headers.get("content-type", "")
    draft = decode_custom(call.body, content_type, resource.kind, builtin_types(), validation)
    try:
        unknown = _prune(draft.object, resource.kind, schemas)
    except MalformedError as error:
        raise draft.unhandled(str(error)) from error
    for text in draft.judge(unknown, validation):
        call.warn(text)
    draft.check_version()
    _fill(draft.object, resource.kind, schemas)
    return draft.object


def patched(resource: Resource, schemas: Schemas, outcome: Patched, call: Call, validation: str) -> Object:
    """The outcome of a patch as an object of a custom kind, pruned and defaulted, or refused."""
    try:
        obj, unknown = _head_read(outcome.document)
        unknown += _prune(obj, resource.kind, schemas)
    except (DecodeError, MalformedError) as error:
        raise outcome.refusal(str(error)) from error
    judge(outcome, [f'unknown field "{path}"' for path in unknown], call, validation)
    _fill(obj, resource.kind, schemas)
    return obj


def applied(schema: CustomSchema, obj: Object) -> Object:
    """The outcome of an apply as an object of a custom kind, pruned and defaulted.

    Something unknown can be applied only below what preserves it. An applied null is not dropped: it is for
    validation to say whether there may be one.

    Raises:
        DecodeError: its metadata cannot be read.
    """
    if "metadata" in obj:
        obj["metadata"], _ = read_metadata(obj["metadata"], builtin_types())
    schema.drop_unknown(obj)
    schema.fill(obj)
    return obj


def changed(schema: CustomSchema, document: Object) -> Object:
    """What a webhook has made of an object of a custom kind, defaulted; it is pruned when all are done.

    Raises:
        DecodeError: its metadata cannot be read.
    """
    obj, _ = _head_read(document)
    schema.fill(obj)
    return obj


def _head_read(document: Object) -> tuple[Object, list[str]]:
    """A document as an object whose metadata were read, and the paths in them of unknown fields.

    Raises:
        DecodeError: they cannot be, or the apiVersion is none.
    """
    obj: Object = unstructured(document)
    unknown: list[str] = []
    if "metadata" in obj:
        settle_numbers([obj["metadata"]])  # it is read from what Go writes of it
        obj["metadata"], paths = read_metadata(obj["metadata"], builtin_types())
        unknown = [f"metadata.{path}" for path in paths]
    check_form(obj.get("apiVersion", ""))
    return obj, unknown


def check_form(version: str) -> None:
    """Refuse what is no apiVersion of anything.

    Raises:
        DecodeError: it is none.
    """
    if version.count("/") > 1:
        raise DecodeError(f"unexpected GroupVersion string: {version}")


def _prune(obj: Object, kind: Kind, schemas: Schemas) -> Sequence[str]:
    """Take out of an object, in place, what the version that it says to be of does not know: its paths.

    Of another kind nothing is known. Of another version of this one nothing is right.

    Raises:
        MalformedError: what is embedded cannot be read.
    """
    version = obj.get("apiVersion", "")
    if not _is_of(kind, obj):
        return ()
    if version in schemas:
        return schemas[version].prune(obj)
    unknown = sorted(obj.keys() - _HEADER)
    for name in unknown:
        del obj[name]
    return unknown


def _fill(obj: Object, kind: Kind, schemas: Schemas) -> None:
    """Put defaults into an object, in place, if it is of the kind."""
    if _is_of(kind, obj) and obj["apiVersion"] in schemas:
        schemas[obj["apiVersion"]].fill(obj)


def _is_of(kind: Kind, obj: Object) -> bool:
    """Whether an object says to be of a kind, in any version."""
    group, _, _ = obj.get("apiVersion", "").rpartition("/")
    return (group, obj.get("kind")) == (kind.group, kind.name)
