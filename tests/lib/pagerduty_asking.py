"""Requests to a simulated account, written short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from windlass.operators.pagerduty.api import Call

if TYPE_CHECKING:
    from windlass.operators.pagerduty.simulator import Account

KEY = "y_NbAkKc66ryYTWUXYEu"
ACCEPT = "application/vnd.pagerduty+json;version=2"
HEADERS = {"Authorization": f"Token token={KEY}", "Accept": ACCEPT}


class Told(NamedTuple):
    """What an account answered."""

    status: int
    body: Any

    @property
    def errors(self) -> list[str]:
        """What it says is wrong."""
        found: list[str] = self.body["error"].get("errors", [])
        return found


def calling(
    method: str, path: str, body: dict[str, Any] | None = None, *query: tuple[str, str], **headers: str
) -> Call:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    return Call(method=method, path=path, body=body, query=query, headers=HEADERS | given)


class Asking:
    """An account, asked at once and without a wait."""

    def __init__(self, account: Account) -> None:
        self.account = account

    def __call__(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *query: tuple[str, str],
        **headers: str,
    ) -> Told:
        reply = self.account.handle(calling(method, path, body, *query, **headers))
        return Told(reply.status, orjson.loads(reply.body) if reply.body else None)

    def policy(self, user: str, **fields: Any) -> str:
        """Create an escalation policy; its id."""
        told = self("POST", "/escalation_policies", policy(user, **fields))
        assert told.status == 201, told
        made: str = told.body["escalation_policy"]["id"]
        return made

    def service(self, policy_id: str, **fields: Any) -> str:
        """Create a service; its id."""
        told = self("POST", "/services", service(policy_id, **fields))
        assert told.status == 201, told
        made: str = told.body["service"]["id"]
        return made

    def business(self, name: str, **fields: Any) -> str:
        """Create a business service; its id."""
        told = self("POST", "/business_services", {"business_service": {"name": name, **fields}})
        assert told.status == 200, told
        made: str = told.body["business_service"]["id"]
        return made


def rule(*targets: str, delay: int = 10, kind: str = "user_reference") -> dict[str, Any]:
    return {
        "escalation_delay_in_minutes": delay,
        "targets": [{"id": each, "type": kind} for each in targets],
    }


def policy(user: str, **fields: Any) -> dict[str, Any]:
    base = {"type": "escalation_policy", "name": "On call", "escalation_rules": [rule(user)]}
    return {"escalation_policy": base | fields}


def service(policy_id: str, **fields: Any) -> dict[str, Any]:
    reference = {"id": policy_id, "type": "escalation_policy_reference"}
    return {"service": {"type": "service", "name": "Shop", "escalation_policy": reference} | fields}


def relationship(supporting: str, dependent: str, *kinds: str) -> dict[str, Any]:
    under, over = kinds or ("service", "business_service")
    pair = {
        "supporting_service": {"id": supporting, "type": under},
        "dependent_service": {"id": dependent, "type": over},
    }
    return {"relationships": [pair]}
