"""The events of a watch: lines of JSON, or protobuf with the length of each before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from windlass.apiserver.negotiate import JSON
from windlass.apiserver.verb.answer import converted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.refusal import Refusal
    from windlass.apiserver.store import Change, Record
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.select import Selection

Object = dict[str, Any]


class Encoder:
    """Writes the events of one watch: those that its selectors and namespace let through, in its form.

    The text of a change is made once for all watches that want the same.
    """

    def __init__(self, operation: Operation, chosen: Selection, prefix: str) -> None:
        self._operation = operation
        self._resource = operation.resource
        self._chosen = chosen
        self._columns_sent = False
        self.prefix = prefix

    def initial(self, records: Sequence[Record]) -> bytes:
        """What exists, as if it had just been added."""
        self._resource.traits.prepare_reading(self._resource, records)
        return b"".join(
            self._line("ADDED", record)
            for record in records
            if not self._chosen or self._chosen.matches(self._resource.object(record))
        )

    def lines(self, changes: Iterable[Change]) -> bytes:
        """What these changes mean to the watch."""
        meant = [change for change in changes if change.after.key.startswith(self.prefix)]
        records = [change.after for change in meant]
        if self._chosen and self._resource.custom:  # what is chosen no longer is shown as it was
            records += [change.before for change in meant if change.before is not None]
        self._resource.traits.prepare_reading(self._resource, dict.fromkeys(records))
        return b"".join([self._change(change) for change in meant])

    def bookmark(self, metadata: Object) -> bytes:
        """How far the watch has come."""
        kind = self._resource.kind
        obj: Object = {"kind": kind.name, "apiVersion": kind.api_version, "metadata": metadata}
        return self._encoded("BOOKMARK", obj)

    def error(self, refusal: Refusal) -> bytes:
        """Why the watch ends."""
        return self._written("ERROR", refusal.status)

    def _change(self, change: Change) -> bytes:
        if self._chosen:
            return self._selected(change)
        return self._shared(change.type, change)

    def _selected(self, change: Change) -> bytes:
        """A change as one sees it who sees only what is chosen."""
        after, before = self._seen(change)
        is_in = change.type != "DELETED" and self._chosen.matches(after)
        was_in = before is not None and self._chosen.matches(before)
        if is_in:
            return self._shared("MODIFIED" if was_in else "ADDED", change)
        if not was_in:
            return b""
        if change.type == "DELETED":
            return self._shared("DELETED", change)
        assert change.before is not None  # noqa: S101 - for the type checker: it was in
        left = self._resource.object(change.before)
        left["metadata"]["resourceVersion"] = str(change.revision)
        return self._encoded("DELETED", left)

    def _seen(self, change: Change) -> tuple[Object, Object | None]:
        """The object after and before; fields of a custom resource are what its version makes of them."""
        if not self._resource.custom or not self._chosen.fields:
            return change.objects()
        before = None if change.before is None else self._resource.object(change.before)
        return self._resource.object(change.after), before

    def _shared(self, kind: str, change: Change) -> bytes:
        """The text of a change, made by the first of the watches that want it so."""
        form = self._operation.form
        if form.conversion:
            return self._line(kind, change.after)
        key = (self._resource.traits, f"{kind};{form.media}")  # those of a custom kind go with its definition
        text = change.encodings.get(key)
        if text is None:
            text = change.encodings[key] = self._line(kind, change.after)
        return text

    def _line(self, kind: str, record: Record) -> bytes:
        if self._operation.form.plain:
            return b'{"type":"%b","object":%b}\n' % (kind.encode(), self._resource.text(record))
        return self._encoded(kind, self._resource.object(record))

    def _encoded(self, kind: str, obj: Object) -> bytes:
        shown = converted(self._operation, obj)
        if self._operation.form.conversion == "Table":
            if self._columns_sent:
                shown["columnDefinitions"] = None
            self._columns_sent = True
        return self._written(kind, shown)

    def _written(self, kind: str, obj: Object) -> bytes:
        if self._operation.form.media == JSON:
            return orjson.dumps({"type": kind, "object": obj}) + b"\n"
        from windlass.apiserver.protobuf import write_event  # only who asks for it pays for it

        return write_event(kind, obj)
