"""The order of versions: what is stable before beta before alpha, the newest first, others by their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORM: Final = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")
_STABILITY: Final = {None: 0, "beta": 1, "alpha": 2}


def version_order(name: str) -> tuple[int, int, int, str]:
    """The key that sorts versions, the best one first."""
    match = _FORM.fullmatch(name)
    if match is None:
        return (len(_STABILITY), 0, 0, name)
    return (_STABILITY[match[2]], -int(match[1]), -int(match[3] or 0), "")


def better_version(name: str, versions: Iterable[dict[str, Any]]) -> str:
    """The best served version that is not deprecated and better than this one; empty when there is none."""
    candidates = [each["name"] for each in versions if each["served"] and not each.get("deprecated")]
    best = min(candidates, key=version_order, default="")
    return best if best and version_order(best) < version_order(name) else ""
