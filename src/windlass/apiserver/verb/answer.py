"""Objects as an answer, in the form that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from windlass.apiserver.exchange import Reply
from windlass.apiserver.negotiate import JSON, Form
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]


def answer_record(operation: Operation, record: Record, status: int = 200) -> Reply:
    """A stored object."""
    if operation.form.plain and "pretty" not in operation.call.query:
        return Reply(status=status, body=operation.resource.text(record))
    return answer_object(operation, operation.resource.object(record), status)


def answer_object(operation: Operation, obj: Object, status: int = 200) -> Reply:
    """An object with its kind, stored or not."""
    return written(operation.form, operation.call, converted(operation, obj), status)


def answer_list(operation: Operation, records: Sequence[Record], meta: Object) -> Reply:
    """Stored objects as a list."""
    resource, form = operation.resource, operation.form
    if form.plain and "pretty" not in operation.call.query:
        items = b",".join([item_text(resource, record) for record in records])
        body = b'%b%b,"items":[%b]}' % (resource.list_header, orjson.dumps(meta), items)
        return Reply(body=body)
    if form.conversion == "PartialObjectMetadata":
        raise _mismatch(form, resource, "a list")
    objects = [resource.object(record) for record in records]
    if form.conversion == "Table":
        return written(form, operation.call, _table(operation, objects, meta))
    if form.conversion:
        items_or_null = [_partial(obj) for obj in objects] or None
        listed = {"kind": form.conversion, "apiVersion": "meta.k8s.io/v1", "metadata": meta}
        return written(form, operation.call, {**listed, "items": items_or_null})
    kind = {
        "kind": resource.list_kind or f"{resource.kind.name}List",
        "apiVersion": resource.kind.api_version,
    }
    items_plain = [orjson.loads(item_text(resource, record)) for record in records]
    return written(form, operation.call, {**kind, "metadata": meta, "items": items_plain})


def item_text(resource: Resource, record: Record) -> bytes:
    """The JSON of an item of a list: only custom resources repeat their kind there."""
    return resource.text(record) if resource.custom else resource.traits.body(resource, record)


def converted(operation: Operation, obj: Object) -> Object:
    """An object as the form wants it: whole, as a table of one row, or its metadata alone."""
    form = operation.form
    if form.conversion == "Table":
        meta = {"resourceVersion": obj["metadata"].get("resourceVersion", "")}
        return _table(operation, [obj], meta)
    if form.conversion == "PartialObjectMetadata":
        return _partial(obj)
    if form.conversion:
        raise _mismatch(form, operation.resource, "not a list")
    return obj


def written(form: Form, call: Call, value: Any, status: int = 200) -> Reply:
    """A value in JSON or YAML."""
    if form.media == JSON:
        pretty = orjson.OPT_INDENT_2 if call.query.flag("pretty") else 0
        return Reply(status=status, body=orjson.dumps(value, option=pretty))
    import yaml

    text = yaml.dump(value, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=True)
    return Reply(status=status, body=text.encode(), content_type=form.media)


def _partial(obj: Object) -> Object:
    return {
        "kind": "PartialObjectMetadata",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": obj["metadata"],
    }


def _table(operation: Operation, objects: Sequence[Object], meta: Object) -> Object:
    from windlass.apiserver.table import TableForm, table

    form = TableForm(include=operation.call.query.text("includeObject"))
    now = operation.world.clock.now()
    return table(objects, meta, operation.resource.traits.layout(), now, form)


def _mismatch(form: Form, resource: Resource, what: str) -> Refusal:
    kind = f"{resource.kind.name}{'List' if what == 'a list' else ''}"
    message = f"you requested {form.conversion}, but the requested object is {what} ({kind})"
    return Refusal(406, message, details={})
