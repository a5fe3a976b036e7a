from windlass.api import Column, Definition, Json, Resource

_DEPLOYED = ".status.conditions[?(@.type=='Deployed')]"


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
        ready="",  # the conditions are those of the operator-sdk
    ),
):
    """A small shop: the chart `minimart`, with these values.

    Its spec is free of a schema: the chart has one, and fills in what is not said.
    """

    spec: Json = {}
    status: Json = {}
