"""Reading the data files, once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.api import Kind
from windlass.apiserver.builtin.kind import BuiltinKind
from windlass.apiserver.resource import Subresource
from windlass.schema import Library

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = Path(__file__).parent


@cache
def library() -> Library:
    """The schemas of all built-in types by the names of their definitions."""
    return Library(_read("definitions.json"))


@cache
def kinds() -> tuple[BuiltinKind, ...]:
    """Every built-in resource in every version that is served, in the order of discovery."""
    return tuple(_kind(fact) for fact in _read("kinds.json")["resources"])


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """The groups in the order of discovery, each with its versions, the preferred one first."""
    return {group["name"]: tuple(group["versions"]) for group in _read("kinds.json")["groups"]}


@cache
def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((_FOLDER / name).read_bytes())
    return found


def _kind(fact: Mapping[str, Any]) -> BuiltinKind:
    below = fact["subresources"]
    names = tuple(each["name"] for each in below)
    kind = Kind(fact["group"], fact["version"], fact["kind"], fact["plural"], fact["namespaced"], names)
    return BuiltinKind(
        kind=kind,
        singular=fact["singular"],
        definition=fact["definition"],
        verbs=frozenset(fact["verbs"]),
        short_names=tuple(fact.get("shortNames", ())),
        categories=tuple(fact.get("categories", ())),
        subresources={each["name"]: _subresource(kind, each) for each in below},
        forms={each["name"]: each["definition"] for each in below},
        storage_hash=fact.get("storageVersionHash", ""),
    )


def _subresource(kind: Kind, fact: Mapping[str, Any]) -> Subresource:
    form = Kind(fact["group"], fact["version"], fact["kind"], kind.plural, kind.namespaced)
    return Subresource(fact["name"], frozenset(fact["verbs"]), form)
