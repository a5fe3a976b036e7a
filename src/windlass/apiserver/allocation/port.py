from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.allocation.pool import NotFree, pick, reserved_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.world import World

PORTS: Final = range(30000, 32768)
"""Where the ports on nodes come from."""

_STEP: Final = 32
_MOST_RESERVED: Final = 128


class PortPool:
    """The ports that services have on every node."""

    def __init__(self, ports: range = PORTS) -> None:
        self._ports = ports
        self._reserved = reserved_of(len(ports), _STEP, _MOST_RESERVED)
        self._held: dict[str, frozenset[int]] = {}
        self._taken: dict[int, str] = {}

    def hold(self, service: str, ports: Iterable[int]) -> None:
        """Let a service, `namespace/name`, have these ports and no others."""
        before, after = self._held.get(service, frozenset()), frozenset(ports)
        if before == after:
            return
        for port in before - after:
            del self._taken[port]
        self._taken.update(dict.fromkeys(after, service))
        if after:
            self._held[service] = after
        else:
            self._held.pop(service, None)

    def is_taken(self, port: int) -> bool:
        """Whether a service has this port."""
        return port in self._taken

    def check(self, port: int) -> None:
        """Whether a port can be had.

        Raises:
            NotFree: it is taken, or out of the range.
        """
        if port not in self._ports:
            raise NotFree(
                "provided port is not in the valid range. "
                f"The range of valid ports is {self._ports[0]}-{self._ports[-1]}"
            )
        if self.is_taken(port):
            raise NotFree("provided port is already allocated")

    def choose(self, besides: set[int], world: World) -> int:
        """A port that is free, and none of those just chosen.

        Raises:
            NotFree: all are taken.
        """

        def is_gone(number: int) -> bool:
            return self._ports[number] in besides or self.is_taken(self._ports[number])

        return self._ports[pick(len(self._ports), self._reserved, is_gone, world.chance)]


class PortChoice:
    """The ports that are chosen for one service; nothing is taken by it.

    A dry run is shown ports that are none of the range.
    """

    def __init__(self, pool: PortPool, world: World, *, dry_run: bool) -> None:
        self._pool = pool
        self._world = world
        self._dry_run = dry_run
        self._chosen: set[int] = set()

    def ask(self, port: int) -> None:
        """Choose this port.

        Raises:
            NotFree: it cannot be had.
        """
        if port in self._chosen or (self._dry_run and self._pool.is_taken(port)):
            raise NotFree("provided port is already allocated")
        if not self._dry_run:
            self._pool.check(port)
        self._chosen.add(port)

    def any(self) -> int:
        """Choose a port that is free.

        Raises:
            NotFree: all are taken.
        """
        if self._dry_run:
            port = max(self._chosen, default=PORTS.stop) + 1
        else:
            port = self._pool.choose(self._chosen, self._world)
        self._chosen.add(port)
        return port
