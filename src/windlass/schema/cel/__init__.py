"""CEL, the expression language of Kubernetes: parsed, type-checked, priced and evaluated.

    from windlass.schema.cel.library import KUBERNETES

    environment = Environment(variables={"self": INT}, libraries=KUBERNETES)
    program = environment.program("self > 3")
    program.evaluate({"self": 5}).value

An expression passes through four stages, each a package of its own: `parse` makes a tree of a text, `check`
finds the type of each of its nodes, `cost` says how dear it can become, `evaluate` makes a function of it.
`library` has the functions, `structure` and `adapt` know schemas and their objects. `rule` puts all of it to
use on the `x-kubernetes-validations` of a schema. Here is only what they share: types, values and errors.

It answers as cel-go 0.26 does with the settings of Kubernetes 1.36. It knows no protobuf messages.
"""

from windlass.schema.cel.environment import Environment
from windlass.schema.cel.problem import CostError, EvaluationError, ExpressionError, Problem
from windlass.schema.cel.type import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    TypeKind,
    list_of,
    map_of,
    object_type,
    optional_of,
)
from windlass.schema.cel.value import NONE, Duration, Optional, Timestamp, Uint, Value

__all__ = [
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "DYN",
    "INT",
    "NONE",
    "NULL",
    "STRING",
    "TIMESTAMP",
    "UINT",
    "CostError",
    "Duration",
    "Environment",
    "EvaluationError",
    "ExpressionError",
    "Optional",
    "Problem",
    "Timestamp",
    "Type",
    "TypeKind",
    "Uint",
    "Value",
    "list_of",
    "map_of",
    "object_type",
    "optional_of",
]
