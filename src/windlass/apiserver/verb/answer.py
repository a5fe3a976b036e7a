"""Objects as an answer, in the form that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.exchange import Reply
from windlass.apiserver.negotiate import JSON, PROTOBUF, Form
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.table import TableForm, partial, partial_list, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_FOR_PEOPLE: Final = ("curl", "Wget", "Mozilla/5.0")


def answer_record(operation: Operation, record: Record, status: int = 200) -> Reply:
    """A stored object."""
    if operation.form.plain and not is_pretty(operation.call) and not operation.route.subresource:
        return Reply(status=status, body=operation.resource.text(record))
    return answer_object(operation, operation.resource.object(record), status)


def answer_object(operation: Operation, obj: Object, status: int = 200) -> Reply:
    """An object with its kind, stored or not."""
    return written(operation.form, operation.call, converted(operation, obj), status)


def answer_list(operation: Operation, records: Sequence[Record], meta: Object) -> Reply:
    """Stored objects as a list."""
    resource, form = operation.resource, operation.form
    if form.plain and not is_pretty(operation.call):
        joined = b",".join([item_text(resource, record) for record in records])
        body = b'%b%b,"items":[%b]}' % (resource.list_header, orjson.dumps(meta), joined)
        return Reply(body=body)
    if form.conversion == "PartialObjectMetadata":
        raise _mismatch(form, resource, "a list")
    if form.conversion:
        objects = [resource.object(record) for record in records]
        if form.conversion == "Table":
            return written(form, operation.call, _table(operation, objects, meta))
        return written(form, operation.call, partial_list(objects, meta, form.version))
    kind = {
        "kind": resource.list_kind or f"{resource.kind.name}List",
        "apiVersion": resource.kind.api_version,
    }
    items = [orjson.loads(item_text(resource, record)) for record in records]
    return written(form, operation.call, {**kind, "metadata": meta, "items": items})


def item_text(resource: Resource, record: Record) -> bytes:
    """The JSON of an item of a list: only custom resources repeat their kind there."""
    return resource.text(record) if resource.custom else resource.shown(record)


def converted(operation: Operation, obj: Object) -> Object:
    """An object as the form wants it: whole, as a table of one row, or its metadata alone."""
    form = operation.form
    if not operation.route.subresource and operation.route.verb != "delete":
        operation.resource.traits.hide(obj)
    if form.conversion == "Table":
        meta = {"resourceVersion": obj["metadata"].get("resourceVersion", "")}
        return _table(operation, [obj], meta)
    if form.conversion == "PartialObjectMetadata":
        return partial(obj, form.version)
    if form.conversion:
        raise _mismatch(form, operation.resource, "not a list")
    return obj


def written(form: Form, call: Call, value: Any, status: int = 200) -> Reply:
    """A value in JSON, YAML or protobuf."""
    if form.media == JSON:
        pretty = orjson.OPT_INDENT_2 if is_pretty(call) else 0
        return Reply(status=status, body=orjson.dumps(value, option=pretty))
    if form.media == PROTOBUF:
        from windlass.apiserver.protobuf import write_object  # only who asks for it pays for it

        return Reply(status=status, body=write_object(value), content_type=PROTOBUF)
    from windlass.apiserver.go_yaml import yaml_text

    return Reply(status=status, body=yaml_text(value).encode(), content_type=form.media)


def check_table(operation: Operation) -> None:
    """Refuse what asks for a table that cannot be made.

    Raises:
        Refusal: 400.
    """
    if operation.form.conversion == "Table":
        _table_form(operation)


def _table(operation: Operation, objects: Sequence[Object], meta: Object) -> Object:
    now = operation.world.clock.now()
    return table(objects, meta, operation.resource.traits.layout(), now, _table_form(operation))


def _table_form(operation: Operation) -> TableForm:
    include = operation.call.query.text("includeObject")
    return TableForm(include=include, version=operation.form.version)


def is_pretty(call: Call) -> bool:
    """Whether a person is to read the answer: they say so, or use a program for it."""
    if "pretty" in call.query:
        return call.query.flag("pretty")
    return call.headers.get("user-agent", "").startswith(_FOR_PEOPLE)


class Mismatch(Refusal):
    """406: objects are not what the form makes of them, one or many; 500 where the server does not look."""


def _mismatch(form: Form, resource: Resource, what: str) -> Mismatch:
    if resource.custom and what != "a list":
        return Mismatch(500, "content is not a list", "")
    listed = "List" if what == "a list" else ""
    kind = f"*unstructured.Unstructured{listed}" if resource.custom else f"*{_package(resource)}{listed}"
    message = f"you requested {form.conversion}, but the requested object is {what} ({kind})"
    return Mismatch(406, message)


def _package(resource: Resource) -> str:
    """The Go type of a kind within the real server, which its message shows."""
    group = resource.kind.group.partition(".")[0] or "core"
    return f"{group}.{resource.kind.name}"
