"""Lists and objects: how much is in them, and the judgement of what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from windlass.schema.custom.judge.complaint import Complaint, Sort, moved
from windlass.schema.value import alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windlass.schema.custom.judge.check import Check, Judging, Tally
    from windlass.schema.custom.judge.ratchet import Link

_TYPE_META: Final = ("apiVersion", "kind")


def judged(judge: Judging, value: Any, link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
    """What is wrong with a value unless it was so before."""
    found = judge.complaints(value, link, tally)
    return () if found and link is not None and link.same() else found


def list_check(schema: Mapping[str, Any], items: Judging | None) -> Check | None:
    """What a schema asks of a list; `None` if that is nothing."""
    counts = _count_check(schema, "Items", "items")
    unique = schema.get("uniqueItems", False)
    if items is None and counts is None and not unique:
        return None

    def check(value: Any, link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
        found: list[Complaint] = []
        if items is not None:
            for position, item in enumerate(value):
                if tally is None and not items.checks[type(item)]:
                    continue
                below = link.item(position) if link is not None else None
                said = judged(items, item, below, tally)
                if said:
                    found += moved(said, f"[{position}]")
        if counts is not None:
            found += counts(value)
        if unique and _has_duplicates(value):
            found.append(Complaint(Sort.VALUE, " in body shouldn't contain duplicates"))
        return found

    return check


def object_check(
    schema: Mapping[str, Any],
    properties: Mapping[str, Judging],
    additional: Judging | Literal[False] | None,
    dot: str,
) -> Check | None:
    """What a schema asks of an object; `None` if that is nothing.

    `additional` is False where fields that are no properties are refused. `dot` stands before the name of a
    property in a path, and is empty at the root.
    """
    counts = _count_check(schema, "Properties", "properties")
    fields = _field_check(properties, additional, dot) if properties or additional is not None else None
    required = schema.get("required") or ()
    if fields is None and counts is None and not required:
        return None

    def check(value: Any, link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
        found = [*counts(value)] if counts is not None else []
        if fields is not None:
            found += fields(value, link, tally)
        for name in required:
            if name not in value:
                found += moved([Complaint(Sort.REQUIRED, " in body is required")], f".{name}")
        return found

    return check


def _field_check(
    properties: Mapping[str, Judging], additional: Judging | Literal[False] | None, dot: str
) -> Check:
    def check(value: Any, link: Link | None, tally: Tally | None) -> Sequence[Complaint]:
        found: list[Complaint] = []
        for name, item in value.items():
            judge = properties.get(name) or additional
            if judge is None:
                continue
            if judge is False:
                found.append(Complaint(Sort.VALUE, f".{name} in body is a forbidden property", name))
                continue
            if tally is None and not judge.checks[type(item)]:
                continue
            below = _below(link, name, dot) if link is not None else None
            said = judged(judge, item, below, tally)
            if said:
                found += moved(said, f"{dot if name in properties else '.'}{name}")
        return found

    return check


def _below(link: Link, name: str, dot: str) -> Link | None:
    """The link of a field. The type of the whole object is always judged."""
    return link.key(name) if dot or name not in _TYPE_META else None


def _count_check(
    schema: Mapping[str, Any], keyword: str, things: str
) -> Callable[[Any], Iterator[Complaint]] | None:
    least, most = schema.get(f"min{keyword}"), schema.get(f"max{keyword}")
    if least is None and most is None:
        return None

    def check(value: Any) -> Iterator[Complaint]:
        size = len(value)
        if least is not None and size < least:
            yield Complaint(Sort.VALUE, f" in body should have at least {least} {things}", size)
        if most is not None and size > most:
            yield Complaint(Sort.COUNT, f" in body should have at most {most} {things}", size, most)

    return check


def _has_duplicates(items: Sequence[Any]) -> bool:
    return any(alike(one, other) for place, one in enumerate(items) for other in items[:place])
