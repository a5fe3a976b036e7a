"""The metrics that an operator shows beside those of every manager."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from windlass.aio import SystemClock
from windlass.manager import ManagerOptions, Metrics

from .table import table

_HEAD = ("metric", "type", "labels", "meaning")


class Listener:
    """Stands in for a manager, and keeps the families that it is asked to show."""

    def __init__(self) -> None:
        self.metrics = self
        self.client = None
        self.options = ManagerOptions()
        self.companions: list[Any] = []
        self.has_begun = False
        self.clock = SystemClock()
        self.random = Random(0)  # noqa: S311 - for nobody's secrets
        self.families: list[Any] = []

    def show(self, *families: Any) -> None:
        """Keep the families."""
        self.families += families

    def add(self, *_: object) -> None:
        """Run nothing."""

    def accompany(self, companion: object) -> None:
        """Keep what would run beside the controllers."""
        self.companions.append(companion)


def metrics(operator: str) -> str:
    """A table of them."""
    listener = Listener()
    import_module(f"windlass.operators.{operator}").add_to(listener)
    rows = []
    for each in listener.families:
        name, type_, meaning = _row(each.describe())
        rows.append((name, type_, ", ".join(f"`{label}`" for label in each.labels), meaning))
    return table(_HEAD, rows) or "It has none beside those of [every operator](index.md).\n"


def common_metrics() -> str:
    """A table of those that every manager shows, but for the figures of process and interpreter."""
    shown = Metrics(SystemClock()).registry.collect()
    rows = [_row(each) for each in shown if not each.name.startswith(("process_", "python_"))]
    return table(_HEAD[:2] + _HEAD[3:], rows)


def _row(metric: Any) -> tuple[str, str, str]:
    name = f"{metric.name}_total" if metric.type == "counter" else metric.name
    return f"`{name}`", metric.type, metric.documentation
