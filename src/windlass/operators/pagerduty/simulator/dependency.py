"""Routes of dependencies: which service another one stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.simulator.books import Dependency
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.collection import Collection
    from windlass.operators.pagerduty.simulator.request import Request

_TECHNICAL = ("service", "service_reference", "technical_service", "technical_service_reference")
_BUSINESS = ("business_service", "business_service_reference")


def associate(books: Books, request: Request) -> Answer:
    """Let services stand on others; one that does so already is answered as it is."""
    pairs = [_pair(books, each) for each in _relationships(request)]
    for supporting, dependent in pairs:
        _allowed(books, supporting, dependent)
    made = [_standing(books, *pair) or _add(books, *pair) for pair in pairs]
    return Answer(200, {"relationships": [_relationship(books, each) for each in made]})


def disassociate(books: Books, request: Request) -> Answer:
    """End dependencies. One that does not exist is not found, and then none ends."""
    found = [_standing(books, *_pair(books, each)) for each in _relationships(request)]
    ended = [each for each in found if each is not None]
    if len(ended) < len(found):
        raise Refusal.no_service()
    answer = [_relationship(books, each) for each in ended]
    _end(books, ended)
    return Answer(200, {"relationships": answer})


def list_of_business_service(books: Books, request: Request) -> Answer:
    """What a business service stands on, and what stands on it."""
    return _list(books, books.business_services, request.id)


def list_of_service(books: Books, request: Request) -> Answer:
    """What a service stands on, and what stands on it."""
    return _list(books, books.services, request.id)


def forget(books: Books, service_id: str) -> None:
    """A service is gone: so are its dependencies, at once."""
    books.dependencies = [
        each for each in books.dependencies if service_id not in (each.supporting, each.dependent)
    ]


def standing(books: Books) -> Iterator[Dependency]:
    """Those that exist now, whatever a list would show."""
    return (each for each in books.dependencies if each.until is None)


def _list(books: Books, collection: Collection, id_: str) -> Answer:
    if id_ not in collection:
        raise Refusal.no_service()
    lag = books.faults.weather.dependency_lag.total_seconds()
    then = books.clock.monotonic() - lag
    shown = [
        each
        for each in books.dependencies
        if id_ in (each.supporting, each.dependent)
        and (each.since <= then or not lag)
        and (each.until is None or then < each.until)
    ]
    return Answer(200, {"relationships": [_relationship(books, each) for each in shown]})


def _relationships(request: Request) -> list[Any]:
    given: Any = (request.call.body or {}).get("relationships")
    if not isinstance(given, list) or not given:
        raise Refusal.invalid("relationships can't be blank")
    return given


def _pair(books: Books, relationship: Any) -> tuple[str, str]:
    sides = ("supporting_service", "dependent_service")
    if not isinstance(relationship, dict) or any(
        not isinstance(relationship.get(side), dict) for side in sides
    ):
        raise Refusal.invalid("a relationship must have a supporting_service and a dependent_service")
    supporting, dependent = (_peer(books, relationship[side]) for side in sides)
    return supporting, dependent


def _peer(books: Books, given: Json) -> str:
    kind, id_ = given.get("type"), given.get("id")
    if kind not in (*_TECHNICAL, *_BUSINESS):
        raise Refusal.invalid(f"type must be service or business_service, not {kind}")
    if not isinstance(id_, str) or id_ not in (
        books.business_services if kind in _BUSINESS else books.services
    ):
        raise Refusal.no_service()
    return id_


def _allowed(books: Books, supporting: str, dependent: str) -> None:
    """Make sure that a service does not come to stand on itself, on too many, or on too high a tower."""
    if supporting == dependent or dependent in _below(books, supporting):
        raise Refusal.invalid("a service can't depend on itself")
    for each in (supporting, dependent):
        if _count(books, each) >= books.limits.dependencies:
            raise Refusal.invalid(f"a service can have {books.limits.dependencies} dependencies at most")
    if _height(books, supporting) + 1 + _height(books, dependent, up=True) > books.limits.depth:
        raise Refusal.invalid(f"dependencies can be {books.limits.depth} deep at most")


def _count(books: Books, service_id: str) -> int:
    return sum(service_id in (each.supporting, each.dependent) for each in standing(books))


def _below(books: Books, service_id: str) -> set[str]:
    """Everything that a service stands on, near and far."""
    found: set[str] = set()
    ahead = {service_id}
    while ahead:
        ahead = {each.supporting for each in standing(books) if each.dependent in ahead} - found
        found |= ahead
    return found


def _height(books: Books, service_id: str, *, up: bool = False) -> int:
    """How many services stand on one another under this one, or on it."""
    steps = [(each.supporting, each.dependent) for each in standing(books)]
    edges = steps if up else [(over, under) for under, over in steps]
    height, level = 0, {service_id}
    while level := {to for start, to in edges if start in level}:
        height += 1
    return height


def _standing(books: Books, supporting: str, dependent: str) -> Dependency | None:
    pairs = ((each.supporting, each.dependent, each) for each in standing(books))
    return next((each for under, over, each in pairs if (under, over) == (supporting, dependent)), None)


def _add(books: Books, supporting: str, dependent: str) -> Dependency:
    made = Dependency(books.ids.dependency(), supporting, dependent, books.clock.monotonic())
    books.dependencies.append(made)
    return made


def _end(books: Books, ended: list[Dependency]) -> None:
    """Keep those that ended for as long as a list may still show them."""
    now, lag = books.clock.monotonic(), books.faults.weather.dependency_lag.total_seconds()
    marked = [each._replace(until=now) if each in ended else each for each in books.dependencies]
    books.dependencies = [each for each in marked if each.until is None or now < each.until + lag]


def _relationship(books: Books, dependency: Dependency) -> Json:
    return {
        "id": dependency.id,
        "type": "service_dependency",
        "supporting_service": _named(books, dependency.supporting),
        "dependent_service": _named(books, dependency.dependent),
    }


def _named(books: Books, id_: str) -> Json:
    kind = "business_service" if id_ in books.business_services else "technical_service"
    return {"id": id_, "type": f"{kind}_reference"}
