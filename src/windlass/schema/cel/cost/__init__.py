"""What expressions cost: estimated before there are values, and counted while they are evaluated.

    estimate(checked, sizes)
    price_of("find", "string_find_string")(("text", "t.x"), "text")

Kubernetes bounds both, so that a rule cannot keep a server busy. Units and prices are those of Kubernetes.
"""

from windlass.schema.cel.cost.bounds import MOST as MOST
from windlass.schema.cel.cost.bounds import Range as Range
from windlass.schema.cel.cost.estimate import estimate as estimate
from windlass.schema.cel.cost.operand import Path as Path
from windlass.schema.cel.cost.operand import Sizes as Sizes

__all__ = ["MOST", "Path", "Range", "Sizes", "estimate"]
