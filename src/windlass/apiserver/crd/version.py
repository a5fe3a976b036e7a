"""Which of several versions is the better one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.discovery import by_maturity

if TYPE_CHECKING:
    from collections.abc import Iterable


def better_version(name: str, versions: Iterable[dict[str, Any]]) -> str:
    """The best served version that is not deprecated and better than this one; empty when there is none."""
    candidates = [each["name"] for each in versions if each["served"] and not each.get("deprecated")]
    best = min(candidates, key=by_maturity, default="")
    return best if best and by_maturity(best) < by_maturity(name) else ""
