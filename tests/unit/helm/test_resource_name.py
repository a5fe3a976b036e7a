"""Roles name resources, which are not always the usual plural of their kind."""

from __future__ import annotations

import pytest

from windlass.api import Kind
from windlass.helm.resource_name import ResourceName, ResourceNames

SHEEP = {"spec": {"group": "farm.io", "names": {"kind": "Sheep", "plural": "sheep"}}}

HERD = {"spec": {"group": "farm.io", "scope": "Cluster", "names": {"kind": "Herd", "plural": "herd"}}}


@pytest.mark.parametrize(
    ("api_version", "kind", "name"),
    [
        ("v1", "Endpoints", ResourceName("", "endpoints")),
        ("apps/v1", "Deployment", ResourceName("apps", "deployments")),
        ("rbac.authorization.k8s.io/v1", "Role", ResourceName("rbac.authorization.k8s.io", "roles")),
        ("v1", "Namespace", ResourceName("", "namespaces", namespaced=False)),
        (
            "apiregistration.k8s.io/v1beta1",
            "APIService",
            ResourceName("apiregistration.k8s.io", "apiservices", namespaced=False),
        ),
        (
            "policy/v1beta1",
            "PodSecurityPolicy",
            ResourceName("policy", "podsecuritypolicies", namespaced=False),
        ),
        (
            "gateway.networking.k8s.io/v1",
            "Gateway",
            ResourceName("gateway.networking.k8s.io", "gateways", is_guess=True),
        ),
        ("policy/v1beta1", "PodDisruptionBudget", ResourceName("policy", "poddisruptionbudgets")),
        ("farm.io/v1", "Sheep", ResourceName("farm.io", "sheep")),
        ("farm.io/v1", "Herd", ResourceName("farm.io", "herd", namespaced=False)),
        ("", "Herd", ResourceName("farm.io", "herd", namespaced=False)),
        ("apps.example.com/v1", "Deployment", ResourceName("apps.example.com", "deployments", is_guess=True)),
        ("", "CronJob", ResourceName("batch", "cronjobs")),
    ],
)
def test_the_name_of_a_kind_is_known_or_said_to_be_guessed(
    api_version: str, kind: str, name: ResourceName
) -> None:
    assert ResourceNames([SHEEP, HERD]).find(api_version, kind) == [name]


def test_what_a_cluster_serves_counts_before_definitions_and_guesses() -> None:
    served = [Kind("farm.io", "v1", "Sheep", "flock", namespaced=False), Kind("y.io", "v1", "Fox", "fox")]
    names = ResourceNames([SHEEP], served)

    assert names.find("farm.io/v1", "Sheep") == [ResourceName("farm.io", "flock", namespaced=False)]
    assert names.find("y.io/v1beta1", "Fox") == [ResourceName("y.io", "fox")]


def test_a_kind_that_several_groups_have_is_all_of_them() -> None:
    assert [each.group for each in ResourceNames([]).find("", "Event")] == ["", "events.k8s.io"]


def test_a_kind_of_no_known_group_has_no_name() -> None:
    assert ResourceNames([{"kind": "broken"}]).find("", "Sheep") == []
    assert ResourceNames([]).find("", "PodSpec") == []


def test_a_name_is_told_as_messages_do() -> None:
    assert str(ResourceName("apps", "deployments")) == "deployments.apps"
    assert str(ResourceName("", "pods")) == "pods"
