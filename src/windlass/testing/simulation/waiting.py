"""What tasks wait for, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

_MOST = 40


def waits(tasks: Sequence[asyncio.Task[Any]]) -> str:
    """A line for each task: its name, and the chain of what it awaits with the line of the last one."""
    lines = [f"  {task.get_name()}: {_chain(task.get_coro())}" for task in tasks[:_MOST]]
    if len(tasks) > _MOST:
        lines.append(f"  and {len(tasks) - _MOST} more")
    return "\n".join(lines) or "  no task is left"


def _chain(awaited: Any) -> str:
    names: list[str] = []
    place = ""
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "ag_frame", None)
        if frame is None:
            break
        names.append(awaited.__qualname__)
        place = f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}"
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "ag_await", None)
    return f"{' > '.join(names)} at {place}" if names else "something that is not a coroutine"
