"""A shop from a chart: each Minimart is a release of it, kept as its spec says."""

from windlass.operators.minimart.controller import add_to, chart_path
from windlass.operators.minimart.types import Minimart

__all__ = ["Minimart", "add_to", "chart_path"]
