from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from windlass.cluster.node import NodeOptions

LOCAL_IMAGE: Final = "windlass.dev/local:1"
"""An image whose containers are processes of this machine: their `args` are the command."""


def fast_nodes(count: int = 3) -> NodeOptions:
    """Nodes for tests: they wait for a tenth of the usual time after failures.

    They run `LOCAL_IMAGE`, and that of Windlass itself, which `windlass deploy` deploys.
    """
    from windlass.cluster.node import OWN_IMAGES, NodeOptions, Program

    images = {"windlass.dev/local:*": Program(("env",)), **OWN_IMAGES}
    return NodeOptions(count=count, backoff=timedelta(seconds=1), images=images)
