"""The type checkers, as somebody runs them on code of his own: mypy, strict, and pyright."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CACHE = Path(__file__).resolve().parents[2] / ".mypy_cache" / "of-tests"
"""What it knows of Windlass it has to find out once."""


def complaints(folder: Path, *files: str) -> list[str]:
    """What it has against these files of a folder, or against all, a line each."""
    command = ["mypy", "--strict", "--config-file=", "--no-error-summary", "--cache-dir", str(_CACHE)]
    checked = subprocess.run(
        [sys.executable, "-m", *command, *(files or ["."])],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    return (checked.stdout + checked.stderr).splitlines()


def pyright_complaints(folder: Path, roots: Iterable[str] = ()) -> list[str]:
    """What pyright has against a folder, a line each, in the mode that it has without a configuration.

    That is more than its basic mode: it compares methods with those of base classes too. The `roots` are
    folders in it from each of which modules are imported.
    """
    settings = {"typeCheckingMode": "standard", "executionEnvironments": [{"root": root} for root in roots]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "--project", ".", "--pythonpath", sys.executable, "--outputjson"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    report = json.loads(checked.stdout)
    assert report["summary"]["filesAnalyzed"] > 0, checked.stdout + checked.stderr
    return [
        f"{Path(each['file']).relative_to(folder.resolve())}:{each['range']['start']['line'] + 1}: "
        f"{each['message']} ({each.get('rule', 'syntax')})"
        for each in report["generalDiagnostics"]
    ]
