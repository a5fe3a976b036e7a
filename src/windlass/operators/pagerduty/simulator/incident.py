"""Routes of incidents: those that are open are listed, and acknowledged or resolved by a person."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.operators.pagerduty.simulator.fields import accepted, choice, text
from windlass.operators.pagerduty.simulator.paging import page
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import incident

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.collection import Record
    from windlass.operators.pagerduty.simulator.request import Request

_STATUSES: Final = ("triggered", "acknowledged", "resolved")
_MONTH: Final = timedelta(days=30).total_seconds()
_MOST: Final = 250
_CHECKS = {
    "id": text(blank=False),
    "type": choice("incident", "incident_reference"),
    "status": choice("acknowledged", "resolved"),
}


def list_incidents(books: Books, request: Request) -> Answer:
    """Incidents of a month, or of all times, by their services and states; these may be those of before."""
    services, statuses = set(request.every("service_ids[]")), set(request.every("statuses[]"))
    if not statuses <= set(_STATUSES):
        raise Refusal.invalid("Statuses is not included in the list")
    every = request.one("date_range") == "all"
    oldest = books.clock.monotonic() - _MONTH
    found = [
        each
        for each in books.listed(books.incidents)
        if (not services or each.fields["service"] in services)
        and (not statuses or _shown(books, each) in statuses)
        and (every or each.since >= oldest)
    ]
    shown = page(request, "incidents", found, lambda each: incident(books, each, _shown(books, each)))
    return Answer(200, shown)


def update_incidents(books: Books, request: Request) -> Answer:
    """Acknowledge or resolve several, all of them or none, in the name of a user."""
    _sender(books, request)
    given = (request.call.body or {}).get("incidents")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise Refusal.invalid("the body must have an array 'incidents'")
    if len(given) > _MOST:
        raise Refusal(413, 2001, f"Request Entity Too Large: at most {_MOST} incidents can be updated")
    changes = [_change(books, each) for each in given]
    for record, status in changes:
        _set_status(books, record, status)
    return Answer(200, {"incidents": [incident(books, each, each.fields["status"]) for each, _ in changes]})


def open_incident(books: Books, service_id: str, title: str, status: str) -> str:
    """A new one, whose id is returned.

    Raises:
        Refusal: there is no such service.
    """
    service = books.services.get(service_id)
    record = books.record(
        {
            "name": title,
            "number": len(books.incidents) + 1,
            "service": service_id,
            "policy": service.fields["escalation_policy"],
            "status": status,
            "before": status,
            "changed": books.clock.monotonic(),
        }
    )
    books.incidents.add(record)
    return record.id


def _sender(books: Books, request: Request) -> None:
    """Make sure that a user acts: the one whose key it is, or the one that the header names.

    Raises:
        Refusal: nobody does.
    """
    headers = {name.lower(): value for name, value in request.call.headers.items()}
    email = headers.get("from", "")
    if not email:
        if request.user is None:
            said = 'You must specify a user\'s email address in the "From" header to perform this action'
            raise Refusal(400, 2016, said)
        return
    if "@" not in email:
        raise Refusal(400, 1028, 'Malformed "From" header')
    if not any(each.fields["email"].casefold() == email.casefold() for each in books.users):
        raise Refusal(400, 1008, "Requester User Not Found", ())


def _change(books: Books, given: Json) -> tuple[Record, str | None]:
    """Which one, and what it becomes.

    Raises:
        Refusal: it cannot become that.
    """
    wanted: Any = accepted(_CHECKS, given, ("id", "type"))
    record = books.incidents.get(wanted["id"])
    if record.fields["status"] == "resolved":
        raise Refusal.invalid("Incident Already Resolved")
    return record, wanted.get("status")


def _set_status(books: Books, record: Record, status: str | None) -> None:
    fields = record.fields
    if status is not None and status != fields["status"]:
        fields |= {"before": fields["status"], "status": status, "changed": books.clock.monotonic()}


def _shown(books: Books, record: Record) -> str:
    """The state in a list, which may be late."""
    fresh = books.clock.monotonic() < record.fields["changed"] + _lag(books)
    status: str = record.fields["before" if fresh else "status"]
    return status


def _lag(books: Books) -> float:
    return books.faults.weather.incident_lag.total_seconds()
