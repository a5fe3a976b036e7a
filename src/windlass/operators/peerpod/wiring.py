from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.operators.peerpod.cloud import CleaningOptions
from windlass.operators.peerpod.controllers import Dangling, PeerPodConfigController, PeerPodController
from windlass.operators.peerpod.options import PeerPodOptions

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(
    manager: Manager, options: PeerPodOptions | None = None, cleaning: CleaningOptions | None = None
) -> None:
    """Have the controllers of both kinds run; without options, those of the environment.

    `cleaning` says how instances are deleted that were left behind: by clouds of installed plug-ins and of
    programs, with the settings that lie where the cloud-api-adaptor has its own, unless it says otherwise.

    Raises:
        ConfigError: the environment has a value that cannot be used.
    """
    chosen = options or PeerPodOptions.from_environment(os.environ)
    dangling = Dangling()
    dangling.show(manager.metrics)
    manager.add(PeerPodConfigController(chosen))
    manager.add(PeerPodController(cleaning or _cleaning(chosen), dangling))


def _cleaning(options: PeerPodOptions) -> CleaningOptions:
    """That of the environment, where the settings lie that the options name."""
    return replace(CleaningOptions.from_environment(os.environ), namespace=options.namespace)
