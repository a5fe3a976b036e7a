from typing import Annotated

from windlass.api import UNOBSERVED, Cel, Column, Default, Definition, Field, Json, Resource

LONGEST_NAME = 53
"""The longest name of a Helm release, which a Minimart's release shares."""

_READY = ".status.conditions[?(@.type=='Ready')]"
_SAMPLE: Json = {
    "replicaCount": 1,
    "image": {"repository": "samutup/minimart", "tag": "1.0.2", "pullPolicy": "IfNotPresent"},
    "service": {"type": "NodePort", "port": 80},
    "apps": {"httpport": 8002, "rest": {"stat": "/minimart-stat", "bev": "/minimart-bev"}},
}


class Minimart(
    Resource,
    group="charts.samutup.com",
    version="v1alpha1",
    definition=Definition(
        columns=(
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("Version", ".status.deployedRelease.version"),
            Column("Revision", ".status.deployedRelease.revision", type="integer"),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
    markers=(
        # On creation only: objects that are older than the rule can still be changed and deleted.
        Cel(
            f"oldSelf.hasValue() || size(self.metadata.name) <= {LONGEST_NAME}",
            message=f"metadata.name must have at most {LONGEST_NAME} characters: it names the Helm release",
            optional_old_self=True,
        ),
    ),
):
    """A small shop: a release of the chart `minimart`, with the spec as its values.

    The spec is free of a schema: the chart has one, and fills in what the spec leaves out. So is the status,
    but for the generation that it is about.
    """

    spec: Json = Field(default_factory=dict, examples=[_SAMPLE])
    status: Annotated[Json, Default({"observedGeneration": UNOBSERVED})] = Field(
        default_factory=dict  # typed: `HelmStatus.of(shop)`
    )
