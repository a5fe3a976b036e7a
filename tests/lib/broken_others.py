"""The broken manifests of all kinds that are no workloads, table by table."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from broken import recorded

if TYPE_CHECKING:
    from broken import Edit, Sample
    from contract import Object

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


@dataclass(frozen=True)
class Refusal:
    """An edit of a valid manifest, and what the real server answers to it."""

    sample: Sample
    edit: Edit
    answer: Object


def samples() -> dict[str, Sample]:
    """Every sample by its title."""
    return {sample.title: sample for table in TABLES for sample in import_module(table).SAMPLES}


def refusals(sort: str) -> dict[str, Refusal]:
    """Every edit of one sort (`refused`, `frozen` or `status`) by kind and name."""
    answers = {title: rows for table in TABLES for title, rows in recorded(table).items()}
    return {
        f"{title}: {name}": Refusal(sample, edit, answers[title][sort][name])
        for title, sample in samples().items()
        for name, edit in getattr(sample, sort).items()
    }
