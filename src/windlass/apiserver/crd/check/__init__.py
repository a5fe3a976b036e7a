"""What a definition must be: names, versions, schemas, columns, conversion, with the server's words.

`definition_faults(new, old)` judges a new definition, or a change; `status_faults` a write to its status.
`warnings` tells what is allowed but has no effect. Defaults are filled in before.
"""

from windlass.apiserver.crd.check.definition import definition_faults, status_faults, warnings

__all__ = ["definition_faults", "status_faults", "warnings"]
