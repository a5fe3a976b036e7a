from windlass.api import Column, Definition, Field, Json, Resource

_DEPLOYED = ".status.conditions[?(@.type=='Deployed')]"
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
            Column("Deployed", f"{_DEPLOYED}.status"),
            Column("Reason", f"{_DEPLOYED}.reason"),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
        ready="",  # its conditions are those of operator-sdk
    ),
):
    """A small shop: a release of the chart `minimart`, with the spec as its values.

    Spec and status are free of a schema: the chart has one, and fills in what the spec leaves out.
    """

    spec: Json = Field(default_factory=dict, examples=[_SAMPLE])
    status: Json = Field(default_factory=dict)  # typed: `HelmStatus.of(shop)`
