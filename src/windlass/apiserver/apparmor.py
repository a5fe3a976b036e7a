"""AppArmor profiles, as annotations named them before there was a field."""

from __future__ import annotations

from typing import Any, Final

PROFILE: Final = "container.apparmor.security.beta.kubernetes.io/"
"""How the key of such an annotation begins; the name of a container follows."""

_LOCAL: Final = "localhost/"
_LONGEST: Final = 4095


def profile_of(annotation: str | None) -> dict[str, Any] | None:
    """The profile that an annotation names, if it is one."""
    if annotation == "unconfined":
        return {"type": "Unconfined"}
    if annotation == "runtime/default":
        return {"type": "RuntimeDefault"}
    name = annotation.removeprefix(_LOCAL) if annotation and annotation.startswith(_LOCAL) else ""
    if not name or name != name.strip() or len(name) > _LONGEST:
        return None
    return {"type": "Localhost", "localhostProfile": name}
