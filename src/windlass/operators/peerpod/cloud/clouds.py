from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.errors import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.operators.peerpod.cloud.interface import Cloud, CloudFactory, Credentials


class Clouds:
    """The clouds that are in use: each is made once, and anew when its credentials change."""

    def __init__(self, factories: Mapping[str, CloudFactory]) -> None:
        self._factories = factories
        self._made: dict[str, tuple[dict[str, str], Cloud]] = {}

    def check(self, provider: str) -> None:
        """Refuse a provider that nobody knows.

        Raises:
            Terminal: there is none of this name, and trying again does not make one.
        """
        if provider not in self._factories:
            known = ", ".join(sorted(self._factories)) or "none at all"
            raise Terminal(
                "UnknownProvider",
                f"there is no cloud {provider!r} here: known are {known}; install its plug-in",
            )

    def of(self, provider: str, credentials: Credentials) -> Cloud:
        """The cloud of a provider, with these credentials.

        Raises:
            Terminal: nobody knows the provider.
            ConfigError: the credentials cannot be used.
        """
        self.check(provider)
        wanted = dict(credentials)
        known = self._made.get(provider)
        if known is None or known[0] != wanted:
            known = self._made[provider] = wanted, self._factories[provider](wanted)
        return known[1]
