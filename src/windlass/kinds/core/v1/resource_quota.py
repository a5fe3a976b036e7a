# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Field, Model, Quantity, Resource


class ScopedResourceSelectorRequirement(Model):
    operator: str
    scope_name: str
    values: list[str] = []


class ScopeSelector(Model):
    match_expressions: list[ScopedResourceSelectorRequirement] = []


class ResourceQuotaSpec(Model):
    hard: dict[str, Quantity] = {}
    scope_selector: ScopeSelector | None = None
    scopes: list[str] = []


class ResourceQuotaStatus(Model):
    hard: dict[str, Quantity] = {}
    used: dict[str, Quantity] = {}


class ResourceQuota(Resource, group="", version="v1", plural="resourcequotas", subresources=('status',)):
    spec: ResourceQuotaSpec = Field(default_factory=ResourceQuotaSpec)
    status: ResourceQuotaStatus = Field(default_factory=ResourceQuotaStatus)
