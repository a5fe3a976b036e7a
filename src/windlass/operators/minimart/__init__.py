"""A shop from a chart: each Minimart is a release of it, kept as its spec says."""

from windlass.operators.minimart.controller import CHART, MinimartController, add_to
from windlass.operators.minimart.types import Minimart

__all__ = ["CHART", "Minimart", "MinimartController", "add_to"]
