"""Tokens of service accounts: what they claim, and whether it is still so."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.account import groups_of, username
from windlass.apiserver.access.jwt import BadToken, Claims, Keyring, claims_of
from windlass.apiserver.exchange import User
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.apiserver.store import Record
    from windlass.apiserver.world import World

ISSUER: Final = "https://kubernetes.default.svc"
AUDIENCES: Final = (ISSUER,)
"""Whom tokens are for unless they say otherwise: this server."""

_LEEWAY: Final = timedelta(minutes=1)
_KUBERNETES: Final = "kubernetes.io"
_INVALIDATED: Final = "service account token has been invalidated"
_PLURALS: Final = {"secret": "secrets", "pod": "pods", "node": "nodes"}

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody whose credentials are good, for which of the audiences asked for."""

    user: User
    audiences: tuple[str, ...]


class AccountTokens:
    """Makes tokens of service accounts, and recognises them while what they are bound to exists."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.keyring = Keyring()

    def issue(
        self, account: Object, audiences: Sequence[str], lifetime: timedelta, bound: Mapping[str, Object]
    ) -> str:
        """A token for an account; `bound` are the objects that it dies with: `secret`, `pod`, `node`."""
        meta = account["metadata"]
        now = int(self._world.clock.now().timestamp())
        facts = {"namespace": meta["namespace"], "serviceaccount": _reference(account)}
        facts |= {kind: _reference(obj) for kind, obj in bound.items()}
        claims = {
            "iss": ISSUER,
            "sub": username(meta["namespace"], meta["name"]),
            "aud": list(audiences),
            "iat": now,
            "nbf": now,
            "exp": now + int(lifetime.total_seconds()),
            "jti": self._world.uid(),
            _KUBERNETES: facts,
        }
        return self.keyring.sign(claims)

    def identify(self, token: str, audiences: Sequence[str] = AUDIENCES) -> Identity | None:
        """Whose token it is, `None` when it is none of this server's.

        Raises:
            BadToken: it is one, but not good, not for these audiences, or no longer.
        """
        unverified = claims_of(token)
        if unverified is None or unverified.get("iss") != ISSUER:
            return None
        claims = self.keyring.verify(token)
        meant = claims.get("aud") or AUDIENCES
        common = tuple(each for each in meant if each in audiences)
        if not common:
            raise BadToken(
                f"token audiences {_listed(meant)} is invalid for the target audiences {_listed(audiences)}"
            )
        self._check_times(claims)
        self._check_objects(claims[_KUBERNETES])
        return Identity(_user(claims), common)

    def _check_times(self, claims: Claims) -> None:
        now = self._world.clock.now()
        if now + _LEEWAY < _moment(claims["nbf"]):
            raise BadToken("service account token is not valid yet")
        if now - _LEEWAY > _moment(claims["exp"]):
            raise BadToken("service account token has expired")
        if now + _LEEWAY < _moment(claims["iat"]):
            raise BadToken("service account token is issued in the future")

    def _check_objects(self, facts: Object) -> None:
        """The account, and what the token is bound to, are the ones that the token was made for."""
        namespace, account = facts["namespace"], facts["serviceaccount"]
        record = self._record("serviceaccounts", f"{namespace}/{account['name']}")
        if record is None:
            raise BadToken(f'serviceaccounts "{account["name"]}" not found')
        found = record.object()["metadata"]
        if found["uid"] != account["uid"]:
            raise BadToken(f"service account UID ({found['uid']}) does not match claim ({account['uid']})")
        if self._is_long_deleted(found):
            raise BadToken(f"service account {namespace}/{account['name']} has been deleted")
        for kind in ("secret", "pod", "node"):
            if kind in facts and not (kind == "node" and "pod" in facts):
                self._check_bound(kind, facts[kind], "" if kind == "node" else f"{namespace}/")

    def _check_bound(self, kind: str, reference: Object, prefix: str) -> None:
        record = self._record(_PLURALS[kind], f"{prefix}{reference['name']}")
        if record is None:
            raise BadToken(_INVALIDATED)
        found = record.object()["metadata"]
        if found["uid"] != reference["uid"]:
            raise BadToken(
                f"{kind} UID ({found['uid']}) does not match "
                f"service account {kind} ref claim ({reference['uid']})"
            )
        if self._is_long_deleted(found):
            raise BadToken(_INVALIDATED)

    def _record(self, plural: str, key: str) -> Record | None:
        return self._world.store.collection(f"/{plural}").get(key)

    def _is_long_deleted(self, meta: Object) -> bool:
        deleted = meta.get("deletionTimestamp")
        return deleted is not None and datetime.fromisoformat(deleted) < self._world.clock.now() - _LEEWAY


def _user(claims: Claims) -> User:
    facts = claims[_KUBERNETES]
    extra = {"authentication.kubernetes.io/credential-id": [f"JTI={claims['jti']}"]}
    for kind in ("node", "pod"):
        for field, value in facts.get(kind, {}).items():
            extra[f"authentication.kubernetes.io/{kind}-{field}"] = [value]
    namespace, account = facts["namespace"], facts["serviceaccount"]
    name = username(namespace, account["name"])
    return User(name, groups_of(namespace), uid=account["uid"], extra=extra)


def _reference(obj: Object) -> Object:
    meta = obj["metadata"]
    return {"name": meta["name"], "uid": meta["uid"]} if meta.get("uid") else {"name": meta["name"]}


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _listed(texts: Sequence[str]) -> str:
    return f"[{' '.join(quoted(text) for text in texts)}]"
