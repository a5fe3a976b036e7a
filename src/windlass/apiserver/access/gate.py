from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from windlass.apiserver.access.rbac import Attempt, Rbac
from windlass.apiserver.exchange import ANONYMOUS, User
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.route import Route
    from windlass.apiserver.store import Store

AUTHENTICATED: Final = "system:authenticated"
_METHODS: Final = {"GET": "get", "POST": "post", "PUT": "put", "PATCH": "patch", "DELETE": "delete"}


class Gate:
    """Who asks, and whether they may: tokens and certificates, impersonation, then the stored roles."""

    def __init__(self, store: Store, tokens: Mapping[str, User]) -> None:
        self.rbac = Rbac(store)
        self._tokens = dict(tokens)

    def identify(self, call: Call) -> User:
        """Who asks.

        Raises:
            Refusal: 401, the credentials are nobody's; 403, who asks may not speak for another.
        """
        user = self._authenticated(call)
        wanted = call.headers.get("impersonate-user")
        if wanted is None:
            return user
        return self._impersonated(call, user, wanted)

    def admit(self, call: Call, route: Route | None) -> None:
        """Let a request pass, or refuse it.

        Raises:
            Refusal: 403, no rule allows it.
        """
        attempt = attempt_of(call, route)
        if not self.rbac.allows(call.user, attempt):
            raise denied(call.user, attempt)

    def _authenticated(self, call: Call) -> User:
        header = call.headers.get("authorization", "")
        scheme, _, token = header.partition(" ")
        if scheme.lower() == "bearer":
            user = self._tokens.get(token.strip())
            if user is None:
                raise Refusal(401, "Unauthorized")
            return _member(user)
        if call.certified is not None:
            return _member(call.certified)
        return ANONYMOUS

    def _impersonated(self, call: Call, user: User, wanted: str) -> User:
        groups = tuple(call.headers.get("impersonate-group", "").splitlines())
        attempt = Attempt(verb="impersonate", resource="users", name=wanted)
        if not self.rbac.allows(user, attempt):
            raise denied(user, attempt)
        return _member(User(wanted, groups))


def attempt_of(call: Call, route: Route | None) -> Attempt:
    """What a request attempts."""
    if route is None:
        return Attempt(verb=_METHODS.get(call.method, call.method.lower()), path=call.path)
    return Attempt(
        verb=route.verb,
        group=route.group,
        version=route.version,
        resource=route.plural,
        subresource=route.subresource,
        namespace=route.namespace,
        name=route.name,
    )


def denied(user: User, attempt: Attempt) -> Refusal:
    """403 in the words of the real server."""
    if attempt.path:
        message = f'forbidden: User "{user.name}" cannot {attempt.verb} path "{attempt.path}"'
        return Refusal(403, message, details={})
    where = f'in the namespace "{attempt.namespace}"' if attempt.namespace else "at the cluster scope"
    return Refusal.forbidden(
        attempt.group,
        attempt.resource,
        attempt.name,
        f'User "{user.name}" cannot {attempt.verb} resource "{attempt.target}" '
        f'in API group "{attempt.group}" {where}',
    )


def _member(user: User) -> User:
    return user if AUTHENTICATED in user.groups else replace(user, groups=(*user.groups, AUTHENTICATED))
