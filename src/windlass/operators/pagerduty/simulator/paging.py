from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.collection import Record
    from windlass.operators.pagerduty.simulator.request import Request

_USUAL, _MOST, _WALL = 25, 100, 10_000


def page(request: Request, plural: str, found: Iterable[Record], render: Callable[[Record], Json]) -> Json:
    """One page of what was found, as `limit` and `offset` ask for it.

    `total` is null unless it was asked for. Nobody gets past the first 10,000: ask for less instead.

    Raises:
        Refusal: the parameters are no numbers, or reach past the wall.
    """
    limit = min(_number(request, "limit", _USUAL, least=1), _MOST)
    offset = _number(request, "offset", 0, least=0)
    if limit + offset > _WALL:
        raise Refusal.invalid(f"Offset plus limit must be less than or equal to {_WALL}")
    every = list(found)
    shown = every[offset : offset + limit]
    return {
        plural: [render(record) for record in shown],
        "limit": limit,
        "offset": offset,
        "more": offset + limit < len(every),
        "total": len(every) if request.one("total") == "true" else None,
    }


def matching(request: Request, records: Iterable[Record], *also: str) -> list[Record]:
    """Those whose name, or another field, contains the `query`, in the order of their names."""
    wanted = (request.one("query") or "").casefold()
    fields = ("name", *also)
    found = [
        each
        for each in records
        if not wanted or any(wanted in str(each.fields.get(name, "")).casefold() for name in fields)
    ]
    descending = request.one("sort_by") == "name:desc"
    return sorted(found, key=lambda each: (each.name.casefold(), each.id), reverse=descending)


def _number(request: Request, name: str, default: int, *, least: int) -> int:
    given = request.one(name)
    if given is None:
        return default
    if not given.isascii() or not given.isdigit() or int(given) < least:
        raise Refusal.invalid(f"{name.capitalize()} must be an integer of at least {least}")
    return int(given)
