# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class Subject(Model):
    api_group: str | None = None
    kind: str
    name: str
    namespace: str | None = None
