from __future__ import annotations

import os
from typing import TYPE_CHECKING

from windlass.operators.peerpod.controllers import PeerPodConfigController
from windlass.operators.peerpod.options import PeerPodOptions

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager, options: PeerPodOptions | None = None) -> None:
    """Have the controllers of both kinds run; without options, those of the environment.

    Raises:
        ConfigError: the environment has a value that cannot be used.
    """
    chosen = options or PeerPodOptions.from_environment(os.environ)
    manager.add(PeerPodConfigController(chosen))
