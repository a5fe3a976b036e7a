"""Answers of a server without what two servers cannot have in common."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from contract import Object, Reply

_UID: Final = re.compile(r"(?!0{8}-)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000 UTC)")
_NO_TIME: Final = re.compile(r'(parsing time "<uid \d+>" as "[^"]*"): cannot parse "[^"]*" as "[^"]*"')
_SERVICE_ADDRESS: Final = re.compile(r"\b10\.96\.\d+\.\d+\b")
_VERSION: Final = re.compile(r"(?i)(resource ?version(?:\W{1,8}| in [a-z ]+[:(]+ ?))(\d+)")
_SHOWN: Final = re.compile(r'(?<= value: )(?=\{|"\{)')
_STRICT: Final = re.compile(r"(strict decoding error: )(.*)", re.DOTALL)
_RBAC: Final = re.compile(r"(RBAC: |resolution errors: |^)\[(\w*role[^]]*)\]")
_UNDECLARED: Final = re.compile(r"(typed patch object [^)]*\)): .*field not declared in schema.*", re.DOTALL)
_EMBEDDED: Final = re.compile(r"\.(kind|apiVersion): Invalid value: .{0,80}?: must be a string")
_ELEMENTS: Final = re.compile(r"(list element types are not identical: )\[.*\]", re.DOTALL)
"""What a strategic patch has done to the one list before it looks at the other: Go's maps have a random order."""
_TOKEN: Final = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+")
_ALLOWED: Final = re.compile(r'(RBAC: allowed by \w+) ".*')
_GENERATED: Final = re.compile(r"[bcdfghjklmnpqrstvwxz2456789]{5}$")
_NODE_PORT: Final = re.compile(r"(?<=:)3\d{4}(?=/)")
"""A port of nodes as a table shows it, `80:30123/TCP`."""
_AGE: Final = re.compile(r"\d{1,2}s|<invalid>")
_LISTS: Final = re.compile(r"(List|Table)$")
_RULES: Final = ("resourceRules", "nonResourceRules")
_JSON: Final = json.JSONDecoder()
_NODE_PORTS: Final = range(30000, 32768)
_ABOUT_NOW: Final = timedelta(days=2)


