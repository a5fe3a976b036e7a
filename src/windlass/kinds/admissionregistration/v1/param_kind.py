# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class ParamKind(Model):
    api_version: str | None = None
    kind: str | None = None
