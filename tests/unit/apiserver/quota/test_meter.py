from __future__ import annotations

import pytest

from windlass.apiserver.quota.meter import meter_named, meter_of


@pytest.mark.parametrize(
    ("name", "collection"),
    [
        ("pods", "/pods"),
        ("count/pods", "/pods"),
        ("limits.ephemeral-storage", "/pods"),
        ("hugepages-2Mi", "/pods"),
        ("requests.example.com/gpu", "/pods"),
        ("requests.deviceclass.resource.kubernetes.io/gpu", "/pods"),
        ("services.nodeports", "/services"),
        ("requests.storage", "/persistentvolumeclaims"),
        ("gold.storageclass.storage.k8s.io/requests.storage", "/persistentvolumeclaims"),
        ("secrets", "/secrets"),
        ("count/secrets", "/secrets"),
        ("count/deployments.apps", "apps/deployments"),
        ("count/widgets.example.com", "example.com/widgets"),
        ("count/events", None),
        ("count/events.events.k8s.io", None),
        ("example.com/gpu", None),
        ("limits.example.com/gpu", None),
        ("requests.kubernetes.io/x", None),
    ],
)
def test_a_name_says_what_is_measured(name: str, collection: str | None) -> None:
    meter = meter_named(name)

    assert (meter and meter.collection) == collection


@pytest.mark.parametrize(
    ("group", "plural", "names"),
    [("", "secrets", {"count/secrets", "secrets"}), ("apps", "secrets", {"count/secrets.apps"})],
)
def test_only_core_resources_have_older_names(group: str, plural: str, names: set[str]) -> None:
    meter = meter_of(group, plural)

    assert meter
    assert meter.names == names
