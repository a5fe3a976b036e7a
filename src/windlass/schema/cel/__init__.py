"""CEL, the expression language of Kubernetes: parsed, type-checked, priced and evaluated.

    from windlass.schema.cel.library import KUBERNETES

    environment = Environment(variables={"self": INT}, libraries=KUBERNETES)
    program = environment.program("self > 3")
    program.evaluate({"self": 5})

An expression passes through four stages, each a package of its own: `parse` makes a tree of a text, `check`
finds the type of each of its nodes, `cost` says how dear it can become, `evaluate` makes a function of it.
`library` has the functions. `rule` puts all of it to use on the `x-kubernetes-validations` of a schema.

It answers as cel-go 0.26 does with the settings of Kubernetes 1.36. It knows no protobuf messages.
"""

from windlass.schema.cel.environment import Environment as Environment
from windlass.schema.cel.problem import CostError as CostError
from windlass.schema.cel.problem import EvaluationError as EvaluationError
from windlass.schema.cel.problem import ExpressionError as ExpressionError
from windlass.schema.cel.problem import Problem as Problem
from windlass.schema.cel.type import BOOL as BOOL
from windlass.schema.cel.type import BYTES as BYTES
from windlass.schema.cel.type import DOUBLE as DOUBLE
from windlass.schema.cel.type import DURATION as DURATION
from windlass.schema.cel.type import DYN as DYN
from windlass.schema.cel.type import INT as INT
from windlass.schema.cel.type import NULL as NULL
from windlass.schema.cel.type import STRING as STRING
from windlass.schema.cel.type import TIMESTAMP as TIMESTAMP
from windlass.schema.cel.type import UINT as UINT
from windlass.schema.cel.type import Type as Type
from windlass.schema.cel.type import TypeKind as TypeKind
from windlass.schema.cel.type import list_of as list_of
from windlass.schema.cel.type import map_of as map_of
from windlass.schema.cel.type import object_type as object_type
from windlass.schema.cel.type import optional_of as optional_of

__all__ = [
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "DYN",
    "INT",
    "NULL",
    "STRING",
    "TIMESTAMP",
    "UINT",
    "CostError",
    "Environment",
    "EvaluationError",
    "ExpressionError",
    "Problem",
    "Type",
    "TypeKind",
    "list_of",
    "map_of",
    "object_type",
    "optional_of",
]
