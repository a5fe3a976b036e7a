"""The rows about webhooks, on the real API server: what it holds is what controller-gen would have written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from marker_page import declared, place_of, row
from windlass.client import connect, load_config
from windlass.webhook import configurations

if TYPE_CHECKING:
    from windlass.testing import Access

NOT_THERE = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system"]}
CASES: dict[str, dict[str, Any]] = {
    "webhook (mutating)": {"reinvocationPolicy": "Never"},
    "webhook (failurePolicy)": {"failurePolicy": "Ignore"},
    "webhook (matchPolicy)": {"matchPolicy": "Exact"},
    "webhook (sideEffects)": {"sideEffects": "NoneOnDryRun"},
    "webhook (timeoutSeconds)": {"timeoutSeconds": 5},
    "webhook (groups, resources, versions)": {
        "rules": [
            {
                "apiGroups": [""],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": ["secrets/status"],
                "scope": "*",
            }
        ]
    },
    "webhook (verbs)": {
        "rules": [
            {
                "apiGroups": ["demo.example.com"],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "DELETE"],
                "resources": ["apps"],
                "scope": "*",
            }
        ]
    },
    "webhook (name)": {"name": "sized.apps.example.com", "admissionReviewVersions": ["v1"]},
    "webhook (path)": {"clientConfig": {"url": "https://shop.example.com/size"}},
    "webhook (url)": {"clientConfig": {"url": "https://192.0.2.7:9443/validate-demo-example-com-v1-app"}},
    "webhook (serviceName, serviceNamespace, servicePort)": {
        "clientConfig": {
            "service": {
                "name": "hooks",
                "namespace": "shop-system",
                "path": "/validate-demo-example-com-v1-app",
                "port": 8443,
            }
        },
        "namespaceSelector": {"matchExpressions": [{**NOT_THERE, "values": ["kube-system", "shop-system"]}]},
    },
    "webhook (reinvocationPolicy)": {"reinvocationPolicy": "IfNeeded"},
    "webhook (patch, namespaceSelector)": {
        "namespaceSelector": {"matchLabels": {"team": "shop"}, "matchExpressions": [NOT_THERE]}
    },
    "webhook (patch, objectSelector)": {"objectSelector": {"matchLabels": {"team": "shop"}}},
    "webhook (patch, matchConditions)": {
        "matchConditions": [
            {"name": "people", "expression": "!request.userInfo.username.startsWith('system:')"}
        ]
    },
    "webhookconfiguration (mutating, name)": {
        "failurePolicy": "Fail",
        "sideEffects": "None",
        "timeoutSeconds": 10,
    },
}


@pytest.mark.parametrize("marker", CASES)
async def test_a_webhook_is_configured_as_its_row_says(
    marker: str, control_plane: Access, namespace: str
) -> None:
    python = row(f"kubebuilder:{marker}").python
    webhook, place = declared(python), replace(place_of(python), name=namespace)
    (configuration,) = configurations([webhook], place)
    sort = "mutating" if webhook.mutates else "validating"
    assert configuration.metadata.name == f"{namespace}-{sort}-webhook-configuration"

    async with connect(load_config(control_plane.kubeconfig)) as client:
        made = await client.using(dry_run=True).create(configuration)

    (held,) = made.to_wire()["webhooks"]
    assert {name: held[name] for name in CASES[marker]} == CASES[marker]
    assert webhook.mutates == ("reinvocationPolicy" in held)
