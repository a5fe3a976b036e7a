# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class NodeSelectorRequirement(Model):
    key: str
    operator: str
    values: list[str] = []


class NodeSelectorTerm(Model):
    match_expressions: list[NodeSelectorRequirement] = []
    match_fields: list[NodeSelectorRequirement] = []
