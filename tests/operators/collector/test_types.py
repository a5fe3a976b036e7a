from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import Untyped
from windlass.codegen import custom_resource_definitions
from windlass.errors import Invalid
from windlass.operators.collector import Collector
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.client import Client


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"collector": {"name": "Upper"}}, "spec.collector.name"),
        ({"collector": {"name": ""}}, "spec.collector.name"),
        ({"collector": {}}, "spec.collector.name"),
        ({"tenant": {"reference": "a_b", "instance": "main"}}, "spec.tenant.reference"),
        ({"tenant": {"reference": "x" * 64, "instance": "main"}}, "spec.tenant.reference"),
        ({"tenant": {"instance": "main"}}, "spec.tenant.reference"),
        ({"tenant": {"reference": "acme"}}, "spec.tenant.instance"),
        ({"tenant": {"reference": "acme", "instance": "-"}}, "spec.tenant.instance"),
        ({"tenant": {"reference": "acme", "instance": "i" * 34}}, "release name"),
        ({"chart": {"path": "../../etc"}}, "spec.chart.path"),
        ({"chart": {"path": "/etc"}}, "spec.chart.path"),
        ({"chart": {"path": "a", "repository": "https://a"}}, "spec.chart"),
        ({"chart": {"repository": "file:///etc"}}, "spec.chart.repository"),
        ({"valuesFrom": [{"kind": "Pod", "name": "a"}]}, "spec.valuesFrom"),
    ],
)
async def test_what_cannot_work_is_refused_by_the_server(
    client: Client, spec: dict[str, Any], field: str
) -> None:
    await install_kinds(client, [Collector])
    good = {
        "collector": {"name": "cisco-amp-collector"},
        "tenant": {"reference": "acme", "instance": "main"},
    }
    made = {"metadata": {"name": "amp"}, "spec": {**good, **spec}}

    with pytest.raises(Invalid, match=re.escape(field)):
        await client.create(Untyped.of(Collector.__kind__).from_wire(made))


def test_the_definition_has_the_names_that_people_know() -> None:
    (definition,) = custom_resource_definitions([Collector])
    (version,) = definition["spec"]["versions"]

    assert definition["metadata"]["name"] == "collectors.example.com"
    assert definition["spec"]["names"] == {
        "kind": "Collector",
        "listKind": "CollectorList",
        "plural": "collectors",
        "singular": "collector",
        "shortNames": ["col"],
    }
    assert definition["spec"]["scope"] == "Namespaced"
    assert version["name"] == "v1alpha"
    assert version["subresources"] == {"status": {}}
    columns = [each["name"] for each in version["additionalPrinterColumns"]]
    assert columns == ["Collector", "Version", "Tenant", "Ready", "Reason", "Available", "Age"]


async def test_a_manifest_of_old_is_taken_as_it_is(client: Client) -> None:
    await install_kinds(client, [Collector])
    spec = {
        "cluster": "development",
        "collector": {"name": "cisco-amp-collector", "version": "0.0.1", "configuration": "YTogMQo="},
        "tenant": {"id": "Not a label!", "reference": "ACME-Corp", "instance": "main"},
    }
    made = await client.create(Collector.from_wire({"metadata": {"name": "amp"}, "spec": spec}))

    assert made.to_wire()["spec"] == spec
