"""Rows of what is allowed, admitted and kept available."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.layout import UNSET, KindLayout, columns
from windlass.apiserver.table.text import age, name, part

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_ABSENT: Final = "N/A"


def _binding(obj: Object, now: datetime) -> list[Any]:
    role, subjects = part(obj, "roleRef"), obj.get("subjects") or ()
    named = {
        kind: ", ".join(_subject(each) for each in subjects if each.get("kind") == kind)
        for kind in ("User", "Group", "ServiceAccount")
    }
    return [name(obj), f"{role.get('kind', '')}/{role.get('name', '')}", age(obj, now), *named.values()]


def _subject(subject: Object) -> str:
    found = str(subject.get("name", ""))
    return f"{subject.get('namespace', '')}/{found}" if subject["kind"] == "ServiceAccount" else found


def _budget(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    bounds = [spec.get(key) for key in ("minAvailable", "maxUnavailable")]
    shown = [_ABSENT if bound is None else str(bound) for bound in bounds]
    return [name(obj), *shown, part(obj, "status").get("disruptionsAllowed", 0), age(obj, now)]


def _webhooks(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), len(obj.get("webhooks") or ()), age(obj, now)]


def _validating(obj: Object, now: datetime) -> list[Any]:
    return _admission_policy(obj, "validations", now)


def _mutating(obj: Object, now: datetime) -> list[Any]:
    return _admission_policy(obj, "mutations", now)


def _admission_policy(obj: Object, rules: str, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    kind = spec.get("paramKind")
    shown = UNSET if kind is None else f"{kind.get('apiVersion', '')}/{kind.get('kind', '')}"
    return [name(obj), len(spec.get(rules) or ()), shown, age(obj, now)]


def _admission_binding(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    return [name(obj), spec.get("policyName", ""), _parameters(spec.get("paramRef")), age(obj, now)]


def _parameters(reference: Object | None) -> str:
    if reference is None:
        return UNSET
    if reference.get("name"):
        return f"{reference.get('namespace') or '*'}/{reference['name']}"
    found = reference.get("selector")
    return UNSET if found is None else _go_selector(found)


def _go_selector(found: Object) -> str:
    """A selector as its Go type prints itself, which is what the real server shows."""
    labels = "".join(f"{key}: {value}," for key, value in sorted(found.get("matchLabels", {}).items()))
    terms = "".join(
        f"LabelSelectorRequirement{{Key:{each.get('key', '')},Operator:{each.get('operator', '')},"
        f"Values:[{' '.join(each.get('values', ()))}],}},"
        for each in found.get("matchExpressions", ())
    )
    return (
        f"&LabelSelector{{MatchLabels:map[string]string{{{labels}}},"
        f"MatchExpressions:[]LabelSelectorRequirement{{{terms}}},}}"
    )


ROLE_BINDING: Final = KindLayout(
    columns("Name", "Role", "Age", "+Users", "+Groups", "+ServiceAccounts"), _binding
)
POD_DISRUPTION_BUDGET: Final = KindLayout(
    columns("Name", "Min Available", "Max Unavailable", "Allowed Disruptions:integer", "Age"), _budget
)
WEBHOOK_CONFIGURATION: Final = KindLayout(columns("Name", "Webhooks:integer", "Age"), _webhooks)
VALIDATING_POLICY: Final = KindLayout(columns("Name", "Validations:integer", "ParamKind", "Age"), _validating)
MUTATING_POLICY: Final = KindLayout(columns("Name", "Mutations:integer", "ParamKind", "Age"), _mutating)
POLICY_BINDING: Final = KindLayout(columns("Name", "PolicyName", "ParamRef", "Age"), _admission_binding)
