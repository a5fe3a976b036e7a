from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from windlass.apiserver.access.jwt import BadToken
from windlass.apiserver.access.token import AUDIENCES, AccountTokens, Identity
from windlass.apiserver.exchange import ANONYMOUS, User

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.world import World
    from windlass.pki import KeyPair

AUTHENTICATED: Final = "system:authenticated"
UNAUTHENTICATED: Final = "system:unauthenticated"
_INVALID: Final = "invalid bearer token"
_SPACE: Final = (
    "the provided Authorization header contains extra space before the bearer token, and is ignored"
)


class Authenticator:
    """Whose credentials these are: client certificates, tokens given to the server, tokens made by it.

    `key` signs the latter; without one, they end with the process.
    """

    def __init__(self, world: World, tokens: Mapping[str, User], key: KeyPair | None = None) -> None:
        self._static = {token: member(user) for token, user in tokens.items()}
        self._usual = {f"Bearer {token}": user for token, user in self._static.items()}
        self.account_tokens = AccountTokens(world, key)

    def user_of(self, call: Call) -> User:
        """Who sends a request; without credentials, the anonymous user.

        Raises:
            BadToken: it carries a token that is nobody's.
        """
        if call.certified is not None:
            return member(call.certified)
        header = call.headers.get("authorization")
        if not header:
            return ANONYMOUS
        if header in self._usual:
            return self._usual[header]
        if header.strip().lower().startswith("bearer  "):
            call.warn(_SPACE)
        return self.identify(header).user

    def identify(self, header: str, audiences: Sequence[str] = AUDIENCES) -> Identity:
        """Who an Authorization header speaks for, and for which of these audiences.

        Raises:
            BadToken: for nobody.
        """
        scheme, token, *_ = (*header.strip().split(" ", 2), "")
        if scheme.lower() != "bearer" or not token:
            return Identity(ANONYMOUS, tuple(audiences))
        known = self._static.get(token)
        if known is not None:
            common = tuple(each for each in audiences if each in AUDIENCES)
            if common:
                return Identity(known, common)
        return self._of_account(token, audiences)

    def _of_account(self, token: str, audiences: Sequence[str]) -> Identity:
        try:
            found = self.account_tokens.identify(token, audiences)
        except BadToken as error:
            raise BadToken(f"[{_INVALID}, {error}]") from error
        if found is None:
            raise BadToken(_INVALID)
        return Identity(member(found.user), found.audiences)


def member(user: User) -> User:
    """A user as one of those whom the server knows, or of those whom it does not."""
    if user.name == ANONYMOUS.name or AUTHENTICATED in user.groups or UNAUTHENTICATED in user.groups:
        return user
    return replace(user, groups=(*user.groups, AUTHENTICATED))
