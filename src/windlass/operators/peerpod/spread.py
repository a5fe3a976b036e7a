"""How a limit on virtual machines is spread over nodes: a pure function, for any number of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Host(NamedTuple):
    """A node as a spread sees it.

    `used` is what its pods take now, `advertised` what it offers now (None: nothing yet), `override` what it
    is to offer whatever the others do.
    """

    name: str
    used: int = 0
    advertised: int | None = None
    override: int | None = None


@dataclass(frozen=True)
class Spread:
    """What each node is to offer.

    `pinned` are the nodes that offer more than their share, because that much is in use there. `excess` is
    how much more than the limit is offered in all, `unplaced` how much of the limit no node takes.
    """

    shares: Mapping[str, int] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    excess: int = 0
    unplaced: int = 0

    @property
    def total(self) -> int:
        """What all nodes offer together."""
        return sum(self.shares.values())


def spread(limit: int, hosts: Iterable[Host]) -> Spread:
    """Spread a limit of the whole cluster over its nodes, as evenly as what is in use allows.

    The shares of two nodes that are neither pinned nor overridden differ by one at most, and all shares add
    up to the limit, unless use and overrides exceed it (`excess`) or no node is left to take it (`unplaced`).
    Of all such spreads it is the one that moves the fewest units from what is advertised, then the one that
    writes to the fewest nodes; among equals, what is left over goes to where more is in use, then by name. So
    what was spread stays where it is.

    Raises:
        ValueError: two hosts have one name.
    """
    fixed, free = _parted(hosts)
    shares = {host.name: max(host.used, host.override or 0) for host in fixed}
    left = max(limit - sum(shares.values()), 0)
    full, rest = _parted_by_use(left, free)
    shares.update({host.name: host.used for host in full})
    shares.update(_even(max(left - sum(host.used for host in full), 0), rest))
    full = [*full, *(host for host in fixed if shares[host.name] != host.override)]
    more = sum(shares.values()) - limit
    pinned = frozenset(host.name for host in full)
    return Spread(shares, pinned, excess=max(more, 0), unplaced=max(-more, 0))


def repeat(limit: int, hosts: Iterable[Host]) -> Spread:
    """Give every node the limit, for a limit that counts for each of them; none less than is in use there.

    Raises:
        ValueError: two hosts have one name.
    """
    fixed, free = _parted(hosts)
    wanted = {host: limit if host.override is None else host.override for host in (*fixed, *free)}
    shares = {host.name: max(host.used, share) for host, share in wanted.items()}
    pinned = frozenset(host.name for host, share in wanted.items() if host.used > share)
    return Spread(shares, pinned)


def _parted(hosts: Iterable[Host]) -> tuple[list[Host], list[Host]]:
    """Those with an override, and the others by use, the greatest first."""
    ordered = sorted(hosts, key=lambda host: (-host.used, host.name))
    if len({host.name for host in ordered}) != len(ordered):
        raise ValueError("two hosts have one name")
    fixed = [host for host in ordered if host.override is not None]
    return fixed, [host for host in ordered if host.override is None]


def _parted_by_use(limit: int, hosts: Sequence[Host]) -> tuple[Sequence[Host], Sequence[Host]]:
    """Those that use more than an even share would give them, and the rest; `hosts` are by use.

    One that is pinned leaves less for the others, so that the next may have to be pinned too.
    """
    with_use = Counter(host.used for host in hosts)
    left = limit
    for number, host in enumerate(hosts):
        base, over = divmod(max(left, 0), len(hosts) - number)
        fits = host.used <= base or (host.used == base + 1 and with_use[host.used] <= over)
        if fits:
            return hosts[:number], hosts[number:]
        left -= host.used
        with_use[host.used] -= 1
    return hosts, ()


def _even(limit: int, hosts: Sequence[Host]) -> dict[str, int]:
    """Give each the same, and one more to as many as what is left over suffices for."""
    if not hosts:
        return {}
    base, over = divmod(limit, len(hosts))
    favoured = {host.name for host in sorted(hosts, key=lambda host: _claim(host, base))[:over]}
    return {host.name: base + (host.name in favoured) for host in hosts}


def _claim(host: Host, base: int) -> tuple[bool, int, int, int, str]:
    """The order in which nodes get one more than the base.

    First who needs it; then by the units that it moves, and by the writes that it saves.
    """
    held = host.advertised or 0
    moves = -1 if held > base else 1
    writes = {base + 1: -1, base: 1}.get(held, 0) if host.advertised is not None else 0
    return host.used <= base, moves, writes, -host.used, host.name
