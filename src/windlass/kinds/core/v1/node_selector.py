# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model

if TYPE_CHECKING:
    from windlass.kinds.core.v1.node_selector_term import NodeSelectorTerm

__lazy__ = {
    "NodeSelectorTerm": "windlass.kinds.core.v1.node_selector_term",
}


class NodeSelector(Model):
    node_selector_terms: "list[NodeSelectorTerm]"
