from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster import scheduler

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have all controllers of a cluster run."""
    scheduler.add_to(manager)
