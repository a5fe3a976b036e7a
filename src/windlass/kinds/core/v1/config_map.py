# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Base64, Resource


class ConfigMap(Resource, group="", version="v1", plural="configmaps"):
    binary_data: dict[str, Base64] = {}
    data: dict[str, str] = {}
    immutable: bool | None = None
