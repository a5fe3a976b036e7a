# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.local_object_reference import LocalObjectReference
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "LocalObjectReference": "windlass.kinds.core.v1.local_object_reference",
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class ServiceAccount(Resource, group="", version="v1", plural="serviceaccounts", subresources=('token',)):
    automount_service_account_token: bool | None = None
    image_pull_secrets: "list[LocalObjectReference]" = []
    secrets: "list[ObjectReference]" = []
