from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from windlass.errors import ConfigError
from windlass.pki.certificate import BACKDATED

_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, kw_only=True)
class RotationPolicy:
    """How long certificates live, and what may be expected of those who read them.

    `renew_at`: the part of its life after which a certificate is replaced.
    `propagation`: what was written is seen within this time by whoever reads it: a replica that serves, an
    API server that calls a webhook. What is due is done no later than this after it was.
    `leeway`: no two clocks differ by more.

    Raises:
        ConfigError: the lifetimes leave no room for a rotation that nobody notices.
    """

    authority_lifetime: timedelta = timedelta(days=365)
    serving_lifetime: timedelta = timedelta(days=90)
    renew_at: float = 2 / 3
    propagation: timedelta = timedelta(minutes=5)
    leeway: timedelta = timedelta(minutes=1)

    def __post_init__(self) -> None:
        if not 0 < self.renew_at < 1:
            raise ConfigError(f"renew_at must be a part of a life, between 0 and 1, not {self.renew_at:g}")
        if self.propagation < timedelta():
            raise ConfigError(f"propagation must not be negative, but is {self.propagation}")
        if not _SECOND <= self.leeway <= BACKDATED - _SECOND:  # certificates know whole seconds
            most = BACKDATED - _SECOND
            raise ConfigError(f"leeway must be between {_SECOND} and {most}, not {self.leeway}")
        spare, needed = self.serving_lifetime * (1 - self.renew_at), 2 * (self.propagation + self.leeway)
        if spare < needed:
            raise ConfigError(
                f"a serving certificate that lives {self.serving_lifetime} is renewed {spare}"
                f" before its end; to be taken up in time that must be at least {needed}"
            )
        if self.authority_lifetime <= self.handover:
            raise ConfigError(
                f"an authority must live longer than {self.handover}, which it takes to hand over to"
                f" the next one; authority_lifetime is {self.authority_lifetime}"
            )

    @property
    def handover(self) -> timedelta:
        """How long before its end an authority must have a successor, published but not yet in use.

        The successor may be made one propagation late, waits one, and may be put to use one late; what the
        old authority signed until then lives as long as anything.
        """
        return self.serving_lifetime + 3 * self.propagation + 2 * self.leeway
