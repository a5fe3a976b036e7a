"""The rules of the built-in kinds: what the real API server refuses, with its fields, reasons and messages.

`validate("apps/Deployment", new, old, "")` yields a fault for each broken rule. Types and unknown fields are
not its business, an object is decoded and defaulted before it comes here; custom resources have schemas.
"""

from windlass.apiserver.validation.registry import validate

__all__ = ["validate"]
