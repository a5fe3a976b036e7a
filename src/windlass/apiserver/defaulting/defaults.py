from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver import builtin
from windlass.apiserver.defaulting.plan import Planner
from windlass.apiserver.defaulting.rules import late_rules, rules

if TYPE_CHECKING:
    from windlass.apiserver.defaulting.plan import Plan

_TABLE: Final = Path(__file__).with_name("defaults.json")


def fill(kind: str, obj: dict[str, Any]) -> None:
    """Set the defaults of an object of a built-in kind, `apps/v1/Deployment` or `v1/Pod`, in place.

    The object is decoded: its types are right, and absent fields are absent, not null. What is there is kept,
    but for what the server itself drops or rewrites. Filling twice is filling once.

    Raises:
        KeyError: there is no such built-in kind.
    """
    plan = _whole(kind)
    if plan is not None:
        plan.apply(obj)


def fill_definition(definition: str, obj: dict[str, Any]) -> None:
    """Set the defaults of any structure, for example of an `io.k8s.api.core.v1.Container`, in place.

    Raises:
        KeyError: there is no such definition.
    """
    plan = _plan(definition)
    if plan is not None:
        plan.apply(obj)


def rewrite(kind: str, obj: dict[str, Any]) -> None:
    """Drop and rewrite, in place, what the server does not leave as it is in an object that has its defaults.

    Raises:
        KeyError: there is no such built-in kind.
    """
    plan = _rewriting(kind)
    if plan is not None:
        plan.apply(obj)


@cache
def _rewriting(kind: str) -> Plan | None:
    return _rewriter().plan(_definitions()[kind], late_rules().get(kind, ()))


@cache
def _rewriter() -> Planner:
    return Planner(builtin.library(), {}, late_rules())


@cache
def _whole(kind: str) -> Plan | None:
    return _planner().plan(_definitions()[kind], rules().get(kind, ()))


@cache
def _plan(definition: str) -> Plan | None:
    return _planner().plan(definition)


@cache
def _planner() -> Planner:
    return Planner(builtin.library(), orjson.loads(_TABLE.read_bytes()), rules())


@cache
def _definitions() -> dict[str, str]:
    """The definitions by kind, those of subresources included."""
    found: dict[str, str] = {}
    for each in builtin.kinds():
        for subresource in each.subresources.values():
            form, definition = subresource.kind, each.forms[subresource.name]
            if definition:
                found[f"{form.api_version}/{form.name}"] = definition
    return found | {f"{each.kind.api_version}/{each.kind.name}": each.definition for each in builtin.kinds()}
