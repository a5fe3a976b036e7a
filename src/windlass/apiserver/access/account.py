"""How service accounts are called as users."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

ALL_ACCOUNTS: Final = "system:serviceaccounts"
_PREFIX: Final = "system:serviceaccount:"


def username(namespace: str, name: str) -> str:
    """The user that a service account is."""
    return f"{_PREFIX}{namespace}:{name}"


def groups_of(namespace: str) -> tuple[str, ...]:
    """The groups that every service account of a namespace is in."""
    return (ALL_ACCOUNTS, f"{ALL_ACCOUNTS}:{namespace}")


@lru_cache(maxsize=1024)
def account_of(user: str) -> tuple[str, str] | None:
    """The namespace and name of the service account that a user is, `None` for other users."""
    if not user.startswith(_PREFIX):
        return None
    from windlass.apiserver.validation.names import dns_label, dns_subdomain

    match user.removeprefix(_PREFIX).split(":"):
        case [namespace, name] if not dns_label(namespace) and not dns_subdomain(name):
            return namespace, name
    return None
