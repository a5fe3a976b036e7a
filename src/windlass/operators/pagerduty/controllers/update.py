"""Subroutines that compare what PagerDuty has with what is wanted, and that tell how all ended."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from windlass.operators.pagerduty.controllers.subject import SYNCED
from windlass.reconcile import Result

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.operators.pagerduty.controllers.subject import Subject, Subroutine
    from windlass.reconcile import Context


_INCLUDED = ("integrations",)
"""What was asked for in whole, and comes as references with the answer to a change."""


async def update(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
    """Change what is not as wanted, and leave everything else as people made it."""
    adapter, status, live = subject.adapter, subject.status, subject.live or {}
    difference = adapter.difference(live, subject.wanted, status.managed)
    if difference:
        changed = ", ".join(sorted(difference))
        sent = adapter.update(live, difference)
        changed_to = await subject.api.update(adapter.collection, status.upstream_id, sent, difference)
        subject.live = changed_to | {name: live[name] for name in _INCLUDED if name in live}
        ctx.event("Updated", f"{status.upstream_id} was changed in PagerDuty: {changed}")
    status.managed = sorted(subject.wanted)
    status.url = (subject.live or {}).get("html_url") or ""
    return None


def report(reason: str) -> Subroutine:
    """The subroutine that ends a chain in which nobody had anything to say."""

    async def report_ready(subject: Subject[Any], _: Context) -> Result[Any]:
        subject.status.last_synced_hash = _digest(subject.wanted)
        subject.says(SYNCED, "True", "Synced")
        return Result.ready(subject.status, again=subject.desk.later(), reason=reason)

    return report_ready


def _digest(wanted: Json) -> str:
    text = json.dumps(wanted, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]
