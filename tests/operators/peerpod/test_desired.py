"""What a config asks for, object by object."""

from __future__ import annotations

from typing import Any

import pytest

from peer_pods import config, pod_of
from windlass.api import Key
from windlass.errors import ConfigError
from windlass.operators.peerpod import PeerPodOptions
from windlass.operators.peerpod.desired import (
    daemon_set,
    daemon_set_key,
    role,
    role_binding,
    runtime_class,
    webhook_configuration,
    webhook_deployment,
)


def adaptor(options: PeerPodOptions | None = None, **spec: Any) -> Any:
    """The pods of the cloud-api-adaptor."""
    asked = config("pool", **spec)
    asked.metadata.namespace = "place"
    made = daemon_set(asked, asked.spec.node_selector.selector(), "aws", options or PeerPodOptions())
    return pod_of(made)


def test_the_adaptor_has_the_capabilities_that_it_needs_and_an_account_of_its_own() -> None:
    pod = adaptor()
    (container,) = pod.containers

    assert pod.service_account_name == "cloud-api-adaptor"
    assert (pod.host_network, pod.dns_policy) == (True, "ClusterFirstWithHostNet")
    assert container.security_context.to_wire() == {"capabilities": {"add": ["NET_ADMIN", "SYS_ADMIN"]}}
    assert (container.startup_probe.http_get.path, container.startup_probe.failure_threshold) == (
        "/startup",
        30,
    )
    assert {each.name for each in container.env} == {"NODE_NAME", "POD_UID", "PEERPODS_LIMIT_PER_NODE"}
    assert [each.to_wire() for each in container.env_from] == [
        {"secretRef": {"name": "peer-pods-secret"}},
        {"configMapRef": {"name": "peer-pods-cm"}},
    ]


def test_the_adaptor_advertises_by_itself_only_where_the_operator_does_not() -> None:
    limits = []
    for wanted in (True, False):
        (container,) = adaptor(components={"extendedResource": wanted}).containers
        limits.append([each.value for each in container.env if each.name == "PEERPODS_LIMIT_PER_NODE"])

    assert limits == [["-1"], []]


def test_the_adaptor_can_be_run_as_it_was_before() -> None:
    (container,) = adaptor(PeerPodOptions(privileged=True)).containers

    assert container.security_context.to_wire() == {"privileged": True, "runAsUser": 0}
    assert container.startup_probe is None
    assert [each.mount_path for each in container.volume_mounts][:2] == ["/run/peerpod", "/run/netns"]


def test_every_mount_has_its_volume() -> None:
    for options in (PeerPodOptions(), PeerPodOptions(privileged=True)):
        pod = adaptor(options)
        (container,) = pod.containers
        assert [each.name for each in container.volume_mounts] == [each.name for each in pod.volumes]


def test_the_adaptor_runs_on_the_nodes_that_either_form_of_the_selector_means() -> None:
    selector = {"a": "1", "matchExpressions": [{"key": "b", "operator": "Exists"}]}
    (term,) = adaptor(
        nodeSelector=selector
    ).affinity.node_affinity.required_during_scheduling_ignored_during_execution.node_selector_terms

    assert [each.to_wire() for each in term.match_expressions] == [
        {"key": "a", "operator": "In", "values": ["1"]},
        {"key": "b", "operator": "Exists"},
    ]


def test_no_two_configs_mean_the_same_daemon_set() -> None:
    options = PeerPodOptions(namespace="place")
    configs = [
        Key("place", "a"),
        Key("place", "b-a"),
        Key("b", "a"),
        Key("place", "x" * 80),
        Key("b", "x" * 80),
    ]
    names = {daemon_set_key(each, options).name for each in configs}

    assert len(names) == len(configs)
    assert all(len(name) <= 63 for name in names)


def test_the_role_is_bound_to_the_account_of_its_namespace() -> None:
    granted, binding = role("place", "peer-pods"), role_binding("place", "peer-pods")

    assert binding.role_ref.name == granted.metadata.name == "peer-pods-cloud-api-adaptor-place"
    assert [(each.namespace, each.name) for each in binding.subjects] == [("place", "cloud-api-adaptor")]
    assert not any("*" in rule.verbs for rule in granted.rules)


def test_a_pod_pays_for_what_its_machine_takes_of_the_node() -> None:
    made = runtime_class(PeerPodOptions(overhead={"memory": "120Mi"}))

    assert (made.metadata.name, made.handler) == ("kata-remote", "kata-remote")
    assert made.overhead is not None
    assert {name: str(value) for name, value in made.overhead.pod_fixed.items()} == {"memory": "120Mi"}


def test_the_webhook_knows_the_instance_type_and_is_asked_about_its_class_alone() -> None:
    options = PeerPodOptions(runtime_class="kata-cc", resource="example.com/vm")
    (container,) = pod_of(webhook_deployment("place", "large", options)).containers
    (hook,) = webhook_configuration("place", "trusted", options).webhooks

    said = {each.name: each.value for each in container.env}
    assert said["POD_VM_INSTANCE_TYPE"] == "large"
    assert said["POD_VM_EXTENDED_RESOURCE"] == "example.com/vm"
    assert "'kata-cc'" in hook.match_conditions[0].expression
    assert hook.namespace_selector is not None
    assert hook.namespace_selector.match_expressions[0].values == ["kube-system", "place"]


def test_what_the_environment_says_is_taken_and_empty_is_not_said() -> None:
    read = PeerPodOptions.from_environment(
        {"PEERPODS_NAMESPACE": " peers ", "RELATED_IMAGE_CAA": "", "TARGET_RUNTIMECLASS": "kata-cc"}
    )

    assert read == PeerPodOptions(namespace="peers", runtime_class="kata-cc")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": ""}, "name is empty"),
        ({"resource": "vm"}, "no domain"),
        ({"webhook_replicas": 0}, "needs a replica"),
        ({"selector": "a=b=c"}, "the selector of configs"),
    ],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        PeerPodOptions(**options)
