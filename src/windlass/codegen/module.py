"""An operator's module, by its dotted name or by its file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from types import ModuleType


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
