"""Defaults that depend on other fields: functions that are given one structure and complete it in place.

A module has a table, `RULES`, from definitions to their rules; the key `v1/PersistentVolumeClaim` is a kind, for
rules of the whole object that do not hold where such an object is part of another. A rule sees the structure as it was given: those
above it have their defaults, it and those below it have not.
"""

from windlass.apiserver.defaulting.rules.registry import rules

__all__ = ["rules"]
