"""An account at PagerDuty in this process, the operator on it, and the objects that people make."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from windlass.aio import SystemClock
from windlass.api import ObjectMeta, Resource, find_condition
from windlass.operators.pagerduty import (
    BusinessService,
    EscalationPolicy,
    PagerDutyOptions,
    PagerdutyService,
    add_to,
)
from windlass.operators.pagerduty.simulator import Account, AccountWire

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.aio import Clock
    from windlass.manager import Manager
    from windlass.operators.pagerduty.api import Wire
    from windlass.operators.pagerduty.simulator import AccountOptions, Exchange

R = TypeVar("R", bound=Resource)
TOKEN = "the-token-of-the-operator"


def an_account(clock: Clock | None = None, options: AccountOptions | None = None) -> Account:
    """An account that knows the operator's token."""
    made = Account(clock=clock or SystemClock(), random=Random(4711), options=options)
    made.allow(TOKEN)
    return made


def on_call(account: Account, *, wire: Wire | None = None, **options: Any) -> Callable[[Manager], None]:
    """The operator, with its token unless the options say otherwise."""
    given = {"token": TOKEN} | options

    def added(manager: Manager) -> None:
        add_to(manager, PagerDutyOptions(**given), wire or AccountWire(account))

    return added


def policy(name: str, user: str, /, **spec: Any) -> EscalationPolicy:
    """A policy that notifies one user."""
    rules = [{"escalation_delay_in_minutes": 10, "targets": [user]}]
    return _made(EscalationPolicy, name, {"escalation_rules": rules, **spec})


def service(name: str, /, **spec: Any) -> PagerdutyService:
    """A service."""
    return _made(PagerdutyService, name, spec)


def business_service(name: str, /, **spec: Any) -> BusinessService:
    """A business service."""
    return _made(BusinessService, name, spec)


def condition(resource: Any, type_: str) -> tuple[str, str]:
    """The status and the reason of a condition."""
    found = find_condition(resource.status.conditions, type_)
    return (found.status, found.reason) if found else ("", "")


def told(resource: Any) -> str:
    """What the ready condition says."""
    found = find_condition(resource.status.conditions, "Ready")
    return found.message if found else ""


async def exchanged(account: Account, accept: Callable[[Exchange], bool]) -> None:
    """Wait until an exchange with the account is as wanted, one that is over included."""
    happened = asyncio.Event()

    def look(exchange: Exchange) -> None:
        if accept(exchange):
            happened.set()

    for each in account.journal:
        look(each)
    account.journal.listen(look)
    await happened.wait()


def _made(kind: type[R], name: str, spec: dict[str, Any]) -> R:
    made = kind.from_wire({"spec": {"name": f"the {name}", **spec}})
    made.metadata = ObjectMeta(name=name)
    return made
