# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class RuleWithOperations(Model):
    api_groups: list[str] = []
    api_versions: list[str] = []
    operations: list[str] = []
    resources: list[str] = []
    scope: str | None = None
