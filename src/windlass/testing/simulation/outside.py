from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Holding(NamedTuple):
    """Something that exists outside the cluster: what it is for, and which of several it is.

    Two of one `key` at the same time are one too many. What is `lasting` may stay when its object is gone.
    """

    key: str
    id: str
    lasting: bool = False


class Outside:
    """The simulated side of something outside the cluster: a fake that holds what a real one would.

    Its public async methods are what the operator calls, by way of `world.reach(self)`: then each call takes
    time, may be lost on the way there or back, and is a point at which the operator may crash. What they
    raise is the answer. They run in one step: a fake does not wait.
    """

    looks: ClassVar[Sequence[str]] = ()
    """The names of methods that change nothing: anybody may call them at any time."""

    def holdings(self) -> Iterable[Holding]:
        """What exists there now."""
        return ()

    def lost(self, call: str, *, sent: bool) -> Exception:
        """What a caller is told whose call or answer was lost; the real side's adapter raises the like."""
        return ConnectionResetError(
            f"{call}: " + ("no answer came" if sent else "the connection was refused")
        )
