"""Each request to a simulated account and each answer of it, held against what PagerDuty's are like."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pagerduty_facts import ERROR, REFUSALS, ROUTES, template_of
from pagerduty_schema import Validator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.operators.pagerduty.api import Call, Reply
    from windlass.operators.pagerduty.simulator import Account, Exchange

    Document = dict[str, Any]

_VARIABLE = "WINDLASS_PAGERDUTY_OPENAPI"
_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data" / "pagerduty-openapi.json"
_GOOD = 400
_NOBODY = (401, 406)  # before anybody is counted
_LIMITS = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"}
_A_TEXT = ("/users/me", 400)  # PagerDuty's own client knows that this error is a text, and not an object
_UNDOCUMENTED = {
    ("DELETE", "/services/{id}/integrations/{integration_id}"),
    ("PATCH", "/business_services/{id}"),
}


@cache
def document() -> Document | None:
    """PagerDuty's OpenAPI document where there is one, with its known faults mended.

    It says that the assignment strategy of a rule is a text, which its own examples contradict, and that one
    vendor is a list, which PagerDuty's own clients contradict.
    """
    path = Path(os.environ.get(_VARIABLE, _BESIDE))
    if not path.exists():
        return None
    read: Document = orjson.loads(path.read_bytes())
    rule = read["components"]["schemas"]["EscalationRule"]["properties"]
    strategy = rule["escalation_rule_assignment_strategy"]
    if strategy["type"] == "string":
        rule["escalation_rule_assignment_strategy"] = {"type": "object", "properties": {"type": strategy}}
    vendor = read["paths"]["/vendors/{id}"]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    if vendor["properties"]["vendor"].get("type") == "array":
        vendor["properties"]["vendor"] = vendor["properties"]["vendor"]["items"]
    return read


def left_out(known: Document) -> set[tuple[str, str]]:
    """Routes that PagerDuty documents, where the document that is present has none of the tag."""
    return set() if "/incidents" in known["paths"] else {("GET", "/incidents"), ("PUT", "/incidents")}


def checked(account: Account) -> list[str]:
    """A list to which every fault will be added that the account's requests and answers have from now on."""
    found: list[str] = []
    account.journal.listen(lambda exchange: found.extend(faults(exchange)))
    return found


def faults(exchange: Exchange) -> Iterator[str]:
    """What is wrong with a request and its answer."""
    call, reply = exchange.call, exchange.reply
    template = template_of(call.method, call.path)
    if reply is None or template is None:
        return
    named = f"{call.method} {template} {reply.status}"
    for fault in (*_by_facts(template, call, reply), *_by_document(template, call, reply)):
        yield f"{named}: {fault}"


def _by_facts(template: str, call: Call, reply: Reply) -> Iterator[str]:
    route, strict = ROUTES[call.method, template], Validator()
    if reply.status not in _NOBODY and not reply.headers.keys() >= _LIMITS:
        yield "lacks a header of the rate limit"
    if reply.status >= _GOOD:
        yield from () if reply.status in REFUSALS else ["is no known refusal"]
        yield from strict.faults(ERROR, orjson.loads(reply.body)) if reply.body else ()
        return
    if reply.status != route.status:
        yield f"should be {route.status}"
    if route.asked is not None:
        yield from (f"request: {each}" for each in strict.faults(route.asked, call.body))
    if route.answer is None:
        yield from ["has a body"] if reply.body else []
    elif reply.body:  # an empty one was asked for
        yield from strict.faults(route.answer, orjson.loads(reply.body))


def _by_document(template: str, call: Call, reply: Reply) -> Iterator[str]:
    """Its nulls are not declared, and where `include[]` puts a whole object it still has a reference."""
    known = document()
    if known is None or (call.method, template) in _UNDOCUMENTED | left_out(known):
        return
    operation = known["paths"][template][call.method.lower()]
    loose = Validator(known, loose=True)
    if reply.status < _GOOD and "requestBody" in operation:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        yield from (f"document, request: {each}" for each in loose.faults(schema, call.body))
    answer = operation["responses"].get(str(reply.status))
    if (template, reply.status) == _A_TEXT:
        return
    if answer is None:
        yield from [] if reply.status >= _GOOD else ["document: no such answer"]
        return
    content = loose._resolved(answer).get("content", {})
    included = any(name == "include[]" for name, _ in call.query)
    if content and reply.body and not included:
        schema = content["application/json"]["schema"]
        yield from (f"document: {each}" for each in loose.faults(schema, orjson.loads(reply.body)))
