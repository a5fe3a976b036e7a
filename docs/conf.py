"""Sphinx configuration; `make docs` builds with warnings as errors."""

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
