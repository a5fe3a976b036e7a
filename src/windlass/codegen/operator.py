"""An operator's module: import it, and read from its `add_to` what the operator consists of."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import ConfigError, ConnectionFailedError, WindlassError
from windlass.reconcile import KeyReconciler, Reconciler

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from types import ModuleType

    from windlass.client import Request, Response, Stream
    from windlass.manager import Manager

    Added = Reconciler[Any] | KeyReconciler
    AddTo = Callable[[Manager], None]
    Beside = Callable[[ModuleType], AddTo | None]

_HELM_RUN: Final = ("windlass", "helm", "run", "--watches-file")
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_GENERIC_NAMES: Final = ("__init__", "__main__", "controller", "main", "operator", "types")


@dataclass(frozen=True, kw_only=True)
class Operator:
    """An operator's module, its name, and the function that adds its parts to a manager.

    Every command reads it in the same way: `windlass run` by `add_to` of the manager that runs, and those
    that generate and deploy by `recorded()`. `add_to` is None where the module has nothing to run.
    """

    target: str
    name: str
    module: ModuleType
    add_to: AddTo | None

    def recorded(self) -> Manager:
        """Return a manager that has everything that the operator adds, and that never runs.

        Raises:
            ConfigError: `add_to` raises an error.
        """
        from windlass.client import Client
        from windlass.manager import Manager, ManagerOptions

        manager = Manager(Client(_NoServer()), ManagerOptions(name=self.name))
        if self.add_to is None:
            return manager
        try:
            self.add_to(manager)
        except WindlassError as error:
            raise ConfigError(f"{self.target}: add_to failed: {error}") from error
        except Exception as error:
            raise ConfigError(
                f"{self.target}: add_to raised {type(error).__name__}: {error}. Each command calls add_to to "
                "learn what the operator adds: let it add reconcilers and webhooks, and do nothing else"
            ) from error
        return manager


def load_operator(target: str, name: str = "", beside: Beside | None = None) -> Operator:
    """Load the operator of a module or a file.

    Its parts are what its `add_to(manager)` adds. Where it has no `add_to`, they are a reconciler of each
    class that it defines, and what `beside` finds in the module: its webhooks, a feature of which this
    package knows nothing. The operator's name is `name`, else the module's `OPERATOR`, else that of the
    module or its package.

    Raises:
        ConfigError: the module cannot be imported, a class cannot be made without arguments, or the name
            cannot be an operator's.
    """
    if target.endswith((".yaml", ".yml")):
        raise ConfigError(f"{target} is no module: run charts by `{shlex.join([*_HELM_RUN, target])}`")
    module = load_module(target)
    named: str = name or getattr(module, "OPERATOR", "") or operator_name(target)
    check_operator_name(named)
    return Operator(target=target, name=named, module=module, add_to=_add_to(target, module, beside))


def operator_name(target: str) -> str:
    """Return the name of an operator whose module states none.

    It is the module's name, or where that is generic (`operator`, `types`) its package's.
    """
    named = Path(target).resolve().with_suffix("").parts if target.endswith(".py") else target.split(".")
    parts = [part for part in named if part not in _GENERIC_NAMES] or list(named)
    return parts[-1].replace("_", "-").lower().strip("-") or "windlass"


def check_operator_name(name: str) -> None:
    """Check that an operator may have this name.

    Raises:
        ConfigError: it may not.
    """
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} cannot be an operator's name: use lower-case letters, digits and dashes")


def load_module(module: str) -> ModuleType:
    """Import a module: `demo.types` as seen from this folder, or a file (`demo/types.py`).

    A file that lies in a package is imported as part of it; one that does not finds the modules beside it,
    as a script does.

    Raises:
        ConfigError: there is no such module, or it cannot be imported.
    """
    if not module.endswith(".py") and not all(module.split(".")):
        raise ConfigError(
            f"{module!r} is neither a module nor a file: name a module (demo.operator), a file "
            "(demo/operator.py) or a watches.yaml"
        )
    try:
        return _from_file(Path(module)) if module.endswith(".py") else _from_name(module, Path.cwd())
    except (ImportError, SyntaxError) as error:
        raise ConfigError(f"the module {module} cannot be imported: {error}") from error
    except (TypeError, ValueError) as error:
        if place := _declaration(error):
            raise ConfigError(f"the module {module} cannot be imported: {place}: {error}") from error
        raise


def _declaration(error: Exception) -> str:
    """The line of a declaration that Windlass refuses, as `shop.py, line 7`; empty for any other error."""
    package = str(Path(__file__).parents[1])
    frames = extract_tb(error.__traceback__)
    lines = [each for each in frames if not each.filename.startswith((package, "<frozen "))]
    refused = bool(lines) and frames[-1].filename.startswith(package)
    return f"{Path(lines[-1].filename).name}, line {lines[-1].lineno}" if refused else ""


def _from_name(name: str, folder: Path) -> ModuleType:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    path = path.resolve()
    folder, names = path.parent, [path.stem] if path.stem != "__init__" else []
    while (folder / "__init__.py").is_file():
        folder, names = folder.parent, [folder.name, *names]
    if len(names) > 1 or path.stem == "__init__":
        return _from_name(".".join(names), folder)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    # Its own name could be that of another module: an operator's kinds often lie in `types.py`.
    name = f"_windlass_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is not a Python file")
    loaded = sys.modules[name] = importlib.util.module_from_spec(spec)  # inspect and pydantic look it up
    spec.loader.exec_module(loaded)
    return loaded


def _add_to(target: str, module: ModuleType, beside: Beside | None) -> AddTo | None:
    """Return the module's own `add_to`, else one that adds what it defines; None where it defines nothing."""
    own: AddTo | None = getattr(module, "add_to", None)
    if callable(own):
        return own
    classes = _reconcilers(module)
    more = beside(module) if beside else None
    if not classes and more is None:
        return None

    def add_all(manager: Manager) -> None:
        for each in classes:
            manager.add(_made(each, target))
        if more is not None:
            more(manager)

    return add_all


def _reconcilers(module: ModuleType) -> list[type[Added]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, (Reconciler, KeyReconciler))
        and value.__module__ == module.__name__
        and bool(getattr(value, "name", ""))  # a base class of others has no kind, and so no name
    ]


def _made(kind: type[Added], target: str) -> Added:
    try:
        inspect.signature(kind).bind()
    except TypeError as error:
        raise ConfigError(
            f"{target}: {kind.__name__} cannot be made without arguments ({error}); "
            f"write `def add_to(manager): manager.add({kind.__name__}(…))`"
        ) from error
    return kind()


class _NoServer:
    """The transport of a manager that records: there is no API server."""

    async def send(self, request: Request) -> Response:
        raise ConnectionFailedError(f"{request}: there is no API server while add_to is read")

    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        raise ConnectionFailedError(f"{request}: there is no API server while add_to is read")

    async def close(self) -> None:
        pass
