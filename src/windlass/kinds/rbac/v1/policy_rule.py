# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class PolicyRule(Model):
    api_groups: list[str] = []
    non_resource_urls: Annotated[list[str], Wire("nonResourceURLs")] = []
    resource_names: list[str] = []
    resources: list[str] = []
    verbs: list[str]
