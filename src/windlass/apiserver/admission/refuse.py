from __future__ import annotations

from typing import Any

from windlass.apiserver.refusal import Refusal


def forbidden(plural: str, obj: dict[str, Any], why: str) -> Refusal:
    """403: an object of the core group may not be as it is; one without a name yet goes by its prefix."""
    meta = obj["metadata"]
    return Refusal.forbidden("", plural, meta.get("name") or meta.get("generateName") or "Unknown", why)
