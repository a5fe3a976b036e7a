"""What the objects of a list have in common, kept once.

pydantic gives each object a set of the fields that were set (728 bytes for the usual metadata) and a
dictionary of what its type does not know (64 bytes, mostly empty). `share` makes objects that were read alike
refer to one frozen set and to one empty tuple instead. The attributes that pydantic and others use are
`owned_fields_set` and `owned_extra`: whoever reads one gets what belongs to that object alone, made on the
spot. So nobody can change what others share, or even see it.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.api.metadata import ObjectMeta

_FIELDS_SET = BaseModel.__dict__["__pydantic_fields_set__"]
_EXTRA = BaseModel.__dict__["__pydantic_extra__"]
_NO_EXTRA = ()
_owning = Lock()

fields_set: Callable[[BaseModel], set[str] | frozenset[str]] = _FIELDS_SET.__get__
"""The fields of an object that were set, to look at only."""

extra: Callable[[BaseModel], dict[str, Any] | tuple[()] | None] = _EXTRA.__get__
"""What the type of an object does not know, to look at only."""


def _owned(slot: Any, shared: type, own: Callable[[Any], Any]) -> property:
    read, write = slot.__get__, slot.__set__

    def get(model: BaseModel) -> Any:
        value = read(model)
        if type(value) is not shared:
            return value
        with _owning:  # two threads that change one object must get the same
            value = read(model)
            if type(value) is shared:
                value = own(value)
                write(model, value)
            return value

    return property(get, write)  # no function of ours: pydantic writes both for each object that it makes


owned_fields_set = _owned(_FIELDS_SET, frozenset, set)
owned_extra = _owned(_EXTRA, tuple, dict)


def share(models: Iterable[BaseModel]) -> None:
    """Let objects of one type keep once that they have the same fields set, and that they have no others."""
    known: dict[frozenset[str], frozenset[str]] = {}
    last: frozenset[str] = frozenset()
    write_fields_set, write_extra = _FIELDS_SET.__set__, _EXTRA.__set__
    for model in models:
        own, unknown = fields_set(model), extra(model)
        if own != last:
            last = frozenset(own)
            last = known.setdefault(last, last)
        write_fields_set(model, last)
        if not unknown and unknown is not None:
            write_extra(model, _NO_EXTRA)


def share_text(all_metadata: Iterable[ObjectMeta]) -> None:
    """Keep once the text that many objects have: their namespace and the values of their labels."""
    known: dict[str, str] = {}
    for metadata in all_metadata:
        values = metadata.__dict__
        values["namespace"] = known.setdefault(values["namespace"], values["namespace"])
        labels = values["labels"]
        for key, value in labels.items():
            labels[key] = known.setdefault(value, value)
