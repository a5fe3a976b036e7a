"""Routes of teams, which an account may or may not have paid for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.fields import accepted, choice, optional, text
from windlass.operators.pagerduty.simulator.paging import matching, page
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import plain

if TYPE_CHECKING:
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Request

_WRAPPER = "team"
_CHECKS = {
    "type": choice("team"),
    "name": text(longest=100, blank=False),
    "description": optional(text()),
    "default_role": choice("manager", "none"),
}
_REQUIRED = ("type", "name")


def list_teams(books: Books, request: Request) -> Answer:
    """Teams, found by a part of their name."""
    books.need("teams")
    found = matching(request, books.listed(books.teams))
    return Answer(200, page(request, "teams", found, lambda each: plain(books, books.teams, each)))


def create_team(books: Books, request: Request) -> Answer:
    """A new one."""
    books.need("teams")
    given = accepted(_CHECKS, request.entity(_WRAPPER), _REQUIRED)
    record = books.record({"description": None, "default_role": "manager", **given})
    books.teams.add(record)
    return Answer(201, {_WRAPPER: plain(books, books.teams, record)})


def get_team(books: Books, request: Request) -> Answer:
    """One of them."""
    books.need("teams")
    return Answer(200, {_WRAPPER: plain(books, books.teams, books.read(books.teams, request.id))})


def update_team(books: Books, request: Request) -> Answer:
    """Set what was given; the rest stays."""
    books.need("teams")
    record = books.teams.get(request.id)
    books.teams.update(record, accepted(_CHECKS, request.entity(_WRAPPER), _REQUIRED))
    return Answer(200, {_WRAPPER: plain(books, books.teams, record)})


def delete_team(books: Books, request: Request) -> Answer:
    """Let it go, unless a policy or a business service belongs to it."""
    books.need("teams")
    books.teams.get(request.id)
    policies = [each for each in books.policies if request.id in each.fields["teams"]]
    if policies or any(each.fields["team"] == request.id for each in books.business_services):
        raise Refusal(400, 6006, "The team cannot be deleted as there are associations to it", ())
    books.teams.remove(request.id)
    return Answer(204)


def add_policy(books: Books, request: Request) -> Answer:
    """Let a policy belong to a team, and to no other."""
    books.need("teams")
    policy = books.policies.get(request.path["escalation_policy_id"])
    policy.fields["teams"] = [books.teams.get(request.id).id]
    return Answer(204)


def remove_policy(books: Books, request: Request) -> Answer:
    """Let a policy leave its team."""
    books.need("teams")
    policy = books.policies.get(request.path["escalation_policy_id"])
    if books.teams.get(request.id).id not in policy.fields["teams"]:
        raise Refusal.not_found()
    policy.fields["teams"] = []
    return Answer(204)
