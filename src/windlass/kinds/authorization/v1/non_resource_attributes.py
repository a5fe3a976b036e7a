# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class NonResourceAttributes(Model):
    path: str | None = None
    verb: str | None = None
