"""A shop from a chart: each Minimart is a release of it, kept as its spec says."""

from windlass.operators.minimart.controller import chart_path
from windlass.operators.minimart.types import Minimart

__all__ = ["Minimart", "chart_path"]