class Normal:
    """Makes answers of one server comparable with those of another.

    Uids, versions and allocated addresses are numbered as they appear; times about now are one and the same.
    What the real server takes from a Go map, and so in any order, is sorted: the managers of an object (which
    it sorts by time), the rules that hold for a user, of which any one is told when it allows, the causes of a refusal, of which it has some twice because it looks at metadata twice,
    and the sentences of a message that tells of several. Of fields that a schema does not declare it tells some,
    as the map has it, and of the kind and the version of an embedded object the first that is no text. An object that a message shows is compared as an object: the real server writes some
    fields in the order of its types; and so, since they are told in that order, warnings of unknown fields come in any.
    """

    def __init__(self) -> None:
        self._numbered: dict[str, dict[str, str]] = {}

    def answer(self, reply: Reply) -> Object:
        """What is compared of an answer."""
        return {
            "status": reply.status,
            "type": reply.headers.get("content-type", ""),
            "warnings": sorted(self.text(each) for each in reply.warnings),
            "body": self.body(reply.body),
        }

    def learn(self, body: Any) -> None:
        """Take note of a name that the server may have made up, as an object or a refusal has it."""
        told = body.get("metadata", {}).get("name") or (body.get("details") or {}).get("name") or ""
        if _GENERATED.search(told):
            self._numbered.setdefault("name", {}).setdefault(told, "<generated>")

    def know(self, text: str, name: str) -> None:
        """Call a text that only this server has by a name."""
        self._numbered.setdefault("name", {})[text] = f"<{name}>"

    def body(self, body: Any) -> Any:
        """An object, a list, a Status, or anything else."""
        if not isinstance(body, dict):
            return self.value(body)
        if _LISTS.search(str(body.get("kind"))):
            body = {**body, "metadata": _of_list(body.get("metadata", {}))}
        if body.get("kind") == "Table":
            body = _without_ages(body)
        found: Object = self.value(body)
        return _in_order(found) if found.get("kind") == "Status" else found

    def value(self, value: Any, name: str = "") -> Any:
        """Any value, which stands in a field of this name."""
        if isinstance(value, dict):
            return {self.text(key): self.value(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            items = [self.value(item, name) for item in value]
            if name in _RULES:
                return sorted(items, key=_dumped)
            return sorted(items, key=_manager) if name == "managedFields" else items
        if isinstance(value, str):
            return self._number("version", value) if name == "resourceVersion" else self.text(value)
        if name in ("nodePort", "healthCheckNodePort") and value in _NODE_PORTS:
            return self._number("port", str(value))
        return value

    def text(self, text: str) -> str:
        """A text with its uids, times, addresses and versions made comparable."""
        text = _STRICT.sub(lambda found: found[1] + ", ".join(sorted(found[2].split(", "))), text)
        text = _RBAC.sub(lambda found: f"{found[1]}[{', '.join(sorted(found[2].split(', ')))}]", text)
        text = _UNDECLARED.sub(r"\1: undeclared fields", _with_sorted_objects(text))
        for name, shown in self._numbered.get("name", {}).items():
            text = text.replace(name, shown)
        text = _ELEMENTS.sub(r"\1lists", text)
        text = _EMBEDDED.sub(".kind or .apiVersion: must be a string", text)
        text = _ALLOWED.sub(r"\1", _TOKEN.sub(lambda found: self._number("token", found[0]), text))
        text = _UID.sub(lambda found: self._number("uid", found[0]), text)
        text = _NO_TIME.sub(r"\1", _TIME.sub(_moment, text))
        text = _NODE_PORT.sub(lambda found: self._number("port", found[0]), text)
        text = _SERVICE_ADDRESS.sub(lambda found: self._number("address", found[0]), text)
        return _VERSION.sub(lambda found: found[1] + self._number("version", found[2]), text)

    def _number(self, sort: str, value: str) -> str:
        known = self._numbered.setdefault(sort, {})
        if sort == "version" and not (value.isdigit() and len(value) > 1):
            return value
        return known.setdefault(value, f"<{sort} {len(known) + 1}>")


def _moment(found: re.Match[str]) -> str:
    text = found[0].replace(" +0000 UTC", "Z")
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        return found[0]
    digits = len(found[1] or ".") - 1
    return f"<time {digits}>" if abs(told - datetime.now(UTC)) < _ABOUT_NOW else found[0]


def _with_sorted_objects(text: str) -> str:
    """A message whose objects, or texts of objects, have their members in order."""
    result, done = "", 0
    for found in _SHOWN.finditer(text):
        if found.start() >= done:
            shown, end = _shown(text, found.start())
            result += text[done : found.start()] + shown
            done = end
    return result + text[done:]


def _shown(text: str, start: int) -> tuple[str, int]:
    """The object that begins somewhere in a text, sorted, and where it ends."""
    try:
        value, end = _JSON.raw_decode(text, start)
        if isinstance(value, str):
            return json.dumps(_dumped(_with_sorted_managers(json.loads(value)))), end
    except json.JSONDecodeError:
        return text[start : start + 1], start + 1
    return _dumped(_with_sorted_managers(value)), end


def _with_sorted_managers(value: Any, name: str = "") -> Any:
    """A value whose managed fields are in one order: the server's depends on when a second begins."""
    if isinstance(value, dict):
        return {key: _with_sorted_managers(inner, key) for key, inner in value.items()}
    if name == "managedFields" and isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return sorted(value, key=_manager_alone)
    return value


def _dumped(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _of_list(metadata: Object) -> Object:
    """What a list says of itself: its version moves with everything that others do."""
    return {name: value if name == "remainingItemCount" else f"<{name}>" for name, value in metadata.items()}


def _without_ages(table: Object) -> Object:
    rows = [
        {
            **row,
            "cells": [
                "<age>" if isinstance(cell, str) and _AGE.fullmatch(cell) else cell for cell in row["cells"]
            ],
        }
        for row in table.get("rows") or ()
    ]
    return {**table, "rows": rows}


def _manager(entry: Object) -> tuple[str, ...]:
    names = ("operation", "manager", "subresource", "apiVersion", "time")
    return (*(str(entry.get(name, "")) for name in names), _dumped(entry.get("fieldsV1")))


def _manager_alone(entry: Object) -> tuple[str, ...]:
    return _manager({**entry, "time": ""})


def _lines_in_order(message: str) -> str:
    first, *rest = message.split("\n")
    return "\n".join((first, *sorted(rest)))


def _in_order(status: Object) -> Object:
    """A Status whose causes, and sentences of several, are sorted."""
    details, message = status.get("details") or {}, status.get("message", "")
    if not details.get("causes"):
        return {**status, "message": _lines_in_order(message)}
    once = {(cause.get("field", ""), cause.get("message", "")): cause for cause in details["causes"]}
    causes = [once[key] for key in sorted(once)]
    if len(causes) > 1:
        message = " ".join(sorted(re.split(r", |\n|\[|\]", message))).strip()
    return {**status, "message": _lines_in_order(message), "details": {**details, "causes": causes}}
