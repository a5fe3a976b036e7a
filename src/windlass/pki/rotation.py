"""When certificates are replaced, and by what. Nothing here waits, reads or writes.

An authority is replaced in three steps. Each may be seen late by whoever reads, and is safe all the same:

1. The coming authority is published beside the one that signs.
2. When everyone must have seen it, it signs; the key of the other one is forgotten, its certificate stays.
3. That certificate goes when it has expired; what it signed has expired by then, too.
"""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.pki.certificate import KeyPair, authority, serving_certificate
from windlass.pki.keyring import Keyring
from windlass.pki.lifespan import Lifespan, hosts_of, is_signed_by

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.pki.policy import RotationPolicy


def renewed(
    keyring: Keyring | None,
    policy: RotationPolicy,
    hosts: Sequence[str],
    now: datetime,
    *,
    published: datetime | None = None,
) -> Keyring:
    """The keyring with everything replaced that is due; the same object when nothing is.

    `published` is when the bundle is known to have come to where clients read it, if that was later than the
    coming authority was made: its waiting time counts from then.

    Replicas of two versions that want different hosts do not undo each other's work: a certificate for more
    hosts than are wanted will do until its time comes.
    """
    if keyring is None:
        signer = _new_authority(policy, now)
        return Keyring(revision=1, serving=_signed(signer, policy, hosts, now), authority=signer)
    found = _with_signer(keyring, policy, now, published)
    found = _with_coming(found, policy, now)
    found = _without_expired(found, policy, now)
    found = _with_serving(found, policy, hosts, now)
    return keyring if found is keyring else replace(found, revision=keyring.revision + 1)


def due(keyring: Keyring, policy: RotationPolicy) -> datetime:
    """When `renewed` will next have something to do, if hosts and policy stay what they are."""
    ends = [Lifespan.of(each).until + policy.leeway for each in keyring.outgoing]
    next_authority = (
        _authority_due(keyring.authority, policy)
        if keyring.coming is None
        else Lifespan.of(keyring.coming.certificate).made + policy.propagation + policy.leeway
    )
    return min(_serving_due(keyring.serving, policy), next_authority, *ends)


def _with_signer(
    keyring: Keyring, policy: RotationPolicy, now: datetime, published: datetime | None
) -> Keyring:
    """Hand over to the coming authority when its time has come, or nothing better is left."""
    coming = keyring.coming
    if coming is not None and not _holds(coming, policy, now):  # a clock was wrong when it was made
        keyring, coming = replace(keyring, coming=None), None
    if _holds(keyring.authority, policy, now):
        if coming is None:
            return keyring
        made = Lifespan.of(coming.certificate).made
        if now < max(made, published or made) + policy.propagation + policy.leeway:
            return keyring
    return replace(
        keyring,
        authority=coming or _new_authority(policy, now),
        coming=None,
        outgoing=(*keyring.outgoing, keyring.authority.certificate),
    )


def _with_coming(keyring: Keyring, policy: RotationPolicy, now: datetime) -> Keyring:
    if keyring.coming is not None or now < _authority_due(keyring.authority, policy):
        return keyring
    return replace(keyring, coming=_new_authority(policy, now))


def _without_expired(keyring: Keyring, policy: RotationPolicy, now: datetime) -> Keyring:
    kept = tuple(each for each in keyring.outgoing if now < Lifespan.of(each).until + policy.leeway)
    return keyring if kept == keyring.outgoing else replace(keyring, outgoing=kept)


def _with_serving(keyring: Keyring, policy: RotationPolicy, hosts: Sequence[str], now: datetime) -> Keyring:
    serving, signer = keyring.serving, keyring.authority
    if (
        now >= _serving_due(serving, policy)
        or not _holds(serving, policy, now)
        or not is_signed_by(serving.certificate, signer.certificate)
    ):
        return replace(keyring, serving=_signed(signer, policy, hosts, now))
    held, wanted = hosts_of(serving.certificate), [_canonical(each) for each in hosts]
    if held.issuperset(wanted):
        return keyring
    both = (*wanted, *sorted(held.difference(wanted)))
    return replace(keyring, serving=_signed(signer, policy, both, now))


def _serving_due(serving: KeyPair, policy: RotationPolicy) -> datetime:
    life = Lifespan.of(serving.certificate)
    return life.made + life.length * policy.renew_at


def _authority_due(signer: KeyPair, policy: RotationPolicy) -> datetime:
    life = Lifespan.of(signer.certificate)
    return min(life.made + life.length * policy.renew_at, life.until - policy.handover)


def _holds(pair: KeyPair, policy: RotationPolicy, now: datetime) -> bool:
    """Whether it is valid, and will be for a little longer than by our clock alone."""
    life = Lifespan.of(pair.certificate)
    return life.holds(now) and life.holds(now + policy.leeway)


def _new_authority(policy: RotationPolicy, now: datetime) -> KeyPair:
    # Each has a name of its own, so that clients find the right one of a bundle by name already.
    return authority(f"windlass {now:%Y-%m-%dT%H:%M:%SZ}", lifetime=policy.authority_lifetime, now=now)


def _signed(signer: KeyPair, policy: RotationPolicy, hosts: Sequence[str], now: datetime) -> KeyPair:
    lifetime = min(policy.serving_lifetime, Lifespan.of(signer.certificate).until - now)
    return serving_certificate(signer, hosts, lifetime=lifetime, now=now)


def _canonical(host: str) -> str:
    """As a certificate says it."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return host
