from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from windlass.helm import HelmController, HelmProgram
from windlass.operators.minimart.types import Minimart

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have each Minimart be a release of the chart."""
    helm = HelmProgram(manager.client)
    manager.add(HelmController(of=Minimart, chart=chart_path(), helm=helm))


def chart_path() -> Path:
    """The folder of the chart."""
    return Path(str(files("windlass.operators.minimart") / "charts" / "minimart"))
