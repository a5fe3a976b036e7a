from __future__ import annotations

from typing import Any

from typing_extensions import override

from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty.adapter import SERVICE
from windlass.operators.pagerduty.controllers.claim import by_name
from windlass.operators.pagerduty.controllers.deletion import erase, let_go, locate
from windlass.operators.pagerduty.controllers.existence import create, find
from windlass.operators.pagerduty.controllers.incident import resolve_incidents
from windlass.operators.pagerduty.controllers.integration import integrate
from windlass.operators.pagerduty.controllers.reference import policy_key, resolve_policy
from windlass.operators.pagerduty.controllers.token import resolve_token
from windlass.operators.pagerduty.controllers.update import report, update
from windlass.operators.pagerduty.controllers.upkeep import SECRETS, Upkeep
from windlass.operators.pagerduty.options import PagerDutyOptions
from windlass.operators.pagerduty.types import GROUP, EscalationPolicy, PagerdutyService
from windlass.reconcile import Index, Owns, Watch

BY_NAME = Index(PagerdutyService, by_name)


def _watches(options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
    return (
        *Upkeep.watches(options),
        Watch(EscalationPolicy, by=lambda service: policy_key(service, options), optional=True),
    )


class PagerdutyServiceController(Upkeep[PagerdutyService]):
    """Keeps services, and the Secrets with the keys of their integrations; each waits for its policy."""

    finalizer = f"{GROUP}/service"
    adapter = SERVICE
    owns = (Owns(Secret, selection=SECRETS),)
    indexes = (BY_NAME,)
    reads = _watches(PagerDutyOptions())
    chain = (
        resolve_token,
        resolve_policy,
        find(BY_NAME, "integrations"),
        create,
        update,
        integrate,
        report("PDServiceReady"),
    )
    farewell = (let_go, resolve_token, locate(BY_NAME), resolve_incidents, erase)

    @classmethod
    @override
    def watches(cls, options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
        return _watches(options)
