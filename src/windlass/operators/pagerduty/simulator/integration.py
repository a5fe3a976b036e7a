"""Routes of integrations: how events get to a service, and the key that they are sent with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.fields import accepted, choice, optional, shaped, text
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import integration

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.collection import Record
    from windlass.operators.pagerduty.simulator.request import Request

_WRAPPER = "integration"
_EMAIL = "generic_email_inbound_integration"
_TYPES = (
    "aws_cloudwatch_inbound_integration",
    "cloudkick_inbound_integration",
    "event_transformer_api_inbound_integration",
    _EMAIL,
    "generic_events_api_inbound_integration",
    "keynote_inbound_integration",
    "nagios_inbound_integration",
    "pingdom_inbound_integration",
    "sql_monitor_inbound_integration",
    "events_api_v2_inbound_integration",
)
_CHECKS = {
    "type": choice(*_TYPES),
    "name": text(longest=255, blank=False),
    "vendor": optional(shaped({"id": text(blank=False)}, "id")),
    "integration_email": text(blank=False),
}


def create_integration(books: Books, request: Request) -> Answer:
    """A new one, with a new key."""
    service = books.services.get(request.id)
    given = accepted(_CHECKS, request.entity(_WRAPPER), ("type", "name"))
    fields = _resolved(books, given) | {"service": service.id}
    if given["type"] == _EMAIL:
        if "integration_email" not in given:
            raise Refusal.invalid("Integration email can't be blank")
    else:
        fields["integration_key"] = books.ids.key()
    record = books.record({"vendor": None, **fields})
    books.integrations.add(record)
    return Answer(201, {_WRAPPER: integration(books, record)})


def get_integration(books: Books, request: Request) -> Answer:
    """One of them."""
    books.read(books.integrations, request.path["integration_id"])
    return Answer(200, {_WRAPPER: integration(books, _found(books, request))})


def update_integration(books: Books, request: Request) -> Answer:
    """Set what was given; its type and its key stay."""
    record = _found(books, request)
    given = accepted(_CHECKS, request.entity(_WRAPPER))
    if given.get("type", record.fields["type"]) != record.fields["type"]:
        raise Refusal.invalid("Type can't be changed")
    books.integrations.update(record, _resolved(books, given))
    return Answer(200, {_WRAPPER: integration(books, record)})


def delete_integration(books: Books, request: Request) -> Answer:
    """Let it go. PagerDuty does so, although its document does not say so."""
    books.integrations.remove(_found(books, request).id)
    return Answer(204)


def _found(books: Books, request: Request) -> Record:
    record = books.integrations.get(request.path["integration_id"])
    if record.fields["service"] != request.id:
        raise Refusal.not_found()
    return record


def _resolved(books: Books, given: Json) -> Json:
    vendor = given.get("vendor")
    return given if vendor is None else given | {"vendor": books.vendors.get(vendor["id"]).id}
