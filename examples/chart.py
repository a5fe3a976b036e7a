"""A Helm chart as an operator, with the values worked out in Python.

Run `windlass run examples/chart.py`, and apply a Stall with `spec.size: large`. It is a release of the chart
with four replicas; `helm list` shows it, hand edits are put back, and it is uninstalled when the Stall is
deleted.
"""

from typing import Literal

from typing_extensions import override

from windlass import Context, Definition, Field, Manager, Resource, Spec
from windlass.api import Json
from windlass.helm import HelmController, HelmProgram, HelmStatus
from windlass.operators.minimart import CHART

REPLICAS = {"small": 1, "large": 4}


class StallSpec(Spec):
    """How much is sold."""

    size: Literal["small", "large"] = "small"


class Stall(Resource, group="demo.example.com", version="v1", definition=Definition(ready="")):
    """A small shop; its conditions are those of releases."""

    spec: StallSpec = Field(default_factory=StallSpec)
    status: HelmStatus = Field(default_factory=HelmStatus)


class StallController(HelmController):
    """Has each stall be a release."""

    of = Stall

    @override
    async def values(self, stall: Stall, ctx: Context) -> Json:
        return {"replicaCount": REPLICAS[stall.spec.size]}


def add_to(manager: Manager) -> None:
    """Have a manager run it."""
    manager.add(StallController(of=Stall, chart=CHART, helm=HelmProgram(manager.client)))
