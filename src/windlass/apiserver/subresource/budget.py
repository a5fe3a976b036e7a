"""What disruption budgets have to say about an eviction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.crd.condition import condition_of
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.route import Route
from windlass.apiserver.validation.label import matches
from windlass.apiserver.verb.manage import manage_update
from windlass.apiserver.verb.operation import as_admitted
from windlass.apiserver.verb.options import WriteOptions
from windlass.apiserver.verb.update import change

if TYPE_CHECKING:
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_ALLOWED: Final = "DisruptionAllowed"
_MOST_DISRUPTED: Final = 2000
_RETRY: Final = 10
_VIOLATION: Final = "Cannot evict pod as it would violate the pod's disruption budget."
_SERVER: Final = "kube-apiserver"
"""The field manager of what the real server writes by itself."""


def budgets_of(budgets: Resource, pod: Object) -> list[Record]:
    """The budgets that count a pod."""
    namespace, labels = pod["metadata"]["namespace"], pod["metadata"].get("labels", {})
    records = budgets.collection.page(f"{namespace}/").records
    return [record for record in records if matches(record.object()["spec"].get("selector"), labels)]


def lets_go(budget: Object) -> bool:
    """Whether a budget lets a pod go that is not ready, because that disrupts nothing."""
    if budget["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow":
        return True
    status = budget.get("status", {})
    healthy, desired = status.get("currentHealthy", 0), status.get("desiredHealthy", 0)
    return bool(healthy >= desired > 0)


def spend(operation: Operation, budgets: Resource, record: Record, *, dry_run: bool) -> None:
    """Take the disruption of a pod from a budget.

    Raises:
        Refusal: 429, the budget allows none now; 403, it makes no sense.
    """
    old, budget = budgets.object(record), budgets.object(record)
    _check(budget)
    if dry_run:
        return
    now, status = operation.world.now(), budget["status"]
    status["disruptionsAllowed"] -= 1
    if not status["disruptionsAllowed"]:
        _exhaust(status, now)
    status["disruptedPods"] = {**status.get("disruptedPods", {}), operation.route.name: now}
    kind = budgets.kind
    route = Route("update", kind.group, kind.version, kind.plural, record.namespace, record.name, "status")
    writing = operation._replace(resource=budgets, route=route, judge=as_admitted)
    options = WriteOptions(manager=_SERVER)
    manage_update(writing, old, budget, options)
    change(writing, record, old, budget, options)


def still_processed(name: str) -> Refusal:
    """429: the controller of a budget has to see something first."""
    refusal = _too_many(f"The disruption budget {name} is still being processed by the server.")
    details = {**(refusal.details or {}), "retryAfterSeconds": _RETRY}
    return Refusal(429, _VIOLATION, details=details)


def _check(budget: Object) -> None:
    meta, status = budget["metadata"], budget.get("status", {})
    name, allowed = meta["name"], status.get("disruptionsAllowed", 0)
    if status.get("observedGeneration", 0) < meta.get("generation", 0):
        raise still_processed(name)
    if allowed < 0:
        raise _forbidden(name, "pdb disruptions allowed is negative")
    if len(status.get("disruptedPods", {})) > _MOST_DISRUPTED:
        why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
        raise _forbidden(name, why)
    if allowed == 0:
        raise _too_many(_why_not(budget))


def _why_not(budget: Object) -> str:
    """Why a budget allows no disruption."""
    name, status = budget["metadata"]["name"], budget["status"]
    condition = condition_of(budget, _ALLOWED)
    said = condition.get("message", "") if condition.get("status") == "False" else ""
    healthy, desired = status.get("currentHealthy", 0), status.get("desiredHealthy", 0)
    subject = f"The disruption budget {name}"
    if said and condition.get("reason") == "SyncFailed":
        return f"{subject} does not allow evicting pods currently because it failed sync: {said}"
    if healthy <= desired:
        return f"{subject} needs {desired} healthy pods and has {healthy} currently"
    if said:
        return f"{subject} does not allow evicting pods currently ({condition['reason']}): {said}"
    return f"{subject} does not allow evicting pods currently"


def _exhaust(status: Object, now: str) -> None:
    """Say that the last disruption is spent."""
    conditions = status.setdefault("conditions", [])
    known = next((each for each in conditions if each["type"] == _ALLOWED), None)
    said = {
        "type": _ALLOWED,
        "status": "False",
        "observedGeneration": status.get("observedGeneration", 0),
        "lastTransitionTime": now,
        "reason": "InsufficientPods",
        "message": "",
    }
    if known is None:
        conditions.append(said)
    else:
        moved = known["lastTransitionTime"] if known["status"] == "False" else now
        known.update(said | {"lastTransitionTime": moved})


def _too_many(why: str) -> Refusal:
    cause = {"reason": "DisruptionBudget", "message": why}
    return Refusal(429, _VIOLATION, details={"causes": [cause]})


def _forbidden(name: str, why: str) -> Refusal:
    return Refusal.forbidden("policy", "poddisruptionbudget", name, why)
