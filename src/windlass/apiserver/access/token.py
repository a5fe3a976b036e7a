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
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.store import Collection, Record
    from windlass.apiserver.world import World
    from windlass.pki import KeyPair

ISSUER: Final = "https://kubernetes.default.svc"
AUDIENCES: Final = (ISSUER,)
"""Whom tokens are for unless they say otherwise: this server."""

_LEEWAY: Final = timedelta(minutes=1)
_USUAL: Final = timedelta(seconds=3607)
_EXTENDED: Final = timedelta(days=365)
_KUBERNETES: Final = "kubernetes.io"
_INVALIDATED: Final = "service account token has been invalidated"
_MOST: Final = 1024

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody whose credentials are good, for which of the audiences asked for."""

    user: User
    audiences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Proof:
    """That a token is good, until when, and as long as these records are the newest."""

    identity: Identity
    until: datetime
    records: tuple[tuple[Collection, Record], ...]

    def holds(self, now: datetime) -> bool:
        return now < self.until and all(
            collection.get(record.key) is record for collection, record in self.records
        )


class AccountTokens:
    """Makes tokens of service accounts, and recognises them while what they are bound to exists.

    What was found good is believed without another look at the signature until something changes.
    """

    def __init__(self, world: World, key: KeyPair | None = None) -> None:
        self._world = world
        self._proofs: dict[tuple[str, tuple[str, ...]], _Proof] = {}
        self.keyring = Keyring(key)

    def issue(
        self, account: Object, audiences: Sequence[str], lifetime: timedelta, bound: Mapping[str, Object]
    ) -> str:
        """A token for an account; `bound` are the objects that it dies with: `secret`, `pod`, `node`.

        One as every pod gets it lives for a year, for clients that read it only once.
        """
        meta = account["metadata"]
        now = int(self._world.clock.now().timestamp())
        facts = {"namespace": meta["namespace"], "serviceaccount": _reference(account)}
        facts |= {kind: _reference(obj) for kind, obj in bound.items()}
        if lifetime == _USUAL and "pod" in bound and set(audiences) <= set(AUDIENCES):
            facts["warnafter"] = now + int(lifetime.total_seconds())
            lifetime = _EXTENDED
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
        key = (token, tuple(audiences))
        now = self._world.clock.now()
        proof = self._proofs.pop(key, None)
        if proof is None or not proof.holds(now):
            unverified = claims_of(token)
            if unverified is None or unverified.get("iss") != ISSUER:
                return None
            proof = self._prove(self.keyring.verify(token), audiences, now)
        while len(self._proofs) >= _MOST:
            del self._proofs[next(iter(self._proofs))]
        self._proofs[key] = proof
        return proof.identity

    def _prove(self, claims: Claims, audiences: Sequence[str], now: datetime) -> _Proof:
        meant = claims.get("aud") or AUDIENCES
        common = tuple(each for each in audiences if each in meant)
        if not common:
            raise BadToken(
                f"token audiences {_listed(meant)} is invalid for the target audiences {_listed(audiences)}"
            )
        _check_times(claims, now)
        records = tuple(self._check_objects(claims[_KUBERNETES], now))
        # What is being deleted is good for another minute, which no record tells the end of.
        lasting = not any(record.mentions("deletionTimestamp") for _, record in records)
        until = _moment(claims["exp"]) if lasting else now
        return _Proof(Identity(_user(claims), common), until, records)

    def _check_objects(self, facts: Object, now: datetime) -> Iterator[tuple[Collection, Record]]:
        """The account, and what the token is bound to, are the ones that the token was made for."""
        namespace, account = facts["namespace"], facts["serviceaccount"]
        accounts, record = self._find("serviceaccounts", f"{namespace}/{account['name']}")
        if record is None:
            raise BadToken(f'serviceaccounts "{account["name"]}" not found')
        found = record.object()["metadata"]
        if found["uid"] != account["uid"]:
            raise BadToken(f"service account UID ({found['uid']}) does not match claim ({account['uid']})")
        if _is_long_deleted(found, now):
            raise BadToken(f"service account {namespace}/{account['name']} has been deleted")
        yield accounts, record
        for kind in ("secret", "pod", "node"):
            if kind in facts and not (kind == "node" and "pod" in facts):
                name = facts[kind]["name"]
                key = name if kind == "node" else f"{namespace}/{name}"
                yield self._check_bound(kind, facts[kind], key, now)

    def _check_bound(
        self, kind: str, reference: Object, key: str, now: datetime
    ) -> tuple[Collection, Record]:
        collection, record = self._find(f"{kind}s", key)
        if record is None:
            raise BadToken(_INVALIDATED)
        found = record.object()["metadata"]
        if found["uid"] != reference["uid"]:
            raise BadToken(
                f"{kind} UID ({found['uid']}) does not match "
                f"service account {kind} ref claim ({reference['uid']})"
            )
        if _is_long_deleted(found, now):
            raise BadToken(_INVALIDATED)
        return collection, record

    def _find(self, plural: str, key: str) -> tuple[Collection, Record | None]:
        collection = self._world.store.collection(f"/{plural}")
        return collection, collection.get(key)


def _check_times(claims: Claims, now: datetime) -> None:
    if now + _LEEWAY < _moment(claims["nbf"]):
        raise BadToken("service account token is not valid yet")
    if now - _LEEWAY > _moment(claims["exp"]):
        raise BadToken("service account token has expired")
    if now + _LEEWAY < _moment(claims["iat"]):
        raise BadToken("service account token is issued in the future")


def _is_long_deleted(meta: Object, now: datetime) -> bool:
    deleted = meta.get("deletionTimestamp")
    return deleted is not None and datetime.fromisoformat(deleted) < now - _LEEWAY


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
