"""What expressions cost: estimated before there are values, and counted while they are evaluated.

    estimate(checked, sizes)
    Program(checked, environment, KUBERNETES_PRICING)

Kubernetes bounds both, so that a rule cannot keep a server busy. Units and prices are those of Kubernetes.
"""

from windlass.schema.cel.cost.bounds import MOST as MOST
from windlass.schema.cel.cost.bounds import Range as Range
from windlass.schema.cel.cost.estimate import estimate as estimate
from windlass.schema.cel.cost.operand import Path as Path
from windlass.schema.cel.cost.operand import Sizes as Sizes
from windlass.schema.cel.cost.price import KUBERNETES_PRICING as KUBERNETES_PRICING
from windlass.schema.cel.cost.price import LibraryPricing as LibraryPricing

__all__ = ["KUBERNETES_PRICING", "MOST", "LibraryPricing", "Path", "Range", "Sizes", "estimate"]
