from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.operators.pagerduty.adapter import POLICY
from windlass.operators.pagerduty.controllers.claim import by_name
from windlass.operators.pagerduty.controllers.deletion import (
    erase,
    let_go,
    locate,
    wait_for_services,
)
from windlass.operators.pagerduty.controllers.existence import create, find
from windlass.operators.pagerduty.controllers.reference import policy_key, resolve_targets
from windlass.operators.pagerduty.controllers.token import resolve_token
from windlass.operators.pagerduty.controllers.update import report, update
from windlass.operators.pagerduty.controllers.upkeep import Upkeep
from windlass.operators.pagerduty.options import PagerDutyOptions
from windlass.operators.pagerduty.types import GROUP, EscalationPolicy, PagerdutyService
from windlass.reconcile import Index, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Key

_NOWHERE = PagerDutyOptions()


def _policy_named(service: PagerdutyService) -> str | None:
    key = policy_key(service, _NOWHERE)
    return str(key) if key else None


def _policies_named(service: PagerdutyService) -> Iterable[Key]:
    key = policy_key(service, _NOWHERE)
    return (key,) if key else ()


def _let_go(change: Change[Any]) -> bool:
    """Whether a service may have let go of its policy; who comes to use one does not concern it."""
    old, new = change.old, change.new
    if old is None or new is None:
        return old is not None
    return bool(_policy_named(old.shared) != _policy_named(new.shared))


def _watches(options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
    services = Watch(PagerdutyService, to=_policies_named, when=_let_go, optional=True)
    return (*Upkeep.watches(options), services)


BY_NAME = Index(EscalationPolicy, by_name)
BY_POLICY = Index(PagerdutyService, _policy_named)


class EscalationPolicyController(Upkeep[EscalationPolicy]):
    """Keeps escalation policies; one that is deleted goes after the services that refer to it."""

    finalizer = f"{GROUP}/escalation_policy"
    adapter = POLICY
    indexes = (BY_NAME, BY_POLICY)
    reads = _watches(_NOWHERE)
    chain = (
        resolve_token,
        resolve_targets,
        find(BY_NAME, "escalation_rule_assignment_strategies"),
        create,
        update,
        report("PDEscalationPolicyReady"),
    )
    farewell = (let_go, wait_for_services(BY_POLICY), resolve_token, locate(BY_NAME), erase)

    @classmethod
    @override
    def watches(cls, options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
        return _watches(options)
