"""The functions that every expression can use: operators, conversions, texts, times; and optionals.

What must not be evaluated first, such as the right side of `&&`, is the evaluator's own business; it is
declared here for the checker.
"""

from windlass.schema.cel.declare import Function, Library, Overload
from windlass.schema.cel.library.standard.arithmetic import ARITHMETIC
from windlass.schema.cel.library.standard.conversion import CONVERSIONS
from windlass.schema.cel.library.standard.optional import OPTIONAL as OPTIONAL
from windlass.schema.cel.library.standard.relation import LOGIC, RELATIONS
from windlass.schema.cel.library.standard.text import TEXTS
from windlass.schema.cel.library.standard.text import matcher as matcher
from windlass.schema.cel.library.standard.time import TIMES
from windlass.schema.cel.parse import STANDARD_MACROS
from windlass.schema.cel.type import INT, A, B, list_of, map_of

STANDARD = Library(
    "standard",
    (
        *LOGIC,
        *ARITHMETIC,
        *RELATIONS,
        Function(
            "_[_]",
            (
                Overload("index_list", (list_of(A), INT), A, None),
                Overload("index_map", (map_of(A, B), A), B, None),
            ),
        ),
        *TEXTS,
        *CONVERSIONS,
        *TIMES,
    ),
    STANDARD_MACROS,
)
"""The standard library."""

__all__ = ["OPTIONAL", "STANDARD", "matcher"]
