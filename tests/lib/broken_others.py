"""The broken manifests of all kinds that are no workloads."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from broken import Sample

TABLES: Final = (
    "broken_access",
    "broken_admission",
    "broken_autoscaling",
    "broken_cluster",
    "broken_core",
    "broken_drivers",
    "broken_limits",
    "broken_network",
    "broken_services",
    "broken_storage",
)


def samples() -> dict[str, Sample]:
    """Every sample by its title."""
    return {sample.title: sample for table in TABLES for sample in import_module(table).SAMPLES}
