# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class Binding(Resource, group="", version="v1", plural="bindings"):
    target: "ObjectReference"
