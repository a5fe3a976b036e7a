# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Any

from windlass.api import Resource


class ControllerRevision(Resource, group="apps", version="v1", plural="controllerrevisions"):
    data: dict[str, Any] = {}
    revision: int
