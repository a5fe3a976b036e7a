"""Instances that the cloud-api-adaptor has left behind are deleted, and no others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from instances import PROVIDER, cleaning, credentials, peer, reason
from polling import until
from windlass.aio import ManualClock
from windlass.api import Key, find_condition
from windlass.client import Client, ClientOptions, JsonPatch, MergePatch, WriteOptions
from windlass.controller import plan
from windlass.errors import ConfigError, Forbidden
from windlass.kinds.core.v1 import Pod, Secret
from windlass.operators.peerpod import PeerPod
from windlass.operators.peerpod.cloud import (
    AccessDeniedError,
    CloudError,
    CredentialsPlace,
    FakeCloud,
    ThrottledError,
)
from windlass.operators.peerpod.controllers import FINALIZER, Dangling, PeerPodController
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from windlass.operators.peerpod.cloud import Cloud, Credentials
    from windlass.testing import Starter, Trial


pytestmark = pytest.mark.xdist_group("machines")  # each has a cloud whose first instance has the same name


def now() -> ManualClock:
    """A clock that stands still at the time that the server has too."""
    return ManualClock(datetime.now(UTC))


async def test_an_instance_goes_with_its_peer_pod(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        await trial.client.create(credentials())
        stays, goes = cloud.launch("stays"), cloud.launch("goes")
        await trial.client.create(peer("stays", stays))
        await trial.client.create(peer("goes", goes))
        assert reason(await trial.ready(PeerPod, "goes")) == "InUse"

        await trial.client.delete(PeerPod, "goes")
        await trial.gone(PeerPod, "goes")

        assert cloud.instances == {stays: "stays"}
        assert reason(await trial.ready(PeerPod, "stays")) == "InUse"
        await trial.settled()


async def test_who_waits_for_other_finalizers_sees_that_it_is_cleaned(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        await trial.client.create(credentials())
        held = peer("held", cloud.launch("held"))
        held.metadata.finalizers = ["example.com/auditor", FINALIZER]
        await trial.client.create(held)
        await trial.client.delete(PeerPod, "held")

        def is_told(each: PeerPod) -> bool:
            told = find_condition(each.status.conditions, "Cleaned")
            return (
                each.metadata.finalizers == ["example.com/auditor"]
                and told is not None
                and told.reason != "InUse"
            )

        found = await trial.until(PeerPod, "held", is_told)

        assert found.status.cleand
        condition = find_condition(found.status.conditions, "Cleaned")
        assert condition is not None
        assert (condition.status, condition.reason) == ("True", "InstanceDeleted")
        assert cloud.instances == {}
        await trial.settled()
        await trial.client.patch(PeerPod, "held", MergePatch({"metadata": {"finalizers": None}}))
        await trial.gone(PeerPod, "held")


async def test_no_finalizer_is_put_on_a_peer_pod_that_has_none(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        bare = peer("bare", cloud.launch("bare"))
        bare.metadata.finalizers = []
        await trial.client.create(bare)

        assert (await trial.ready(PeerPod, "bare")).metadata.finalizers == []
        await trial.client.delete(PeerPod, "bare")
        await trial.gone(PeerPod, "bare")
        await trial.rest()
        assert cloud.deleted == []


async def test_an_instance_that_is_gone_already_is_no_fault(operator: Starter) -> None:
    async with operator(PeerPodController(cleaning(FakeCloud()))) as trial:
        await trial.client.create(credentials())
        await trial.client.create(peer("a", "i-gone"))
        await trial.client.delete(PeerPod, "a")

        await trial.gone(PeerPod, "a")


async def test_a_peer_pod_without_an_instance_is_let_go(operator: Starter) -> None:
    async with operator(PeerPodController(cleaning(FakeCloud()))) as trial:
        await trial.client.create(peer("a", ""))
        await trial.client.delete(PeerPod, "a")

        await trial.gone(PeerPod, "a")


async def test_an_instance_that_is_to_be_retained_stays(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        kept = cloud.launch("kept")
        await trial.client.create(peer("kept", kept, deletionPolicy="Retain"))
        await trial.client.delete(PeerPod, "kept")
        await trial.gone(PeerPod, "kept")

        assert cloud.instances == {kept: "kept"}


async def pod(trial: Trial, name: str = "shop") -> str:
    """A pod that PeerPods may belong to: who belongs to nobody is collected."""
    container = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    wanted = Pod.from_wire({"metadata": {"name": name}, "spec": {"containers": [container]}})

    async def created() -> str:
        try:
            return (await trial.client.create(wanted)).metadata.uid
        except Forbidden:  # a new namespace has no ServiceAccount for a moment
            return ""

    return await until(created)


async def older_and_newer(trial: Trial, first: str, second: str) -> None:
    """Two PeerPods of one pod, with these instances, that were made in different seconds."""
    owner = await pod(trial)
    await trial.client.create(peer("first", first, owner))
    born = (await trial.ready(PeerPod, "first")).metadata.creation_timestamp
    options = ClientOptions(namespace=trial.namespace, write=WriteOptions(dry_run=True))
    trying = Client(trial.client.transport, options)

    async def is_later() -> bool:
        return (await trying.create(peer("second", second, owner))).metadata.creation_timestamp != born

    await until(is_later)
    await trial.client.create(peer("second", second, owner))


async def test_what_an_earlier_start_of_the_same_pod_left_is_deleted(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        await trial.client.create(credentials())
        other, first, second = (cloud.launch(each) for each in ("other", "first", "second"))
        await trial.client.create(peer("other", other, await pod(trial, "other"), pod="other"))
        await older_and_newer(trial, first, second)

        await trial.gone(PeerPod, "first")
        await trial.rest()
        assert cloud.instances == {other: "other", second: "second"}


async def test_an_instance_that_a_newer_peer_pod_uses_is_not_deleted_with_the_older(
    operator: Starter,
) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        await trial.client.create(credentials())
        shared = cloud.launch("shared")
        await older_and_newer(trial, shared, shared)

        await trial.gone(PeerPod, "first")
        await trial.rest()
        assert cloud.instances == {shared: "shared"}


async def test_a_peer_pod_without_an_owner_breaks_nothing_and_supersedes_nobody(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(PeerPodController(cleaning(cloud))) as trial:
        for name in ("a", "b"):
            await trial.client.create(peer(name, cloud.launch(name)))
            await trial.ready(PeerPod, name)

        assert sorted(cloud.instances.values()) == ["a", "b"]


async def test_nothing_is_listed_when_something_changes(operator: Starter) -> None:
    async with operator(PeerPodController(cleaning(FakeCloud()))) as trial:
        owner = await pod(trial)
        await trial.client.create(peer("a", "i-1", owner))
        await trial.ready(PeerPod, "a")
        before = len(trial.requests)
        await trial.client.create(peer("b", "i-2", owner))
        await trial.ready(PeerPod, "b")

        assert [sent.method for sent in trial.requests[before:] if sent.method == "GET"] == []


async def test_the_cloud_api_adaptor_is_given_time(operator: Starter) -> None:
    cloud, clock = FakeCloud(), now()
    options = cleaning(cloud, grace=timedelta(minutes=5))
    async with operator(PeerPodController(options), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(credentials())
        for name in ("late", "prompt"):
            await trial.client.create(peer(name, cloud.launch(name)))
            await trial.client.delete(PeerPod, name)
            await trial.until(PeerPod, name, lambda each: reason(each) == "Grace")
        cloud.instances.pop("i-00000002")
        remove = JsonPatch([{"op": "remove", "path": "/metadata/finalizers"}])
        await trial.client.patch(PeerPod, "prompt", remove)
        await trial.gone(PeerPod, "prompt")

        await clock.advance(timedelta(minutes=4))
        await trial.rest()
        assert cloud.deleted == []
        await clock.advance(timedelta(minutes=2))
        await trial.gone(PeerPod, "late")
        assert cloud.deleted == ["i-00000001"]


async def test_an_unknown_provider_is_told_and_not_tried_for_ever(operator: Starter) -> None:
    clock = now()
    async with operator(PeerPodController(cleaning(FakeCloud())), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(peer("a", "i-1", provider="nimbus"))
        await trial.client.delete(PeerPod, "a")

        found = await trial.until(PeerPod, "a", stalled)
        assert reason(found) == "UnknownProvider"
        condition = find_condition(found.status.conditions, "Stalled")
        assert condition is not None
        assert condition.message == ("there is no cloud 'nimbus' here: known are fake; install its plug-in")
        await trial.rest()
        runs = len(trial.runs("a"))
        await clock.advance(timedelta(hours=10))
        await trial.rest()
        assert len(trial.runs("a")) == runs


def stalled(found: PeerPod) -> bool:
    """Whether nothing is tried any more."""
    condition = find_condition(found.status.conditions, "Stalled")
    return condition is not None and condition.status == "True"


async def test_credentials_are_those_that_there_are_now(operator: Starter) -> None:
    seen: list[dict[str, str]] = []

    def made(given: Credentials) -> Cloud:
        seen.append(dict(given))
        if "KEY" not in given:
            raise ConfigError("KEY is missing")
        return FakeCloud()

    options = cleaning(FakeCloud(), clouds={PROVIDER: made})
    async with operator(PeerPodController(options)) as trial:
        await trial.client.create(peer("a", "i-1"))
        await trial.client.delete(PeerPod, "a")
        await trial.until(PeerPod, "a", lambda each: reason(each) == "CredentialsUnusable")
        assert seen == []

        await trial.client.create(credentials(USER="me"))
        await trial.until(PeerPod, "a", lambda each: "KEY is missing" in str(each.status.conditions))
        await trial.client.patch(Secret, "peer-pods-secret", MergePatch({"stringData": {"KEY": "first"}}))
        await trial.gone(PeerPod, "a")
        for name, instance in (("b", "i-2"), ("c", "i-3")):
            await trial.client.create(peer(name, instance))
            await trial.client.delete(PeerPod, name)
            await trial.gone(PeerPod, name)
        assert seen == [{"USER": "me"}, {"USER": "me", "KEY": "first"}]


async def test_each_provider_has_credentials_of_its_own(operator: Starter) -> None:
    clouds: dict[str, Credentials] = {}

    def made(provider: str, given: Credentials) -> Cloud:
        clouds[provider] = dict(given)
        return FakeCloud()

    options = cleaning(
        FakeCloud(),
        clouds={"one": lambda given: made("one", given), "two": lambda given: made("two", given)},
        credentials={"two": CredentialsPlace("second-cm", "second-secret")},
    )
    async with operator(PeerPodController(options)) as trial:
        await trial.client.create(credentials(KEY="1"))
        await trial.client.create(credentials("second-secret", KEY="2"))
        for provider in ("one", "two"):
            await trial.client.create(peer(provider, "i-1", provider=provider))
            await trial.client.delete(PeerPod, provider)
            await trial.gone(PeerPod, provider)

        assert clouds == {"one": {"KEY": "1"}, "two": {"KEY": "2"}}


@pytest.mark.parametrize(
    ("fault", "said", "wait"),
    [
        (ThrottledError("slowly", timedelta(minutes=7)), "Throttled", timedelta(minutes=7)),
        (AccessDeniedError("no"), "AccessDenied", timedelta(minutes=10)),
        (CloudError("an earthquake"), "CloudFailed", timedelta(minutes=1)),
    ],
)
async def test_how_soon_it_is_tried_again_depends_on_what_went_wrong(
    operator: Starter, fault: CloudError, said: str, wait: timedelta
) -> None:
    cloud, clock = FakeCloud(), now()
    cloud.refuse(fault)
    async with operator(PeerPodController(cleaning(cloud)), options=TrialOptions(clock=clock)) as trial:
        await trial.client.create(credentials())
        await trial.client.create(peer("a", cloud.launch("a")))
        await trial.client.delete(PeerPod, "a")
        await trial.until(PeerPod, "a", lambda each: reason(each) == said)

        if said != "CloudFailed":  # whose back-off begins far below a second
            await clock.advance(wait - timedelta(seconds=1))
            await trial.rest()
            assert cloud.deleted == []
        await clock.advance(wait)
        await trial.gone(PeerPod, "a")
        assert cloud.deleted == ["i-00000001"]


async def test_instances_that_nobody_has_deleted_yet_are_counted(operator: Starter) -> None:
    cloud, dangling = FakeCloud(), Dangling()
    cloud.refuse(AccessDeniedError("no"))
    async with operator(PeerPodController(cleaning(cloud), dangling)) as trial:
        await trial.client.create(credentials())
        await trial.client.create(peer("a", cloud.launch("a")))
        await trial.ready(PeerPod, "a")
        assert counted(dangling) == {}
        await trial.client.delete(PeerPod, "a")
        await trial.until(PeerPod, "a", lambda each: reason(each) == "AccessDenied")
        assert counted(dangling) == {PROVIDER: 1.0}

        await trial.client.patch(Secret, "peer-pods-secret", MergePatch({"stringData": {"KEY": "right"}}))
        await trial.gone(PeerPod, "a")
        await trial.rest()
        assert counted(dangling) == {}


def counted(dangling: Dangling) -> dict[str, float]:
    """What a scrape would show."""
    return {labels[0]: number for labels, number in dangling._counted()}


async def test_it_lacks_no_grant_and_wastes_none(operator: Starter) -> None:
    cloud = FakeCloud()
    async with operator(
        PeerPodController(cleaning(cloud)), options=TrialOptions(least_privilege=True)
    ) as trial:
        await trial.client.create(credentials())
        first, second = cloud.launch("first"), cloud.launch("second")
        await older_and_newer(trial, first, second)
        await trial.gone(PeerPod, "first")
        await trial.client.delete(PeerPod, "second")
        await trial.gone(PeerPod, "second")

        assert trial.granted
        trial.granted.check()


async def test_a_plan_tells_which_instance_would_be_deleted_and_deletes_none(operator: Starter) -> None:
    cloud = FakeCloud()
    unhurried = cleaning(cloud, grace=timedelta(days=1))
    async with operator(PeerPodController(unhurried)) as trial:
        await trial.client.create(credentials())
        await trial.client.create(peer("a", cloud.launch("a")))
        await trial.client.delete(PeerPod, "a")
        await trial.until(PeerPod, "a", lambda each: reason(each) == "Grace")

        key = Key(trial.namespace, "a")
        planned = await until(  # times of objects are whole seconds, so that even no grace may take one
            lambda: plan(PeerPodController(cleaning(cloud)), trial.client, key),
            lambda each: bool(each.effects),
            every=0.1,
        )

        assert [each.what for each in planned.effects] == ["delete instance i-00000001 of fake"]
        assert (planned.outcome, planned.reason) == ("ready", "Released")
        assert cloud.instances == {"i-00000001": "a"}
