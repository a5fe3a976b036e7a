"""Roles name resources, which are not always the usual plural of their kind."""

from __future__ import annotations

import pytest

from windlass.helm.resource_name import ResourceName, ResourceNames

SHEEP = {"spec": {"group": "farm.io", "names": {"kind": "Sheep", "plural": "sheep"}}}


@pytest.mark.parametrize(
    ("api_version", "kind", "name"),
    [
        ("v1", "Endpoints", ResourceName("", "endpoints")),
        ("apps/v1", "Deployment", ResourceName("apps", "deployments")),
        ("rbac.authorization.k8s.io/v1", "Role", ResourceName("rbac.authorization.k8s.io", "roles")),
        ("policy/v1beta1", "PodDisruptionBudget", ResourceName("policy", "poddisruptionbudgets")),
        ("farm.io/v1", "Sheep", ResourceName("farm.io", "sheep")),
        ("apps.example.com/v1", "Deployment", ResourceName("apps.example.com", "deployments", is_guess=True)),
        ("", "CronJob", ResourceName("batch", "cronjobs")),
    ],
)
def test_the_name_of_a_kind_is_known_or_said_to_be_guessed(
    api_version: str, kind: str, name: ResourceName
) -> None:
    assert ResourceNames([SHEEP]).find(api_version, kind) == [name]


def test_a_kind_that_several_groups_have_is_all_of_them() -> None:
    assert [each.group for each in ResourceNames([]).find("", "Event")] == ["", "events.k8s.io"]


def test_a_kind_of_no_known_group_has_no_name() -> None:
    assert ResourceNames([{"kind": "broken"}]).find("", "Sheep") == []
    assert ResourceNames([]).find("", "PodSpec") == []


def test_a_name_is_told_as_messages_do() -> None:
    assert str(ResourceName("apps", "deployments")) == "deployments.apps"
    assert str(ResourceName("", "pods")) == "pods"
