"""Makes a tree of the text of an expression, with its macros expanded.

    tree = parse("self.replicas <= self.max", environment.macros)

A macro is a function from a call to the node that it stands for, which it makes with an `Expander`.
"""

from windlass.schema.cel.parse.expand import Expander, Fold
from windlass.schema.cel.parse.macro import (
    OPTIONAL_MACROS,
    STANDARD_MACROS,
    collected,
    existential,
    singular,
    universal,
    variable,
)
from windlass.schema.cel.parse.operand import RESERVED
from windlass.schema.cel.parse.read import parse

__all__ = [
    "OPTIONAL_MACROS",
    "RESERVED",
    "STANDARD_MACROS",
    "Expander",
    "Fold",
    "collected",
    "existential",
    "parse",
    "singular",
    "universal",
    "variable",
]
