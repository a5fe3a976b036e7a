from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, kw_only=True)
class NodeLifecycleOptions:
    """How long a node may be silent; the figures are those of kube-controller-manager.

    `grace`: a node whose lease was not renewed for so long is lost. `startup_grace`: the same for one that
    has never told how it is.

    Raises:
        ValueError: a node would be lost at once.
    """

    grace: timedelta = timedelta(seconds=50)
    startup_grace: timedelta = timedelta(seconds=60)

    def __post_init__(self) -> None:
        if min(self.grace, self.startup_grace) <= timedelta():
            raise ValueError("NodeLifecycleOptions: grace and startup_grace have to be longer than nothing")
