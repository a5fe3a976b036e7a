from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Asks:
    """What the templates of a chart ask about the cluster.

    `api_versions` are those whose presence decides something; None: it may be any of them.
    """

    kube_version: bool = False
    api_versions: frozenset[str] | None = frozenset()
    lookup: bool = False


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart on disk, a folder or an archive, at one moment. `digest` is that of all its files."""

    path: Path
    name: str
    version: str
    app_version: str = ""
    digest: str
    asks: Asks = Asks()
