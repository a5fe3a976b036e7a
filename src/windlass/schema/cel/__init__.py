"""CEL, the expression language of Kubernetes: parsed, type-checked, priced and evaluated.

    environment = Environment(variables={"self": INT}, libraries=KUBERNETES)
    program = environment.program("self > 3")
    program.evaluate({"self": 5})

An expression passes through four stages, each a package of its own: `parse` makes a tree of a text, `check`
finds the type of each of its nodes, `cost` says how dear it can become, `evaluate` makes a function of it.
`library` has the functions. `rule` puts all of it to use on the `x-kubernetes-validations` of a schema.

It answers as cel-go 0.26 does with the settings of Kubernetes 1.36. It knows no protobuf messages.
"""
