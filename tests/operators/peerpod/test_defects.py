"""The defects of the operator that this one replaces, each absent."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from peer_pods import NAME, SERVED_BY, WHO, advertised, condition, config, pod_of
from windlass.api import Key, ObjectMeta
from windlass.client import MergePatch
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.apps.v1 import DaemonSet, Deployment
from windlass.kinds.core.v1 import ConfigMap, Namespace, Node, Secret, Service
from windlass.manager import ManagerOptions
from windlass.operators.peerpod import PeerPodConfig, PeerPodOptions
from windlass.operators.peerpod.desired import daemon_set, daemon_set_key
from windlass.pki import Keyring
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from peer_pods import Peering

EVERYWHERE = TrialOptions(manager=ManagerOptions(name="peer-pods-operator"))


def only(**wanted: bool) -> dict[str, bool]:
    """Components: these, and no others."""
    return {"daemonSet": False, "runtimeClass": False, "webhook": False, "extendedResource": False, **wanted}


async def test_D01_a_node_that_comes_is_relabelled_or_has_forgotten_its_capacity_gets_its_share(
    peering: Peering,
) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=6))
        await peers.offers(a=6)

        await peers.join("b")
        await peers.offers(a=3, b=3)
        await peers.join("c", pool="elsewhere")
        labels = MergePatch({"metadata": {"labels": {"example.com/pool": peers.pool}}})
        await peers.trial.client.patch(Node, peers.named("c"), labels)
        await peers.offers(a=2, b=2, c=2)
        await peers.set_capacity("a", "0")  # as a kubelet does that has lost its checkpoint
        await peers.offers(a=2)
        await peers.set_capacity("b", None)
        await peers.offers(b=2)


async def test_D02_capacity_goes_with_its_config_and_from_nodes_that_are_no_longer_selected(
    peering: Peering,
) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit=4))
        await peers.offers(a=2, b=2)

        labels = MergePatch({"metadata": {"labels": {"example.com/pool": "elsewhere"}}})
        await peers.trial.client.patch(Node, peers.named("b"), labels)
        await peers.offers(a=4, b=None)
        assert await peers.mark("b") is None
        await peers.trial.client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(PeerPodConfig, NAME)
        found = await peers.trial.client.get(Node, peers.named("a"))
        assert advertised(found) is None
        assert await peers.mark("a") is None


async def test_D02_another_selector_moves_the_capacity(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.join("b", pool="other-" + peers.pool)
        await peers.trial.client.create(config(peers.pool, limit=4))
        await peers.offers(a=4)

        await peers.change(nodeSelector={"example.com/pool": "other-" + peers.pool})
        await peers.offers(a=None, b=4)


async def test_D03_nothing_of_the_limit_is_lost_and_what_cannot_be_offered_is_told(peering: Peering) -> None:
    async with peering() as peers:
        await peers.trial.client.create(config(peers.pool, limit="7"))
        await peers.says("NodesAdvertised", "False", "NoNodes")
        await peers.join("a", "b")
        await peers.offers(a=4, b=3)
        await peers.ready()

        await peers.change(limit="many")
        told = await peers.says("Ready", "False", "InvalidLimit")
        assert not told.status.setup_completed
        await peers.offers(a=4, b=3)
        await peers.change(limit=1)
        await peers.offers(a=1, b=0)
        await peers.ready()


async def test_D04_the_webhook_is_deployed_with_a_certificate_that_its_configuration_trusts(
    peering: Peering,
) -> None:
    options = PeerPodOptions(webhook_image="hook:1")
    async with peering(options, name_by_test=True) as peers:
        client, place = peers.trial.client, peers.trial.namespace
        await client.create(config(peers.pool, components=only(webhook=True)))
        name = f"{peers.name}-webhook"
        deployment = await peers.trial.until(Deployment, name, lambda _: True)
        service = await peers.trial.until(Service, f"{name}-svc", lambda _: True)
        hooks = await peers.trial.until(MutatingWebhookConfiguration, f"{name}-{place}", lambda _: True)
        secret = await client.get(Secret, f"{name}-cert")
        keyring = Keyring.read({key: value.decode() for key, value in secret.data.items()})

        (hook,) = hooks.webhooks
        (port,) = service.spec.ports
        assert deployment.spec.replicas == 2
        assert pod_of(deployment).containers[0].image == "hook:1"
        assert (port.port, port.target_port) == (443, 9443)
        assert hook.client_config.ca_bundle == keyring.bundle.encode()
        assert hook.client_config.service is not None
        assert hook.client_config.service.namespace == place
        assert hook.failure_policy == "Fail"
        assert hook.match_conditions

        await client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(Deployment, name)
        await peers.trial.gone(MutatingWebhookConfiguration, f"{name}-{place}")
        await peers.trial.gone(Secret, f"{name}-cert")


async def test_D05_setup_completed_is_said_when_all_is_there_and_taken_back_when_it_is_not(
    peering: Peering,
) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=1))
        done = await peers.ready()
        assert done.status.setup_completed
        assert condition(done, "NodesAdvertised") == ("True", "Advertised")

        await peers.change(components={"daemonSet": True})
        waits = await peers.says("DaemonSetReady", "False", "SettingsMissing")
        assert not waits.status.setup_completed
        assert condition(waits, "Ready")[0] == "False"


async def test_D06_a_config_may_lie_in_another_namespace_than_what_it_sets_up(peering: Peering) -> None:
    place = f"place-{uuid4().hex[:8]}"
    options = PeerPodOptions(namespace=place, selector=f"{SERVED_BY}={WHO}")
    async with peering(options, EVERYWHERE, name_by_test=True) as peers:
        client = peers.trial.client
        await client.create(Namespace(metadata=ObjectMeta(name=place)))
        await peers.settings(namespace=place)
        await client.create(config(peers.pool, components=only(daemonSet=True)))
        key = daemon_set_key(Key(peers.trial.namespace, NAME), options)

        await peers.says("DaemonSetReady", "False", "RollingOut")
        made = await client.get(DaemonSet, key.name, place)
        assert made.metadata.owner_references == []
        await client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(PeerPodConfig, NAME)
        assert [each.metadata.name for each in await client.list(DaemonSet, place)] == []
        await client.delete(Namespace, place)


async def test_D07_of_two_configs_that_select_the_same_node_the_older_one_has_it_and_the_other_says_so(
    peering: Peering,
) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, "first", limit=4))
        await peers.ready("first")
        await peers.trial.client.create(config(peers.pool, "second", limit=10))

        told = await peers.says("Conflict", "True", "Overlap", "second")
        assert condition(told, "Ready") == ("False", "Conflict")
        assert not told.status.setup_completed
        await peers.offers(a=2, b=2)
        await peers.trial.settled()
        await peers.trial.client.delete(PeerPodConfig, "first")
        await peers.offers(a=5, b=5)
        assert condition(await peers.ready("second"), "Conflict") == ("False", "NoOverlap")


async def test_D08_nodes_are_written_on_the_way_that_everything_else_takes(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=1))
        await peers.ready()

        sent = [each for each in peers.trial.requests if each.path.startswith("/api/v1/nodes/")]
        assert [each.path for each in sent] == [f"/api/v1/nodes/{peers.named('a')}/status"]


async def test_D09_no_node_offers_less_than_is_in_use_and_that_is_told(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit=8))
        await peers.offers(a=4, b=4)
        for number in range(3):
            await peers.use(f"pod-{number}", "a")
        await peers.trial.until(PeerPodConfig, NAME, lambda found: found.status.total_used == 3)

        await peers.change(limit=4)
        await peers.offers(a=3, b=1)
        told = await peers.says("OverCommitted", "True", "InUse")
        assert told.status.total_advertised == 4
        await peers.free("pod-0")
        await peers.offers(a=2, b=2)
        await peers.says("OverCommitted", "False", "WithinLimit")


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("aws", "PODVM_INSTANCE_TYPE"), ("azure", "AZURE_INSTANCE_SIZE"), ("gcp", "GCP_MACHINE_TYPE")],
)
def test_D10_the_instance_type_reaches_the_adaptor(provider: str, variable: str) -> None:
    asked = config("pool", instanceType="large")
    asked.metadata.namespace = "place"
    selector = asked.spec.node_selector.selector()
    (container,) = pod_of(daemon_set(asked, selector, provider, PeerPodOptions())).containers

    assert {each.name: each.value for each in container.env}[variable] == "large"


async def test_D11_a_missing_secret_or_config_map_is_told_and_no_pod_gets_stuck_for_it(
    peering: Peering,
) -> None:
    async with peering(name_by_test=True) as peers:
        client = peers.trial.client
        await client.create(config(peers.pool, components=only(daemonSet=True)))
        told = await peers.says("DaemonSetReady", "False", "SettingsMissing")
        assert condition(told, "SecretFound") == ("False", "SecretMissing")
        assert condition(told, "ConfigMapFound") == ("False", "ConfigMapMissing")
        assert list(await client.list(DaemonSet, peers.trial.namespace)) == []

        await peers.settings("pigeons")
        told = await peers.says("ProviderValid", "Unknown", "UnknownProvider")
        assert condition(told, "SecretFound")[0] == "True"
        key = daemon_set_key(Key(peers.trial.namespace, NAME), PeerPodOptions())
        await peers.trial.until(DaemonSet, key.name, lambda _: True)
        await client.patch(ConfigMap, "peer-pods-cm", MergePatch({"data": {"CLOUD_PROVIDER": "libvirt"}}))
        await peers.says("ProviderValid", "True", "Known")


async def test_D12_a_pass_over_a_world_in_which_nothing_changed_writes_nothing(peering: Peering) -> None:
    async with peering(name_by_test=True) as peers:
        await peers.settings()
        await peers.join("a", "b", "c")
        await peers.trial.client.create(config(peers.pool, limit=10, components={}))
        await peers.offers(a=4, b=3, c=3)
        await peers.trial.ready(PeerPodConfig, NAME)

        await peers.trial.settled()
