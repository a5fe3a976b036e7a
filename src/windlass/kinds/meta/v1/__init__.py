"""The kinds of meta/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.policy.v1.eviction import DeleteOptions as DeleteOptions
    from windlass.kinds.authorization.v1.resource_attributes import FieldSelectorRequirement as FieldSelectorRequirement
    from windlass.kinds.policy.v1.eviction import Preconditions as Preconditions

__lazy__ = {
    "DeleteOptions": "windlass.kinds.policy.v1.eviction",
    "FieldSelectorRequirement": "windlass.kinds.authorization.v1.resource_attributes",
    "Preconditions": "windlass.kinds.policy.v1.eviction",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
