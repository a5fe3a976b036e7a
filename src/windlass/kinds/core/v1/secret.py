# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Base64, Resource


class Secret(Resource, group="", version="v1", plural="secrets"):
    data: dict[str, Base64] = {}
    immutable: bool | None = None
    string_data: dict[str, str] = {}
    type: str | None = None
