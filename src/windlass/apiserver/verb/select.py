"""Which objects of a collection are meant: label and field selectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.label_selector import parse_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Selector
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.verb.operation import Operation

_NAME: Final = "metadata.name"
_NAMESPACE: Final = "metadata.namespace"
_UNIVERSAL: Final = {_NAME: ("metadata", "name"), _NAMESPACE: ("metadata", "namespace")}


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a field selector: a path and the value that it must have, or must not have."""

    label: str
    path: tuple[str, ...]
    value: str
    equal: bool

    def matches(self, obj: Mapping[str, Any]) -> bool:
        """Whether an object satisfies it; an absent field is empty."""
        return (field_text(obj, self.path) == self.value) is self.equal


@dataclass(frozen=True, slots=True)
class Selection:
    """The labels and fields by which objects are chosen."""

    labels: Selector
    fields: tuple[Term, ...]

    def __bool__(self) -> bool:
        return bool(self.fields) or bool(self.labels.requirements)

    def matches(self, obj: Mapping[str, Any]) -> bool:
        """Whether an object is chosen."""
        metadata = obj["metadata"]
        return all(term.matches(obj) for term in self.fields) and self.labels.matches(
            metadata.get("labels") or {}
        )

    @property
    def name(self) -> str | None:
        """The only name that can be chosen, if there is one."""
        for term in self.fields:
            if term.label == _NAME and term.equal:
                return term.value
        return None


def selection(operation: Operation) -> Selection:
    """What a request selects.

    Raises:
        Refusal: 400, a selector is malformed or names a field that cannot be selected.
    """
    query = operation.call.query
    labels = _labels(query.text("labelSelector"))
    text = query.text("fieldSelector")
    fields = _fields(text, operation.resource) if text else ()
    if operation.route.name:  # the older path of a watch names its object
        fields = (*fields, Term(_NAME, _UNIVERSAL[_NAME], operation.route.name, equal=True))
    return Selection(labels, fields)


def field_text(obj: Mapping[str, Any], path: tuple[str, ...]) -> str:
    """The value of a field as selectors compare it: text, empty when absent."""
    value: Any = obj
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@lru_cache(maxsize=256)
def _labels(text: str) -> Selector:
    return parse_labels(text)


def _fields(text: str, resource: Resource) -> tuple[Term, ...]:
    known = {**_UNIVERSAL, **resource.traits.field_labels}
    terms = []
    for part in _split(text):
        label, equal, value = _term(part, text)
        if label not in known:
            raise Refusal.bad_request(_unsupported(label, resource))
        terms.append(Term(label, known[label], value, equal))
    return tuple(terms)


def _split(text: str) -> list[str]:
    """The terms of a selector; a backslash keeps the comma that follows it."""
    parts, current, escaped = [], "", False
    for character in text:
        if character == "," and not escaped:
            parts.append(current)
            current = ""
            continue
        current += character
        escaped = character == "\\" and not escaped
    return [part for part in (*parts, current) if part]


def _term(part: str, text: str) -> tuple[str, bool, str]:
    for operator, equal in (("!=", False), ("==", True), ("=", True)):
        label, found, value = part.partition(operator)
        if found:
            return label, equal, _unescaped(value)
    raise Refusal.bad_request(f"invalid selector: '{text}'; can't understand '{part}'")


def _unescaped(value: str) -> str:
    result, escaped = "", False
    for character in value:
        if escaped:
            if character not in "\\,=":
                raise Refusal.bad_request(
                    f"invalid field selector: invalid escape sequence: \\{character}"
                )
            result += character
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == "=":
            raise Refusal.bad_request(
                f"invalid field selector: unescaped character in value: {ord(character)}"
            )
        else:
            result += character
    return result


def _unsupported(label: str, resource: Resource) -> str:
    if not resource.custom and not resource.traits.field_labels:
        return f'"{label}" is not a known field selector: only "{_NAME}", "{_NAMESPACE}"'
    return f"field label not supported: {label}"
