"""Which objects of a collection are meant: label, field and shard selectors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.label_selector import parse_labels
from windlass.apiserver.verb.version import check_options
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Selector
    from windlass.apiserver.exchange import Query
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.traits import FieldReader
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.shard import Shard

_NAME: Final = "metadata.name"
_NAMESPACE: Final = "metadata.namespace"
_NUMBERS: Final = ("timeoutSeconds", "limit")
_OPERATOR: Final = re.compile("!=|==|=")
_UNIVERSAL: Final = {_NAME: ("metadata", "name"), _NAMESPACE: ("metadata", "namespace")}


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a field selector: a field, how it is read, and what it must be, or must not be."""

    label: str
    read: FieldReader
    value: str
    equal: bool

    def matches(self, obj: Mapping[str, Any]) -> bool:
        """Whether an object satisfies it; an absent field is empty."""
        return (self.read(obj) == self.value) is self.equal


@dataclass(frozen=True, slots=True)
class Selection:
    """The labels and fields by which objects are chosen, and the shard."""

    labels: Selector
    fields: tuple[Term, ...]
    shard: Shard | None = None

    def __bool__(self) -> bool:
        return self.shard is not None or self.by_content

    @property
    def by_content(self) -> bool:
        """Whether labels or fields decide."""
        return bool(self.fields) or bool(self.labels.requirements)

    def matches(self, obj: Mapping[str, Any]) -> bool:
        """Whether an object is chosen."""
        metadata = obj["metadata"]
        if self.shard is not None and not self.shard.has(metadata):
            return False
        return all(term.matches(obj) for term in self.fields) and self.labels.matches(
            metadata.get("labels") or {}
        )

    @property
    def name(self) -> str:
        """The only name that can be chosen, empty where there may be others."""
        return next(_exact_names(self.fields), "")


def _exact_names(terms: tuple[Term, ...]) -> Iterator[str]:
    return (term.value for term in terms if term.label == _NAME and term.equal)


def selection(operation: Operation) -> Selection:
    """What a request selects. The other options of a list or a watch are checked on the way, in their order.

    Raises:
        Refusal: 400, a selector is malformed or names a field that cannot be selected; 422, the options do
            not go together; 500, there is no such shard.
    """
    query = operation.call.query
    labels, terms = selectors(query)
    check_options(query, watching=operation.route.verb == "watch")
    fields = _fields(terms, operation.resource) if terms else ()
    if operation.route.name:  # the older path of a watch names its object
        if fields and operation.route.name not in _exact_names(fields):
            raise Refusal.bad_request("fieldSelector metadata.name doesn't match requested name")
        fields = (*fields, Term(_NAME, _reader(_UNIVERSAL[_NAME]), operation.route.name, equal=True))
    return Selection(labels, fields, _shard(query.text("shardSelector")))


def selectors(query: Query) -> tuple[Selector, list[tuple[str, bool, str]]]:
    """The labels and the terms of fields that a query selects by.

    Raises:
        Refusal: 400, one of them or a number beside them is malformed.
    """
    for name in _NUMBERS:
        query.number(name)
    labels = _labels(query.text("labelSelector"))
    text = query.text("fieldSelector")
    return labels, field_terms(text) if text else []


def _shard(text: str) -> Shard | None:
    if not text:
        return None
    from windlass.apiserver.verb.shard import parse_shard  # it brings the parser of CEL

    return parse_shard(text)


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


def _reader(field: tuple[str, ...] | FieldReader) -> FieldReader:
    return partial(field_text, path=field) if isinstance(field, tuple) else field


def field_terms(text: str) -> list[tuple[str, bool, str]]:
    """The terms of a field selector: each label, whether it must be equal to the value, and the value.

    Raises:
        Refusal: 400, it is malformed.
    """
    terms = (_term(part, text) for part in sorted(_split(text)))
    return [term for term in terms if term[0] or term[2]]


@lru_cache(maxsize=256)
def _labels(text: str) -> Selector:
    return parse_labels(text)


def _fields(given: list[tuple[str, bool, str]], resource: Resource) -> tuple[Term, ...]:
    known = {**_UNIVERSAL, **resource.traits.field_labels}
    if not resource.kind.namespaced and (resource.custom or resource.traits.field_labels):
        del known[_NAMESPACE]
    terms = []
    for label, equal, value in given:
        if label not in known:
            raise Refusal.bad_request(resource.traits.unknown_label.format(label, quoted(label)))
        terms.append(Term(label, _reader(known[label]), value, equal))
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
    operator = _OPERATOR.search(part)
    if operator is None:
        raise Refusal.bad_request(f"invalid selector: '{text}'; can't understand '{part}'")
    return part[: operator.start()], operator[0] != "!=", _unescaped(part[operator.end() :])


def _unescaped(value: str) -> str:
    result, escaped = "", False
    for character in value:
        if escaped:
            if character not in "\\,=":
                raise Refusal.bad_request(f"invalid field selector: invalid escape sequence: \\{character}")
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
    if escaped:
        raise Refusal.bad_request("invalid field selector: invalid escape sequence: \\")
    return result
