"""Routes of what an operator only reads: users, schedules, vendors, priorities and abilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.books import KNOWN_ABILITIES
from windlass.operators.pagerduty.simulator.paging import matching, page
from windlass.operators.pagerduty.simulator.refusal import Refusal, UserlessKey
from windlass.operators.pagerduty.simulator.request import Answer
from windlass.operators.pagerduty.simulator.views import plain, schedule, user

if TYPE_CHECKING:
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Request


def list_users(books: Books, request: Request) -> Answer:
    """People, found by a part of their name or address."""
    teams = set(request.every("team_ids[]"))
    found = [
        each
        for each in matching(request, books.listed(books.users), "email")
        if not teams or teams & set(each.fields["teams"])
    ]
    return Answer(200, page(request, "users", found, lambda each: user(books, each)))


def get_user(books: Books, request: Request) -> Answer:
    """One of them."""
    return Answer(200, {"user": user(books, books.read(books.users, request.id))})


def get_me(books: Books, request: Request) -> Answer:
    """Whose key it is. A key of the account is nobody's."""
    if request.user is None:
        raise UserlessKey
    return Answer(200, {"user": user(books, books.users.get(request.user))})


def list_schedules(books: Books, request: Request) -> Answer:
    """Schedules, found by a part of their name."""
    found = matching(request, books.listed(books.schedules))
    return Answer(200, page(request, "schedules", found, lambda each: schedule(books, each)))


def get_schedule(books: Books, request: Request) -> Answer:
    """One of them."""
    return Answer(200, {"schedule": schedule(books, books.read(books.schedules, request.id))})


def list_schedule_users(books: Books, request: Request) -> Answer:
    """Who takes turns in a schedule."""
    people: list[str] = books.read(books.schedules, request.id).fields["users"]
    return Answer(
        200, {"users": [user(books, books.users.get(each)) for each in people if each in books.users]}
    )


def list_vendors(books: Books, request: Request) -> Answer:
    """Makers of what sends events."""
    found = matching(request, books.vendors)
    return Answer(200, page(request, "vendors", found, lambda each: plain(books, books.vendors, each)))


def get_vendor(books: Books, request: Request) -> Answer:
    """One of them."""
    return Answer(200, {"vendor": plain(books, books.vendors, books.vendors.get(request.id))})


def list_priorities(books: Books, request: Request) -> Answer:
    """Priorities, the most severe first."""
    shown = page(request, "priorities", books.priorities, lambda each: plain(books, books.priorities, each))
    return Answer(200, shown)


def list_abilities(books: Books, _: Request) -> Answer:
    """What the account has paid for."""
    return Answer(200, {"abilities": sorted(books.abilities)})


def test_ability(books: Books, request: Request) -> Answer:
    """Whether it has paid for this."""
    if request.id not in KNOWN_ABILITIES:
        raise Refusal.not_found()
    books.need(request.id)
    return Answer(204)
