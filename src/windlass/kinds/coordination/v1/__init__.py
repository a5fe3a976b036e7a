"""The kinds of coordination/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.coordination.v1.lease import Lease as Lease
    from windlass.kinds.coordination.v1.lease import LeaseSpec as LeaseSpec

__lazy__ = {
    "Lease": "windlass.kinds.coordination.v1.lease",
    "LeaseSpec": "windlass.kinds.coordination.v1.lease",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
