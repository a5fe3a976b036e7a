"""The kinds of node/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.node.v1.runtime_class import Overhead as Overhead
    from windlass.kinds.node.v1.runtime_class import RuntimeClass as RuntimeClass
    from windlass.kinds.node.v1.runtime_class import Scheduling as Scheduling

__lazy__ = {
    "Overhead": "windlass.kinds.node.v1.runtime_class",
    "RuntimeClass": "windlass.kinds.node.v1.runtime_class",
    "Scheduling": "windlass.kinds.node.v1.runtime_class",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
