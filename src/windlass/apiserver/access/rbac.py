from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.apiserver.access.binding import Bindings, Grant, RoleKey
from windlass.apiserver.access.memo import Memo
from windlass.apiserver.access.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.apiserver.access.attempt import Attempt
    from windlass.apiserver.exchange import User
    from windlass.apiserver.store import Collection, Store

GROUP: Final = "rbac.authorization.k8s.io"
MASTERS: Final = "system:masters"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether somebody may do something, and why, where there is more to say than yes or no.

    `rule` is the one that allows it; there is none for who may do everything.
    """

    allowed: bool
    reason: str = ""
    rule: Rule | None = None


MASTER: Final = Verdict(allowed=True)
"""Of who may do everything."""

_NO: Final = Verdict(allowed=False)
_MOST_KNOWN: Final = 10_000


class _Power(NamedTuple):
    """Every rule that is somebody's with the verdict where it allows, and the verdict where none does."""

    rules: list[tuple[Rule, Verdict]]
    otherwise: Verdict


class Rbac:
    """Who may do what, by the roles and bindings that are stored.

    What it makes of them is kept until they change: a question costs some look-ups, no decoding.
    """

    def __init__(self, store: Store) -> None:
        names = ("roles", "clusterroles", "rolebindings", "clusterrolebindings")
        self._collections = [store.collection(f"{GROUP}/{name}") for name in names]
        roles, cluster_roles, bindings, cluster_bindings = self._collections
        self._roles = Memo(roles, _rules)
        self._cluster_roles = Memo(cluster_roles, _rules)
        self._bindings = Memo(bindings, Bindings.load)
        self._cluster_bindings = Memo(cluster_bindings, Bindings.load)
        self._powers: dict[tuple[str, tuple[str, ...], str], _Power] = {}
        self._ends: list[int] = []

    def decide(self, user: User, attempt: Attempt) -> Verdict:
        """Whether some rule allows an attempt, and which; or which role is missing."""
        if MASTERS in user.groups:
            return MASTER
        power = self._power(user, attempt.namespace)
        for rule, verdict in power.rules:
            if rule.allows(attempt):
                return verdict
        return power.otherwise

    def rules(self, user: User, namespace: str) -> tuple[list[Rule], list[RoleKey]]:
        """Every rule that is a user's in a namespace, and the roles that they are bound to but do not exist.

        Without a namespace, those that hold everywhere.
        """
        found: list[Rule] = []
        missing = []
        for grant in self._grants(user, namespace):
            rules = self.role(grant.role)
            if rules is None:
                missing.append(grant.role)
            else:
                found += rules
        return found, missing

    def role(self, key: RoleKey) -> tuple[Rule, ...] | None:
        """The rules of a role, `None` when there is no such role."""
        if key.kind == "Role":
            return self._roles[f"{key.namespace}/{key.name}"]
        return self._cluster_roles[key.name]

    def _power(self, user: User, namespace: str) -> _Power:
        """What a user may do in a namespace, worked out once until roles or bindings change."""
        ends = [each.end for each in self._collections]
        if ends != self._ends or len(self._powers) > _MOST_KNOWN:
            self._powers.clear()
            self._ends = ends
        key = (user.name, user.groups, namespace)
        power = self._powers.get(key)
        if power is None:
            power = self._powers[key] = self._worked_out(user, namespace)
        return power

    def _worked_out(self, user: User, namespace: str) -> _Power:
        allowed: list[tuple[Rule, Verdict]] = []
        missing: list[RoleKey] = []
        for grant in self._grants(user, namespace):
            rules = self.role(grant.role)
            if rules is None:
                missing.append(grant.role)
                continue
            reason = f"RBAC: allowed by {grant}"
            allowed += [(rule, Verdict(allowed=True, reason=reason, rule=rule)) for rule in rules]
        otherwise = Verdict(allowed=False, reason=f"RBAC: {not_found(missing)}") if missing else _NO
        return _Power(allowed, otherwise)

    def _grants(self, user: User, namespace: str) -> Iterator[Grant]:
        yield from self._cluster_bindings[""].of(user)
        if namespace:
            yield from self._bindings[namespace].of(user)


def not_found(roles: Sequence[RoleKey], called: str = "") -> str:
    """That roles do not exist, each told once, by its kind or as `called`."""
    told = (f'{called or each.kind.lower()}.{GROUP} "{each.name}" not found' for each in roles)
    texts = list(dict.fromkeys(told))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _rules(roles: Collection, key: str) -> tuple[Rule, ...] | None:
    record = roles.get(key)
    return None if record is None else tuple(Rule(rule) for rule in record.object().get("rules") or ())
