from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.access.attempt import Attempt, attempt_of, denied
from windlass.apiserver.access.audit import Audit
from windlass.apiserver.access.authenticator import Authenticator
from windlass.apiserver.access.jwt import BadToken
from windlass.apiserver.access.rbac import MASTER, MASTERS, Rbac
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.access.impersonation import Impersonator
    from windlass.apiserver.exchange import Call, User
    from windlass.apiserver.route import Route
    from windlass.apiserver.world import World
    from windlass.pki import KeyPair

_NO_SNIFFING: Final = {"x-content-type-options": "nosniff"}


class Gate:
    """What every request passes first: who asks, as whom they act, whether they may.

    `authenticator` knows whose credentials are whose, `rbac` who may do what, `audit` who wants to know.
    """

    def __init__(self, world: World, tokens: Mapping[str, User], key: KeyPair | None = None) -> None:
        self.authenticator = Authenticator(world, tokens, key)
        self.rbac = Rbac(world.store)
        self.audit = Audit(world.clock)
        self._impersonator: Impersonator | None = None

    def identify(self, call: Call, route: Route | None) -> User:
        """Who asks, or as whom they act.

        Raises:
            Refusal: 401, the credentials are nobody's; 403, who asks may not act as another.
        """
        try:
            user = self.authenticator.user_of(call)
        except BadToken as error:
            raise Refusal(401, "Unauthorized") from error
        if call.record is not None:
            call.record.user = user
        if "impersonate-" not in " ".join(call.headers):
            return user
        try:
            return self._impersonated(call, user, route)
        except Refusal as refusal:
            refusal.headers.update(_NO_SNIFFING)
            raise

    def admit(self, call: Call, route: Route | None) -> None:
        """Let a request pass, or refuse it.

        Raises:
            Refusal: 403, no rule allows it.
        """
        if MASTERS in call.user.groups:
            if call.record is not None:
                call.record.decide(call.user, attempt_of(call, route), MASTER)
            return
        try:
            self._check(call, attempt_of(call, route))
        except Refusal as refusal:
            refusal.headers.update(_NO_SNIFFING)
            raise

    def admit_creation(self, call: Call, route: Route) -> None:
        """Let a write that was allowed create what it did not find, or refuse that.

        Raises:
            Refusal: 403, who may change objects here may not create them.
        """
        if MASTERS not in call.user.groups:
            self._check(call, attempt_of(call, route)._replace(verb="create"))

    def admit_connection(self, call: Call, route: Route) -> None:
        """Let a request become a connection to a pod, or refuse that.

        Raises:
            Refusal: 403, who may read here may not create, and a connection can do more than read.
        """
        if MASTERS in call.user.groups or route.verb == "create":
            return
        attempt = attempt_of(call, route)
        verdict = self.rbac.decide(call.user, attempt._replace(verb="create"))
        if not verdict.allowed:
            raise Refusal.forbidden(attempt.group, attempt.resource, attempt.name, verdict.reason)

    def _check(self, call: Call, attempt: Attempt) -> None:
        verdict = self.rbac.decide(call.user, attempt)
        if call.record is not None:
            call.record.decide(call.user, attempt, verdict)
        if not verdict.allowed:
            raise denied(call.user, attempt, verdict.reason)

    def _impersonated(self, call: Call, user: User, route: Route | None) -> User:
        from windlass.apiserver.access.impersonation import Impersonator, wanted_user

        wanted = wanted_user(call.headers)
        if wanted is None:
            return user
        if self._impersonator is None:
            self._impersonator = Impersonator(self.rbac)
        return self._impersonator.acting(user, wanted, attempt_of(call, route))
