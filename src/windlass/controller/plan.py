from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.controller.acts import PlanEndsError
from windlass.controller.exit import Exit
from windlass.controller.facilities import facilities_of
from windlass.controller.journal import Recorder
from windlass.controller.run import Run
from windlass.controller.turn import turn_of_object
from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Key
    from windlass.controller.environment import Environment
    from windlass.controller.journal import Effect, Write
    from windlass.reconcile import Reconciler
