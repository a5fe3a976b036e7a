"""Rotation on virtual time: those who look, those who read late, and a judge of what they see."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from windlass.pki import Keyring, Lifespan, RotationPolicy
from windlass.pki.lifespan import is_signed_by

if TYPE_CHECKING:
    from collections.abc import Iterator

START = datetime(2026, 1, 1, tzinfo=UTC)
HOSTS = ("hooks.shop.svc", "127.0.0.1")
SECOND = timedelta(seconds=1)


@dataclass
class History:
    """Which keyring was stored from when on."""

    policy: RotationPolicy
    stored: list[tuple[datetime, Keyring]] = field(default_factory=list)

    def store(self, keyring: Keyring, now: datetime) -> None:
        if not self.stored or keyring is not self.stored[-1][1]:
            self.stored.append((now, keyring))

    def faults(self, end: datetime) -> list[str]:
        """What a client could not accept at some moment, whatever it and its server had seen by then."""
        return [
            fault
            for moment in self._moments(end)
            for server in self._seen(moment)
            for fault in self._found(server, moment)
        ]

    def _found(self, server: Keyring, moment: datetime) -> Iterator[str]:
        presented = server.serving.certificate
        when = moment - START
        if not self._is_valid(presented, moment):
            yield f"{when}: revision {server.revision} is presented, and has expired"
        for client in self._seen(moment):
            signers = [each for each in _authorities(client) if is_signed_by(presented, each)]
            if not any(self._is_valid(each, moment) for each in signers):
                yield f"{when}: revision {server.revision} is presented to one who trusts {client.revision}"

    def _is_valid(self, certificate: str, moment: datetime) -> bool:
        """Whether it is for those whose clocks are ahead, and for those whose clocks are behind."""
        life, skew = Lifespan.of(certificate), self.policy.leeway / 2
        return life.holds(moment - skew) and life.holds(moment + skew)

    def _moments(self, end: datetime) -> Iterator[datetime]:
        """Those at which something begins or ceases to be seen; in between all is as at one of them."""
        for moment, _ in self.stored:
            yield moment
            yield min(moment + self.policy.propagation - timedelta(microseconds=1), end)
        yield end

    def _seen(self, moment: datetime) -> Iterator[Keyring]:
        """What somebody who lags, but by less than the propagation time, may take for current."""
        for index, (begin, keyring) in enumerate(self.stored):
            replaced = [later for later, _ in self.stored[index + 1 : index + 2]]
            if begin <= moment and all(moment < each + self.policy.propagation for each in replaced):
                yield keyring


def _authorities(keyring: Keyring) -> tuple[str, ...]:
    coming = (keyring.coming.certificate,) if keyring.coming else ()
    return (keyring.authority.certificate, *coming, *keyring.outgoing)
