# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class Toleration(Model):
    effect: str | None = None
    key: str | None = None
    operator: str | None = None
    toleration_seconds: int | None = None
    value: str | None = None
