"""All operators that ship, in one manager: `windlass run windlass.operators.all`.

Each takes its settings from the environment, as it does alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.operators import collector, minimart, pagerduty, peerpod, ptemplate

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have a manager run all of them."""
    for each in (pagerduty, minimart, collector, peerpod, ptemplate):
        each.add_to(manager)
