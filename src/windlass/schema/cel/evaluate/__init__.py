"""Evaluation: a checked expression becomes a function.

    program = Program(checked, environment)
    program.evaluate({"self": adapted(obj, shape)}, limit=10_000)

Values are Python's own, and those of `windlass.schema.cel.value`. An object that a schema describes is not
converted but wrapped, and each field typed when it is looked at: that is what `adapted` is for.

Costs are counted as cel-go counts them, to the unit, since a cluster refuses an object by them. What can loop
looks at the limit in each round, so the limit bounds the time.
"""

from windlass.schema.cel.evaluate.literal import Instance as Instance
from windlass.schema.cel.evaluate.price import Pricing as Pricing
from windlass.schema.cel.evaluate.program import Outcome as Outcome
from windlass.schema.cel.evaluate.program import Program as Program

__all__ = ["Instance", "Outcome", "Pricing", "Program"]
