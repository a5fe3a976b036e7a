"""An operator as a module or a file has it."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windlass.errors import ConfigError
from windlass.reconcile import KeyReconciler, Reconciler

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_HELM_RUN = ("windlass", "helm", "run", "--watches-file")
_UNTELLING = ("__init__", "__main__", "controller", "main", "operator")


class Manages(Protocol):
    """As much of a manager as an operator is given."""

    def add(self, reconciler: Reconciler[Any] | KeyReconciler) -> object:
        """Have a reconciler run."""


class Operator(NamedTuple):
    """What an operator is called, and what adds its reconcilers to a manager."""

    name: str
    add_to: Callable[[Manages], None]


def load_operator(target: str) -> Operator:
    """The operator of a module or a file.

    Its reconcilers are those that its `add_to(manager)` adds; where it has none, one is made of each class
    that it defines. Its name is what its `OPERATOR` says, else follows from that of the module.

    Raises:
        ConfigError: the module cannot be imported, or has neither; a class cannot be made without arguments.
    """
    if target.endswith((".yaml", ".yml")):
        raise ConfigError(f"{target} is no module: run charts by `{shlex.join([*_HELM_RUN, target])}`")
    from windlass.codegen import load_module

    module = load_module(target)
    name: str = getattr(module, "OPERATOR", "") or operator_name(target)
    add_to: Callable[[Manages], None] | None = getattr(module, "add_to", None)
    if callable(add_to):
        return Operator(name, add_to)
    classes = _reconcilers(module)
    if not classes:
        raise ConfigError(
            f"{target} has no operator: write `def add_to(manager): manager.add(…)`, or a class with "
            "Reconciler[…] as its base"
        )

    def add_all(manager: Manages) -> None:
        for each in classes:
            manager.add(_made(each, target))

    return Operator(name, add_all)


def operator_name(target: str) -> str:
    """What an operator is called that does not say: its module's name, or if more telling its package's."""
    named = Path(target).resolve().with_suffix("").parts if target.endswith(".py") else target.split(".")
    parts = [part for part in named if part not in _UNTELLING] or list(named)
    return parts[-1].replace("_", "-").lower().strip("-") or "windlass"


def _reconcilers(module: ModuleType) -> list[type[Reconciler[Any] | KeyReconciler]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, (Reconciler, KeyReconciler))
        and value.__module__ == module.__name__
        and hasattr(value, "name")
        and value.name  # a base class of others has no kind, and so no name
    ]


def _made(kind: type[Reconciler[Any] | KeyReconciler], target: str) -> Reconciler[Any] | KeyReconciler:
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise ConfigError(
            f"{target}: {kind.__name__} cannot be made without arguments ({error}); "
            f"write `def add_to(manager): manager.add({kind.__name__}(…))`"
        ) from error
    return kind()
