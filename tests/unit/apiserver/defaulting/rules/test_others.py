"""Rules of kinds that have one or two: policies, roles, tokens, autoscalers, definitions."""

from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill

METRICS = "autoscaling.alpha.kubernetes.io/metrics"


def filled(kind: str, obj: dict[str, Any]) -> dict[str, Any]:
    fill(kind, obj)
    return obj


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["Ingress"]),
        ({"ingress": [{}]}, ["Ingress"]),
        ({"egress": [{}]}, ["Ingress", "Egress"]),
        ({"egress": [{}], "policyTypes": ["Egress"]}, ["Egress"]),
    ],
)
def test_a_network_policy_is_about_what_comes_in(given: dict[str, Any], expected: list[str]) -> None:
    assert filled("networking.k8s.io/v1/NetworkPolicy", {"spec": given})["spec"]["policyTypes"] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"kind": "User"}, "rbac.authorization.k8s.io"),
        ({"kind": "Group"}, "rbac.authorization.k8s.io"),
        ({"kind": "ServiceAccount"}, None),
        ({"kind": "User", "apiGroup": "x"}, "x"),
    ],
)
def test_users_and_groups_are_of_the_group_of_roles(given: dict[str, Any], expected: object) -> None:
    binding = filled("rbac.authorization.k8s.io/v1/RoleBinding", {"subjects": [given]})

    assert binding["subjects"][0].get("apiGroup") == expected
    assert binding["roleRef"] == {"apiGroup": "rbac.authorization.k8s.io"}


@pytest.mark.parametrize(("given", "expected"), [({}, 3600), ({"expirationSeconds": 600}, 600)])
def test_a_token_is_valid_for_an_hour(given: dict[str, Any], expected: int) -> None:
    request = filled("authentication.k8s.io/v1/TokenRequest", {"spec": given})

    assert request["spec"]["expirationSeconds"] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 80),
        ({"spec": {"targetCPUUtilizationPercentage": 50}}, 50),
        ({"metadata": {"annotations": {METRICS: "[]"}}}, None),
    ],
    ids=["nothing", "given", "other metrics"],
)
def test_an_old_autoscaler_watches_the_processors(given: dict[str, Any], expected: object) -> None:
    spec = filled("autoscaling/v1/HorizontalPodAutoscaler", given)["spec"]

    assert spec.get("targetCPUUtilizationPercentage") == expected
    assert spec["minReplicas"] == 1


def test_a_definition_gets_the_names_that_follow_from_its_kind() -> None:
    given = {"spec": {"names": {"kind": "WebApp", "plural": "webapps"}}}

    names = filled("apiextensions.k8s.io/v1/CustomResourceDefinition", given)["spec"]["names"]

    assert names == {"kind": "WebApp", "plural": "webapps", "singular": "webapp", "listKind": "WebAppList"}


def test_a_definition_without_a_kind_gets_no_names() -> None:
    made = filled("apiextensions.k8s.io/v1/CustomResourceDefinition", {})

    assert made == {"spec": {"names": {}, "conversion": {"strategy": "None"}}, "status": {}}


def test_a_conversion_that_is_given_is_kept_but_for_the_port_of_its_service() -> None:
    conversion: dict[str, Any] = {"webhook": {"clientConfig": {"service": {"name": "a"}}}}

    filled("apiextensions.k8s.io/v1/CustomResourceDefinition", {"spec": {"conversion": conversion}})

    assert conversion == {"webhook": {"clientConfig": {"service": {"name": "a", "port": 443}}}}


def test_the_first_version_that_says_so_is_stored() -> None:
    versions = [{"name": "v1"}, {"name": "v2", "storage": True}, {"name": "v3", "storage": True}]

    made = filled("apiextensions.k8s.io/v1/CustomResourceDefinition", {"spec": {"versions": versions}})

    assert made["status"] == {"storedVersions": ["v2"]}
