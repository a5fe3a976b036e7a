"""Roles, and tokens."""

from __future__ import annotations

from typing import Any, Final

_GROUP: Final = "rbac.authorization.k8s.io"
_AN_HOUR: Final = 3600


def subject_group(subject: dict[str, Any]) -> None:
    """Users and groups are of the group of roles, service accounts of the core group."""
    if subject.get("kind") in ("Group", "User") and not subject.get("apiGroup"):
        subject["apiGroup"] = _GROUP


def token_lifetime(spec: dict[str, Any]) -> None:
    """A token is valid for an hour. There is nothing to probe: a token cannot be asked for in a dry run."""
    spec.setdefault("expirationSeconds", _AN_HOUR)


RULES: Final = {
    "io.k8s.api.authentication.v1.TokenRequestSpec": (token_lifetime,),
    "io.k8s.api.rbac.v1.Subject": (subject_group,),
}
