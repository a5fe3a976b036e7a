"""The RuntimeClass that pods name to run in a virtual machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.kinds.node.v1 import RuntimeClass
from windlass.operators.peerpod.desired.mark import metadata

if TYPE_CHECKING:
    from windlass.operators.peerpod.options import PeerPodOptions


def runtime_class(options: PeerPodOptions) -> RuntimeClass:
    """The RuntimeClass."""
    return RuntimeClass.from_wire(
        {
            "metadata": metadata(options.runtime_class),
            "handler": options.runtime_class,
            "overhead": {"podFixed": dict(options.overhead)},
        }
    )
