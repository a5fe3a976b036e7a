"""Subroutines that resolve what an object refers to, and so find out what PagerDuty should have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from windlass.api import Key, Resource
from windlass.errors import KindMissingError, Terminal
from windlass.operators.pagerduty.api import SCHEDULES, USERS
from windlass.operators.pagerduty.controllers.subject import RESOLVED
from windlass.operators.pagerduty.desired import (
    business_service_fields,
    policy_fields,
    reference,
    service_fields,
)
from windlass.operators.pagerduty.types import BusinessService, EscalationPolicy, PagerdutyService
from windlass.reconcile import Result

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.operators.pagerduty.options import PagerDutyOptions
    from windlass.operators.pagerduty.types import EscalationRule, SupportingService, TargetRef
    from windlass.reconcile import Context

R = TypeVar("R", bound=Resource)


async def resolve_targets(subject: Subject[EscalationPolicy], _: Context) -> Result[Any] | None:
    """Find the users and schedules of a policy."""
    rules = [await _targets(subject, rule) for rule in subject.resource.spec.escalation_rules]
    if subject.unresolved:
        missing = f"PagerDuty has no {', no '.join(subject.unresolved)}"
        return subject.unresolved_because("TargetMissing", missing, again=subject.desk.later())
    subject.says(RESOLVED, "True", "Resolved")
    subject.wanted = policy_fields(subject.resource, rules)
    return None


async def resolve_policy(subject: Subject[PagerdutyService], ctx: Context) -> Result[Any] | None:
    """Find the policy of a service: by id, of a resource, or that of the operator."""
    spec, key = subject.resource.spec, policy_key(subject.resource, subject.desk.options)
    id_ = spec.escalation_policy_id or ("" if key else subject.desk.options.default_policy)
    if key is not None:
        policy = await _sibling(EscalationPolicy, key, ctx)
        id_ = policy.status.policy_id if policy else ""
        fault = _fault(policy, key)
        if fault:
            subject.status.escalation_policy_id = ""
            return subject.unresolved_because(*fault)
    if not id_:
        message = "set escalation_policy_ref or escalation_policy_id: the operator has no policy of its own"
        subject.says(RESOLVED, "False", "PolicyUnspecified", message)
        return Result.failed(Terminal("PolicyUnspecified", message), subject.status)
    subject.says(RESOLVED, "True", "Resolved")
    subject.status.escalation_policy_id = id_
    subject.wanted = service_fields(subject.resource, id_)
    return None


async def resolve_supporting(subject: Subject[BusinessService], ctx: Context) -> Result[Any] | None:
    """Find what a business service rests on; what is missing holds up nothing else."""
    for each in subject.resource.spec.supporting_services or ():
        type_, id_ = await _supporting(each, subject.resource, ctx)
        if id_:
            subject.supporting.add((type_, id_))
        else:
            subject.unresolved.append(f"{type_} {each.ref or each.business_ref}")
    if not subject.unresolved:
        subject.says(RESOLVED, "True", "Resolved")
    subject.wanted = business_service_fields(subject.resource)
    return None


def policy_key(service: PagerdutyService, options: PagerDutyOptions) -> Key | None:
    """The EscalationPolicy that a service refers to, if it does."""
    spec = service.spec
    if spec.escalation_policy_ref:
        return key_of(spec.escalation_policy_ref, service.metadata.namespace)
    return None if spec.escalation_policy_id else options.default_policy_key


def key_of(ref: str, namespace: str) -> Key:
    """Where a reference points to: a name in a namespace, or `namespace/name`."""
    elsewhere, slash, name = ref.partition("/")
    return Key(elsewhere, name) if slash else Key(namespace, ref)


async def _sibling(kind: type[R], key: Key, ctx: Context) -> R | None:
    """An object of another kind of ours; there is none while that kind is not installed."""
    try:
        return await ctx.get(kind, key.name, key.namespace)
    except KindMissingError:
        return None


def _fault(policy: EscalationPolicy | None, key: Key) -> tuple[str, str] | None:
    """Why a policy cannot be used, as reason and message."""
    if policy is None:
        return "PolicyMissing", f"there is no EscalationPolicy {key}"
    if policy.metadata.deletion_timestamp is not None:
        return "PolicyDeleting", f"EscalationPolicy {key} is being deleted"
    if not policy.status.policy_id:
        return "PolicyNotReady", f"EscalationPolicy {key} is not in PagerDuty yet"
    return None


async def _targets(subject: Subject[EscalationPolicy], rule: EscalationRule) -> list[Json]:
    found = [reference(each, "user") for each in rule.targets]
    for each in rule.target_refs:
        target = await _target(subject, each)
        if target is not None:
            found.append(target)
    return found


async def _target(subject: Subject[EscalationPolicy], target: TargetRef) -> Json | None:
    if target.id:
        return reference(target.id, target.type or "user")
    collection, label, kind = (
        (USERS, target.email, "user") if target.email else (SCHEDULES, target.schedule_name, "schedule")
    )
    found = await subject.api.find(collection, label or "")
    if found is None:
        subject.unresolved.append(f"{kind} {label}")
        return None
    return reference(found["id"], kind)


async def _supporting(each: SupportingService, resource: BusinessService, ctx: Context) -> tuple[str, str]:
    """Type and id of what is named; the id is empty while it is not in PagerDuty."""
    if each.id:
        return each.type or "service", each.id
    kind: type[PagerdutyService | BusinessService] = PagerdutyService if each.ref else BusinessService
    key = key_of(each.ref or each.business_ref or "", resource.metadata.namespace)
    found = await _sibling(kind, key, ctx)
    there = found is not None and found.metadata.deletion_timestamp is None
    return "service" if each.ref else "business_service", found.status.upstream_id if found and there else ""
