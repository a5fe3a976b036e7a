"""Defaults that depend on other fields: functions that are given one structure and complete it in place.

A module has a table, `RULES`, from definitions to their rules. A key that is a kind, for example
`v1/PersistentVolumeClaim`, is for whole objects, and not where such an object is a part of another. A rule
sees the structure as it was given: those above it have their defaults, it and those below it have not.

What the server drops from an object or rewrites in it belongs here as well, if that takes only the object: in
another table, `LATE_RULES`, because whoever set it is noted as its owner first.
"""

from windlass.apiserver.defaulting.rules.registry import late_rules, rules

__all__ = ["late_rules", "rules"]
