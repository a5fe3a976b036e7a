from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal

from windlass.operators.pagerduty.api import Call
from windlass.operators.pagerduty.simulator.incident import open_incident
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Request
from windlass.operators.pagerduty.simulator.routes import match

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.collection import Collection

_PRIORITIES = ("P1", "P2", "P3", "P4", "P5")


class ByHand:
    """What people do on PagerDuty's own pages: no key, no limit, no fault, no journal, but the same rules.

    account.by_hand("POST", "/business_services", {"business_service": {"name": "Checkout"}})
    account.by_hand.edit(service_id, description="by hand")
    """

    def __init__(self, books: Books) -> None:
        self._books = books
        for name in _PRIORITIES:
            self._add(books.priorities, {"name": name, "description": ""})

    def __call__(self, method: str, path: str, body: Json | None = None) -> Json:
        """A request, and what it answers.

        Raises:
            Refusal: it cannot be done.
        """
        found = match(method, path)
        call = Call(method=method, path=path, body=body)
        # A copy: what a person does with an answer changes nothing.
        return deepcopy(found.handler(self._books, Request(call=call, path=found.path)).body or {})

    def edit(self, id_: str, **fields: Any) -> None:
        """Set fields of a policy, a service or a business service, and leave the others as they are.

        Raises:
            Refusal: there is none, or it may not be like this.
        """
        path, kind = self._place(id_)
        self("PUT", path, {kind: self("GET", path)[kind] | fields})

    def remove(self, id_: str) -> None:
        """Delete a policy, a service or a business service.

        Raises:
            Refusal: there is none, or it is in use.
        """
        self("DELETE", self._place(id_)[0])

    def trouble(self, service_id: str, state: Literal["warning", "critical"] | None) -> None:
        """Let a service look as if it had incidents: open ones are critical, acknowledged ones a warning.

        Raises:
            Refusal: there is no such service.
        """
        self._books.services.get(service_id).fields["trouble"] = state

    def open_incident(
        self,
        service_id: str,
        title: str = "It is broken",
        *,
        status: Literal["triggered", "acknowledged"] = "triggered",
    ) -> str:
        """Let something be wrong with a service, which is critical, or a warning once it is acknowledged.

        The id of the incident is returned.

        Raises:
            Refusal: there is no such service.
        """
        return open_incident(self._books, service_id, title, status)

    def add_user(self, name: str, email: str, *, id_: str | None = None) -> str:
        """A person, whose id is returned; a new one, unless it must be a certain one."""
        fields = {"name": name, "email": email, "role": "user", "time_zone": "Etc/UTC", "teams": []}
        return self._add(self._books.users, fields, id_)

    def add_schedule(self, name: str, *users: str) -> str:
        """A schedule in which these users take turns, whose id is returned."""
        fields = {"name": name, "description": "", "time_zone": "Etc/UTC", "users": list(users)}
        return self._add(self._books.schedules, fields)

    def add_team(self, name: str) -> str:
        """A team, whose id is returned."""
        return self._add(self._books.teams, {"name": name, "description": None, "default_role": "manager"})

    def add_vendor(self, name: str) -> str:
        """A maker of what sends events, whose id is returned."""
        return self._add(self._books.vendors, {"name": name, "description": "", "website_url": None})

    def _add(self, collection: Collection, fields: Json, id_: str | None = None) -> str:
        record = self._books.record(fields)
        record.id = id_ or record.id
        collection.add(record)
        return record.id

    def _place(self, id_: str) -> tuple[str, str]:
        """The path and the kind of what a person may change."""
        books = self._books
        for collection in (books.policies, books.services, books.business_services):
            if id_ in collection:
                return f"{collection.path}/{id_}", collection.kind
        raise Refusal.not_found()
