"""Sphinx configuration; `make docs` builds with warnings as errors."""

from typing import Any

from windlass import __version__

project = "Windlass"
author = "The Windlass authors"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
myst_heading_anchors = 3
autodoc_typehints = "description"
default_role = "code"
nitpicky = False

_BEFORE_NAPOLEON = 400


def show_examples(*event: Any) -> None:
    """Show what is indented in a docstring after a blank line as code, which is how examples are written."""
    lines: list[str] = event[-1]
    margin, shown = "", []
    for number, line in enumerate(lines):
        begins = line.startswith(" ") and number and not lines[number - 1].strip()
        if begins and not margin.startswith(" "):
            shown += [".. code-block:: python", ""]
        shown.append(line)
        margin = line if line.strip() else margin
    lines[:] = shown


def setup(app: Any) -> None:
    """Take part in the build."""
    app.connect("autodoc-process-docstring", show_examples, priority=_BEFORE_NAPOLEON)
