from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from windlass.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Sequence

    from windlass.kinds.core.v1 import Pod

S = TypeVar("S", bound="Hashable")


class Delete(NamedTuple):
    """The step of deleting a pod, and no later one of the same name."""

    name: str
    uid: str

    @classmethod
    def of(cls, pod: Pod) -> Delete:
        """Delete this one."""
        return cls(pod.metadata.name, pod.metadata.uid)


async def step_by_step(
    plan: Callable[[], Awaitable[Sequence[S]]], act: Callable[[S], Awaitable[None]]
) -> ApiError | None:
    """Do what a plan says, and then what that has made possible, until nothing is left to do.

    A run is not woken by what it does itself: a pod that is gone as soon as it is deleted is replaced in the
    same run. Each step is tried once, so that one that changes nothing cannot go on forever. What the server
    refuses ends it, and is returned after one more look, so that a set tells what there is all the same.
    """
    done: set[S] = set()
    while left := [step for step in await plan() if step not in done]:
        for step in left:
            done.add(step)
            try:
                await act(step)
            except ApiError as error:
                await plan()
                return error
    return None
