"""Previews: a web application for each pull request, for as long as it is wanted."""

from preview.types import Preview

__all__ = ["Preview"]
