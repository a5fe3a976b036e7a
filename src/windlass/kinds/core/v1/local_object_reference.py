# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class LocalObjectReference(Model):
    name: str | None = None
