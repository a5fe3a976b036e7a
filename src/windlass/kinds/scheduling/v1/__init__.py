"""The kinds of scheduling/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.scheduling.v1.priority_class import PriorityClass as PriorityClass

__lazy__ = {
    "PriorityClass": "windlass.kinds.scheduling.v1.priority_class",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
