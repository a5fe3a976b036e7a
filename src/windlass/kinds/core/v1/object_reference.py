# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class ObjectReference(Model):
    api_version: str | None = None
    field_path: str | None = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None
    resource_version: str | None = None
    uid: str | None = None
