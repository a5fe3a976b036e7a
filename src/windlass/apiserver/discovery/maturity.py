"""The order of the versions of a group."""

from __future__ import annotations

import re
from typing import Final

_VERSION: Final = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?")
_STABILITY: Final = {None: 2, "beta": 1, "alpha": 0}


def by_maturity(version: str) -> tuple[int, int, int, int, str]:
    """A key that sorts stable versions first, then beta, then alpha, each newest first; then other names."""
    match = _VERSION.fullmatch(version)
    if match is None:
        return (1, 0, 0, 0, version)
    return (0, -_STABILITY[match[2]], -int(match[1]), -int(match[3] or 0), "")
