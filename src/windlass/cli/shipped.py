"""The operators that come with Windlass, by the names that people type."""

from __future__ import annotations

from pkgutil import iter_modules


def shipped() -> list[str]:
    """Their names, without loading any of them."""
    import windlass.operators

    return sorted(each.name for each in iter_modules(windlass.operators.__path__) if each.ispkg)


def full_target(target: str) -> str:
    """The module of an operator that ships, by its name; a module or a file stays as it is."""
    name = target.replace("-", "_")
    return f"windlass.operators.{name}" if name in shipped() else target
