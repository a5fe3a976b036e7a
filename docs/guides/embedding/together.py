"""Several operators in one process. Run with `windlass run together.py --leader-elect`."""

from children import SiteController
from minimal import GreetingController

from windlass import Manager
from windlass.controller import ControllerOptions
from windlass.helm import HelmProgram
from windlass.operators.minimart import MinimartController


def add_to(manager: Manager) -> None:
    """Two of your own, and one that comes with Windlass."""
    manager.add(GreetingController())
    manager.add(SiteController(), ControllerOptions(workers=2))  # this one is gentle
    manager.add(MinimartController(HelmProgram.of(manager)))
