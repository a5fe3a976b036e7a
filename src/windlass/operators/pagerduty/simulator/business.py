"""Routes of business services: what an organisation offers, and who answers for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.dependency import forget
from windlass.operators.pagerduty.simulator.fields import accepted, optional, shaped, text
from windlass.operators.pagerduty.simulator.paging import page
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import business_service

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Request

_WRAPPER = "business_service"
_CHECKS = {
    "name": text(longest=255, blank=False),
    "description": optional(text()),
    "point_of_contact": optional(text()),
    "team": optional(shaped({"id": text(blank=False)}, "id")),
}


def list_business_services(books: Books, request: Request) -> Answer:
    """All of them; this list knows no filter."""
    found = sorted(books.listed(books.business_services), key=lambda each: (each.name.casefold(), each.id))
    return Answer(200, page(request, "business_services", found, lambda each: business_service(books, each)))


def create_business_service(books: Books, request: Request) -> Answer:
    """A new one, answered with 200 and not with 201."""
    given = accepted(_CHECKS, request.entity(_WRAPPER), ("name",))
    if len(books.business_services) >= books.limits.business_services:
        raise Refusal.invalid("Product limit exceeded")
    fresh = {"description": None, "point_of_contact": None, "team": None}
    record = books.record(fresh | _resolved(books, given))
    books.business_services.add(record)
    return Answer(200, {_WRAPPER: business_service(books, record)})


def get_business_service(books: Books, request: Request) -> Answer:
    """One of them."""
    return Answer(200, {_WRAPPER: business_service(books, books.read(books.business_services, request.id))})


def update_business_service(books: Books, request: Request) -> Answer:
    """Set what was given; the rest stays."""
    record = books.business_services.get(request.id)
    books.business_services.update(record, _resolved(books, accepted(_CHECKS, request.entity(_WRAPPER))))
    return Answer(200, {_WRAPPER: business_service(books, record)})


def delete_business_service(books: Books, request: Request) -> Answer:
    """Let it go, its dependencies with it."""
    books.business_services.remove(request.id)
    forget(books, request.id)
    return Answer(204)


def _resolved(books: Books, given: Json) -> Json:
    team = given.get("team")
    if team is None:
        return given
    books.need("teams")
    return given | {"team": books.teams.get(team["id"]).id}
