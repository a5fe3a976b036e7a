# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Quantity


class ResourceClaim(Model):
    name: str
    request: str | None = None


class ResourceRequirements(Model):
    claims: list[ResourceClaim] = []
    limits: dict[str, Quantity] = {}
    requests: dict[str, Quantity] = {}
