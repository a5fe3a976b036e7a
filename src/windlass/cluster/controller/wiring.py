from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.garbage import GarbageCollector
from windlass.controller import ControllerOptions

if TYPE_CHECKING:
    from windlass.manager import Manager

_MANY: Final = ControllerOptions(workers=20)


def add_to(manager: Manager) -> None:
    """Have all controllers of a cluster run."""
    manager.add(GarbageCollector(manager.cache, manager.client), _MANY)
