from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.operators.pagerduty.adapter import BUSINESS_SERVICE
from windlass.operators.pagerduty.controllers.claim import by_name
from windlass.operators.pagerduty.controllers.deletion import erase, let_go, locate
from windlass.operators.pagerduty.controllers.dependency import associate
from windlass.operators.pagerduty.controllers.existence import create, find
from windlass.operators.pagerduty.controllers.reference import key_of, resolve_supporting
from windlass.operators.pagerduty.controllers.token import resolve_token
from windlass.operators.pagerduty.controllers.update import report, update
from windlass.operators.pagerduty.controllers.upkeep import Upkeep
from windlass.operators.pagerduty.options import PagerDutyOptions
from windlass.operators.pagerduty.types import GROUP, BusinessService, PagerdutyService
from windlass.reconcile import Index, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Key

BY_NAME = Index(BusinessService, by_name)


def _services(business: BusinessService) -> Iterable[Key]:
    named = (each.ref for each in business.spec.supporting_services or ())
    return [key_of(each, business.metadata.namespace) for each in named if each]


def _business_services(business: BusinessService) -> Iterable[Key]:
    named = (each.business_ref for each in business.spec.supporting_services or ())
    return [key_of(each, business.metadata.namespace) for each in named if each]


def _watches(options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
    return (
        *Upkeep.watches(options),
        Watch(PagerdutyService, by=_services, optional=True),
        Watch(BusinessService, by=_business_services),
    )


class BusinessServiceController(Upkeep[BusinessService]):
    """Keeps business services, and what they rest on."""

    finalizer = f"{GROUP}/business_service"
    adapter = BUSINESS_SERVICE
    indexes = (BY_NAME,)
    reads = _watches(PagerDutyOptions())
    chain = (
        resolve_token,
        resolve_supporting,
        find(BY_NAME),
        create,
        update,
        associate,
        report("PDBusinessServiceReady"),
    )
    farewell = (let_go, resolve_token, locate(BY_NAME), erase)

    @classmethod
    @override
    def watches(cls, options: PagerDutyOptions) -> tuple[Watch[Any], ...]:
        return _watches(options)
