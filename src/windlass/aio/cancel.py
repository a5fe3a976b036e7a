from __future__ import annotations

import asyncio


def is_cancelled() -> bool:
    """Whether the present task was asked to end; if not, a cancellation is that of something it awaited."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
