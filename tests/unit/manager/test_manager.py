"""Several controllers in one process, and several processes of which one acts."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from datetime import timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from logged import logged
from operating import Operating, install, moving, operating
from polling import soon, until
from widget import Plain, PlainStatus, Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import UNOBSERVED, Key, ObjectMeta, Resource
from windlass.client import NO_RETRY, Client, ClientOptions, Impersonation, MergePatch
from windlass.cluster import Cluster
from windlass.controller import NO_FENCE
from windlass.errors import CancelledWithinError, ConfigError, UnwatchableError
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.events.v1 import Event
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef, Subject
from windlass.manager import Address, Companion, Manager, ManagerOptions, MetricsOptions
from windlass.reconcile import Cause, Channel, Context, Index, Reconciler, Result, Sink, Source, Watch
from windlass.testing import Faults, FaultyTransport, RecordingTransport, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.cache import Informer
    from windlass.client import Request, Response, Transport


KEY = Key("default", "w")


class Sizing(Reconciler[Widget]):
    def __init__(self) -> None:
        self.runs = 0
        self.running = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs += 1
        self.running.set()
        await self.go_on.wait()
        return Result.ready(WidgetStatus(size=resource.spec.size))


class Plaining(Reconciler[Plain]):
    async def reconcile(self, resource: Plain, ctx: Context) -> Result[PlainStatus]:
        return Result.ready(PlainStatus(size=7))


async def test_two_controllers_of_one_name_are_a_mistake() -> None:
    async with operating(Sizing()) as operator:
        with pytest.raises(ValueError, match="already"):
            operator.manager.add(Sizing())


async def test_controllers_share_one_watch_of_a_kind() -> None:
    class Second(Sizing):
        name = "second"

    async with operating(Sizing(), Second()) as operator:
        assert len(operator.manager.cache.informers) == 1


async def test_a_controller_can_be_added_while_the_manager_runs() -> None:
    async with operating(Sizing()) as operator:
        await operator.make(size=1)
        await operator.ready()
        await operator.client.create(Plain(metadata=ObjectMeta(name="p", namespace="default")))

        operator.manager.add(Plaining())

        async def has_size() -> bool:
            return (await operator.client.get(Plain, "p", "default")).status.size == 7

        await until(has_size)


async def test_a_controller_that_is_removed_takes_its_watches_along() -> None:
    reconciler = Sizing()
    async with operating(reconciler, Plaining()) as operator:
        await operator.make(size=1)
        await operator.ready()
        first = operator.manager.controllers[0]

        await operator.manager.remove(first)
        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        await operator.client.create(Plain(metadata=ObjectMeta(name="p", namespace="default")))

        async def has_size() -> bool:
            return (await operator.client.get(Plain, "p", "default")).status.size == 7

        await until(has_size)
        assert reconciler.runs == 1
        assert [each.kind for each in operator.manager.cache.informers] == [Plain]
        with pytest.raises(ValueError, match="no controller 'widget'"):
            await operator.manager.remove(first)


class Finding(Sizing):
    """Has an index and a reference, on an informer that it shares."""

    name = "finding"
    reads = (Watch(ConfigMap, by=lambda widget: widget.spec.color),)
    indexes = (Index(Widget, lambda widget: widget.spec.color),)


async def test_a_controller_that_was_removed_can_be_added_again_and_metrics_go_on() -> None:
    second = Finding()
    async with operating(Sizing(), Finding()) as operator:
        await operator.make(size=1, color="red")
        await operator.ready()

        await operator.manager.remove(operator.manager.controllers[1])
        assert b"workqueue_depth" in operator.manager.metrics.expose().body
        operator.manager.add(second)

        await soon(lambda: second.runs == 1)


async def test_the_depth_of_the_queue_of_one_that_is_added_again_is_not_counted_twice() -> None:
    again = Finding()
    manager = Manager(Client(Cluster().transport()))
    await manager.remove(manager.add(again))
    manager.add(again).wake(KEY, Cause("test"))

    shown = manager.metrics.expose().body.decode()
    assert 'workqueue_depth{controller="finding",name="finding",priority="0"} 1.0' in shown


async def test_two_operators_may_call_their_classes_the_same() -> None:
    index = Index(Widget, lambda widget: widget.spec.secret_name)
    other = type("Finding", (Finding,), {"name": "other", "indexes": (index,)})

    async with operating(Finding(), other()) as operator:
        await operator.make(size=1, color="red")
        await operator.ready()


async def test_a_controller_whose_cache_never_fills_can_be_removed() -> None:
    async with operating(Sizing(), Plaining()) as operator:
        manager = Manager(Client(operator.transport))
        controller = manager.add(Sizing())  # its cache does not run
        running = asyncio.ensure_future(controller.run())
        await asyncio.sleep(0)

        await asyncio.wait_for(manager.remove(controller), 5)
        await running


class Failing(Source):
    """Fails once, and then wakes everybody."""

    def __init__(self) -> None:
        self.starts = 0

    @override
    async def run(self, sink: Sink) -> None:
        self.starts += 1
        if self.starts == 1:
            raise ConnectionResetError("the bus is gone")
        sink.wake_all(Cause("the bus is back"))


async def test_a_source_that_fails_is_started_again_and_stops_nobody() -> None:
    clock, source, reconciler = ManualClock(), Failing(), Sizing()
    reconciler.sources = (source,)
    async with operating(reconciler, clock=clock) as operator:
        await operator.make(size=1)
        await operator.ready()

        await clock.advance(timedelta(seconds=10))
        await soon(lambda: reconciler.runs == 2)

        assert source.starts == 2


class Interrupted(Source):
    """What it awaits is cancelled by somebody else the first time; when it is to end, it fails."""

    def __init__(self) -> None:
        self.starts = 0

    @override
    async def run(self, sink: Sink) -> None:
        self.starts += 1
        waiting = asyncio.get_running_loop().create_future()
        if self.starts == 1:
            waiting.cancel()
        try:
            await waiting
        except asyncio.CancelledError:
            if self.starts > 1:
                raise ConnectionResetError("the bus is gone") from None
            raise


async def test_a_source_whose_wait_is_cancelled_by_others_is_started_again_and_one_that_ends_is_not() -> None:
    clock, source, reconciler = ManualClock(), Interrupted(), Sizing()
    reconciler.sources = (source,)
    async with operating(reconciler, clock=clock):
        await soon(lambda: source.starts == 1)
        await clock.advance(timedelta(seconds=10))
        await soon(lambda: source.starts == 2)

    assert source.starts == 2


async def test_only_the_given_namespaces_are_looked_at() -> None:
    reconciler = Sizing()
    options = ManagerOptions(name="tester", namespaces=("default", "kube-system"))
    async with operating(reconciler, options=options) as operator:
        await operator.make("here")
        await operator.make("there", namespace="kube-public")
        await operator.make("too", namespace="kube-system")
        await soon(lambda: reconciler.runs == 2)
        await operator.quiet()

        elsewhere = await operator.client.get(Widget, "there", "kube-public")
        assert elsewhere.status.observed_generation == UNOBSERVED
        assert reconciler.runs == 2


async def test_a_key_in_a_namespace_that_is_not_ours_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    reconciler, channel = Sizing(), Channel()
    reconciler.sources = (channel,)
    options = ManagerOptions(name="tester", namespaces=("default",))
    async with operating(reconciler, options=options) as operator:
        await operator.make("there", namespace="kube-public")
        channel.send(Key("kube-public", "there"))
        await soon(lambda: operator.manager.journal.find(name="there"))
        await operator.quiet()

        [controller] = operator.manager.controllers
        assert [each["outcome"] for each in operator.manager.journal.find(name="there")] == ["gone"]
        assert (controller.queue.delayed, reconciler.runs) == (0, 0)
        assert "error" not in caplog.text


async def test_a_stop_lets_running_reconciles_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    reconciler = Sizing()
    async with operating(reconciler) as operator:
        reconciler.go_on.clear()
        await operator.make(size=5)
        await reconciler.running.wait()
        stopping = asyncio.ensure_future(operator.stop())
        await soon(lambda: "Stopping: 1 reconciles" in caplog.text)
        await operator.make("late")

        reconciler.go_on.set()
        await stopping

        assert (await operator.widget()).status.size == 5
        assert (await operator.widget("late")).status.observed_generation == UNOBSERVED


class Telling(Sizing):
    """Says farewell."""

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        ctx.event("Farewell", "it was the last reconcile")
        return await super().reconcile(resource, ctx)


class HalfDeaf(RecordingTransport):
    """Loses what is said until it is told to listen."""

    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.listens = False

    @override
    async def send(self, request: Request) -> Response:
        if request.path.endswith("/events") and not self.listens:
            await asyncio.get_running_loop().create_future()
        return await super().send(request)


async def test_what_was_told_last_is_sent_before_the_stop() -> None:
    reconciler = Telling()
    async with operating() as operator:
        transport = HalfDeaf(operator.transport)
        manager = Manager(Client(transport))
        manager.add(reconciler)
        running = asyncio.ensure_future(manager.run())
        await operator.make()
        await operator.ready()

        transport.listens = True
        running.cancel()
        await asyncio.wait([running])

        assert "Farewell" in {each.reason for each in await operator.client.list(Event, "default")}


async def test_a_stop_does_not_wait_for_ever() -> None:
    clock, reconciler = ManualClock(), Sizing()
    options = ManagerOptions(name="tester", drain=timedelta(seconds=5))
    async with operating(reconciler, options=options, clock=clock) as operator:
        reconciler.go_on.clear()
        await operator.make(size=5)
        await reconciler.running.wait()

        await moving(clock, operator.stop())

        assert operator.task is not None
        assert operator.task.cancelled()
        assert (await operator.widget()).status.observed_generation == UNOBSERVED


class Pair:
    """Two managers that stand for election on one cluster."""

    def __init__(self, cluster: Cluster, clock: ManualClock) -> None:
        self.user = Client(cluster.transport())
        self.reconcilers = [Sizing(), Sizing()]
        self.transports = [RecordingTransport(cluster.transport()) for _ in self.reconcilers]
        self.managers = []
        options = ManagerOptions(name="tester", leader_elect=True, lease_namespace="default")
        for transport, reconciler in zip(self.transports, self.reconcilers, strict=True):
            manager = Manager(Client(transport, ClientOptions(retry=NO_RETRY)), options, clock=clock)
            manager.add(reconciler)
            self.managers.append(manager)
        self.tasks: list[asyncio.Task[None]] = []

    @property
    def leader(self) -> int:
        """The one that leads, or -1."""
        leading = [number for number, each in enumerate(self.managers) if each.is_leading]
        return leading[0] if leading else -1


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def pair(clock: ManualClock) -> AsyncIterator[Pair]:
    async with Cluster() as cluster:
        pair = Pair(cluster, clock)
        await install(pair.user)
        pair.tasks = [asyncio.ensure_future(each.run()) for each in pair.managers]
        yield pair
        for task in pair.tasks:
            task.cancel()
        await moving(clock, asyncio.wait(pair.tasks))


async def test_a_lease_holds_as_long_as_the_options_say() -> None:
    told = timedelta(seconds=30)
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        options = ManagerOptions(leader_elect=True, lease_namespace="default", lease_duration=told)
        running = asyncio.ensure_future(Manager(client, options).run())

        async def leases() -> list[Lease]:
            return list(await client.list(Lease, "default"))

        (lease,) = await until(leases)
        running.cancel()
        await asyncio.wait([running])

    assert lease.spec.lease_duration_seconds == 30


def test_durations_that_do_not_fit_each_other_are_refused_before_anything_runs() -> None:
    options = ManagerOptions(leader_elect=True, renew_deadline=timedelta(seconds=20))

    with pytest.raises(ConfigError, match=r"lease_duration .* must be longer than renew_deadline"):
        Manager(Client(Cluster().transport()), options)


async def test_a_standby_is_warm_and_writes_nothing(pair: Pair, clock: ManualClock) -> None:
    await moving(clock, soon(lambda: pair.leader >= 0))
    other = 1 - pair.leader
    for number in range(5):
        metadata = ObjectMeta(name=f"w{number}", namespace="default")
        await pair.user.create(Widget(metadata=metadata))
    await soon(lambda: pair.reconcilers[pair.leader].runs == 5)
    informers = pair.managers[other].cache.informers
    await soon(lambda: len(informers[0]) == 5)

    assert pair.reconcilers[other].runs == 0
    writes = [each for each in pair.transports[other].requests if each.method != "GET"]
    assert {each.path.rsplit("/", 2)[-2] for each in writes} <= {"leases", "default"}  # its candidacy alone


class Remembering(Sizing):
    name = "remembering"

    def __init__(self) -> None:
        super().__init__()
        self.causes: list[Cause] = []

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.causes += ctx.causes
        return await super().reconcile(resource, ctx)


async def test_a_standby_keeps_no_old_states_of_what_changes_without_it() -> None:
    async with operating(Sizing()) as operator:
        manager, reconciler = Manager(Client(operator.transport)), Remembering()
        controller = manager.add(reconciler)
        caching = asyncio.ensure_future(manager.cache.run())
        await operator.make(size=1)
        for size in range(2, 5):
            await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": size}}), "default")
        version = (await operator.ready()).metadata.resource_version
        informer = manager.cache.informers[0]
        await soon(lambda: [each.resource_version for each in [informer.snapshot(KEY)] if each] == [version])

        acting = asyncio.ensure_future(controller.run())
        await soon(lambda: reconciler.causes)
        for task in (acting, caching):
            task.cancel()
        await asyncio.wait([acting, caching])

        assert [str(cause) for cause in reconciler.causes[:2]] == ["Widget found", "changed in waiting"]
        assert all(cause.change is None for cause in reconciler.causes)


class Keeping(Remembering):
    """Owns something, and notes which objects it let go of."""

    owns: Sequence[type[Resource]] = (ConfigMap,)

    def __init__(self) -> None:
        super().__init__()
        self.forgotten: list[Key] = []

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name=f"{ctx.key.name}-child")))
        return await super().reconcile(resource, ctx)

    @override
    async def forget(self, key: Key) -> None:
        self.forgotten.append(key)


def lacks(informer: Informer[Any], key: Key) -> bool:
    return informer.snapshot(key) is None


async def test_a_standby_keeps_nothing_of_what_comes_and_goes_without_it() -> None:
    async with operating(Keeping()) as operator:
        standby = Manager(Client(operator.transport))
        controller = standby.add(Keeping())
        caching = asyncio.ensure_future(standby.cache.run())
        for name in ("a", "b", "c"):
            await operator.make(name)
            await operator.ready(name)
        await soon(lambda: [len(each) for each in standby.cache.informers] == [3, 3])
        for name in ("a", "b"):
            await operator.client.delete(Widget, name, "default")
            await soon(partial(lacks, standby.cache.informers[0], Key("default", name)))
            await operator.client.delete(ConfigMap, f"{name}-child", "default")
        await soon(lambda: [len(each) for each in standby.cache.informers] == [1, 1])
        caching.cancel()
        await asyncio.wait([caching])

        assert (await controller.queue.take()).key == Key("default", "c")
        assert (len(controller.queue), controller.queue.delayed) == (0, 0)


def a_term_of(manager: Manager) -> asyncio.Task[None]:
    """Let a manager lead until it is cancelled, as an election would."""
    return asyncio.ensure_future(manager._lead(NO_FENCE))


async def test_one_who_led_before_lets_go_of_what_went_meanwhile() -> None:
    reconciler = Keeping()
    async with operating() as operator:
        manager = Manager(Client(operator.transport))
        controller = manager.add(reconciler)
        caching, term = asyncio.ensure_future(manager.cache.run()), a_term_of(manager)
        await operator.make("a")
        await operator.ready("a")
        term.cancel()
        await asyncio.wait([term])
        await operator.client.delete(Widget, "a", "default")
        await operator.make("b")
        await operator.client.delete(Widget, "b", "default")
        await soon(lambda: not len(manager.cache.informers[0]))
        assert reconciler.forgotten == []

        term = a_term_of(manager)
        await soon(lambda: reconciler.forgotten and not len(controller.queue) + controller.queue.running)
        for task in (term, caching):
            task.cancel()
        await asyncio.wait([term, caching])

        assert reconciler.forgotten == [Key("default", "a")]


class Namesake(Resource, group="elsewhere.windlass.dev", version="v1", kind="Widget"):
    """A thing of another group whose kind has the same name, as a Service of Knative has."""


class Naming(Keeping):
    owns = (Namesake,)

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        return Result.ready()


async def make_namesake(operator: Operating, name: str) -> None:
    """Create a part of a Widget that has its name."""
    api = Widget.__kind__.api_version
    owner = {"apiVersion": api, "kind": "Widget", "name": name, "uid": "1", "controller": True}
    metadata = {"name": name, "namespace": "default", "ownerReferences": [owner]}
    await operator.client.create(Namesake.from_wire({"metadata": metadata}))


async def test_a_part_of_the_same_name_is_not_taken_for_the_whole_by_one_in_waiting() -> None:
    reconciler = Naming()
    async with operating(installed=(Widget, Namesake)) as operator:
        manager = Manager(Client(operator.transport))
        controller = manager.add(reconciler)
        whole, parts = manager.cache.informers
        caching, term = asyncio.ensure_future(manager.cache.run()), a_term_of(manager)
        await operator.make("a")
        await operator.ready("a")
        term.cancel()
        await asyncio.wait([term])
        await make_namesake(operator, "a")
        await make_namesake(operator, "never-there")
        await soon(lambda: len(parts) == 2)
        assert len(controller.queue) == 1
        await operator.client.delete(Widget, "a", "default")
        await soon(lambda: not len(whole))

        term = a_term_of(manager)
        await soon(lambda: not len(controller.queue) + controller.queue.running)
        for task in (term, caching):
            task.cancel()
        await asyncio.wait([term, caching])

        assert reconciler.forgotten == [Key("default", "a")]


async def test_a_leader_that_stops_hands_over_at_once(pair: Pair, clock: ManualClock) -> None:
    await moving(clock, soon(lambda: pair.leader >= 0))
    first = pair.leader
    pair.tasks[first].cancel()
    await moving(clock, asyncio.wait([pair.tasks[first]]))
    before = clock.monotonic()

    await moving(clock, soon(lambda: pair.leader == 1 - first))

    assert clock.monotonic() - before < 15  # the lease lasts longer than that
    await pair.user.create(Widget(metadata=ObjectMeta(name="w", namespace="default")))
    await soon(lambda: pair.reconcilers[1 - first].runs == 1)


async def test_it_serves_health_metrics_and_nothing_else() -> None:
    import aiohttp

    options = ManagerOptions(
        name="tester", health=Address("127.0.0.1", 0), metrics=MetricsOptions(address=Address("127.0.0.1", 0))
    )
    async with operating(Sizing(), options=options) as operator:
        await operator.make(size=1)
        await operator.ready()
        serving = operator.manager.serving
        assert serving.health is not None
        assert serving.metrics is not None
        async with aiohttp.ClientSession() as session:

            async def page(address: Address, path: str) -> str:
                async with session.get(f"http://{address}{path}") as answer:
                    assert answer.status == 200
                    return await answer.text()

            live = await page(serving.health, "/healthz?verbose")
            ready = await page(serving.health, "/readyz?verbose")
            metrics = await page(serving.metrics, "/metrics")

    assert "[+]watches ok" in live
    assert "[+]caches ok" in ready
    assert 'controller_runtime_reconcile_total{controller="widget",result="success"} 1.0' in metrics
    assert 'windlass_cache_objects{kind="widgets.test.windlass.dev"} 1.0' in metrics
    assert 'rest_client_requests_total{code="200"' in metrics


async def page(address: Address | None, path: str) -> str:
    import aiohttp

    async with aiohttp.ClientSession() as session, session.get(f"http://{address}{path}") as answer:
        return await answer.text()


LOCAL = Address("127.0.0.1", 0)


class Unfillable(Sizing):
    owns = (ConfigMap,)


async def test_keys_that_wait_for_a_cache_to_be_filled_are_no_reason_to_die() -> None:
    options, clock = ManagerOptions(name="tester", health=LOCAL), ManualClock()
    async with Cluster() as cluster:
        user = Client(cluster.transport())
        await install(user)
        await user.create(Widget(metadata=ObjectMeta(name="w", namespace="default")))
        faulty = FaultyTransport(cluster.transport(), Faults(failed=1, only=Scope(resource="configmaps")))
        manager = Manager(Client(faulty, ClientOptions(retry=NO_RETRY)), options, clock=clock)
        controller = manager.add(Unfillable())
        running = asyncio.ensure_future(manager.run())
        await soon(lambda: len(controller.queue))
        await moving(clock, clock.sleep(timedelta(minutes=6)))

        assert controller.queue.oldest > timedelta(minutes=5)
        assert await page(manager.serving.health, "/healthz/queues") == "ok"
        running.cancel()
        await asyncio.wait([running])


async def test_readiness_tells_which_kind_is_over_budget_and_which_is_waited_for() -> None:
    options = ManagerOptions(name="tester", health=LOCAL, cache_budget=50_000)
    async with operating(Sizing(), Optional(), options=options, installed=(Widget,)) as operator:
        for number in range(80):
            await operator.make(f"w{number}", color="x" * 1000)
        await soon(lambda: operator.manager.cache.informers[0].is_reduced)
        await operator.ready("w79")

        ready = await page(operator.manager.serving.health, "/readyz?verbose")

        assert "[+]caches ok: not served yet: Plain; over budget, each read asks the server: Widget" in ready
        assert "[+]kinds ok\n" in ready
        assert ready.endswith("readyz check passed\n")


class Optional(Plaining):
    """Works on a kind that nobody need install."""

    optional = True


async def test_readiness_fails_while_a_kind_is_not_served_and_liveness_does_not() -> None:
    options = ManagerOptions(name="tester", health=LOCAL)
    async with operating(Sizing(), Plaining(), options=options, installed=(Widget,)) as operator:
        await operator.make()
        await operator.ready()
        health = operator.manager.serving.health

        async def ready() -> str:
            return await page(health, "/readyz")

        told = await until(ready, lambda answer: "[-]kinds" in answer)
        assert "[+]caches ok: not served yet: Plain\n" in told
        assert (
            "[-]kinds failed: Plain.test.windlass.dev/v1 is not served; "
            "install the CustomResourceDefinition plains.test.windlass.dev\n"
        ) in told
        assert await page(health, "/healthz") == "ok"
        await install(operator.client, Plain)
        assert await until(ready, lambda answer: answer == "ok") == "ok"


@pytest.mark.parametrize("serves_webhooks", [False, True])
async def test_a_watch_without_progress_makes_a_process_unready_but_for_one_that_serves_webhooks(
    serves_webhooks: bool,  # noqa: FBT001 - a case of the test
) -> None:
    options, clock = ManagerOptions(name="tester", health=LOCAL), ManualClock()
    async with Cluster() as cluster:
        user = Client(cluster.transport())
        await install(user)
        faulty = FaultyTransport(cluster.transport())
        manager = Manager(Client(faulty, ClientOptions(retry=NO_RETRY)), options, clock=clock)
        manager.add(Sizing())
        doorman = Doorman()
        doorman.ready = True
        manager.accompany(doorman, serves_webhooks=serves_webhooks)
        running = asyncio.ensure_future(manager.run())
        await soon(lambda: manager.cache.informers[0].is_synced)
        faulty.partition()
        await moving(clock, clock.sleep(timedelta(minutes=10)))

        ready = await page(manager.serving.health, "/readyz?verbose")
        live = await page(manager.serving.health, "/healthz")
        scraped = manager.metrics.expose().body.decode()
        faulty.heal()
        running.cancel()
        await moving(clock, asyncio.wait([running]))

    assert ("[+]caches ok: stale: Widget: no word for 6" in ready) == serves_webhooks
    assert ("[-]caches failed: Widget: no word for 6" in ready) != serves_webhooks
    assert ready.endswith(f"readyz check {'passed' if serves_webhooks else 'failed'}\n")
    assert live == "ok"
    lag = re.search(r'windlass_watch_lag_seconds\{kind="widgets.test.windlass.dev"\} ([0-9.]+)', scraped)
    assert lag is not None
    assert float(lag[1]) >= 600


async def test_a_kind_that_is_waited_for_does_not_make_the_process_unready_with_time() -> None:
    options, clock = ManagerOptions(name="tester", health=LOCAL), ManualClock()
    async with operating(Sizing(), Optional(), options=options, clock=clock, installed=(Widget,)) as operator:
        await operator.make()
        await moving(clock, operator.ready())
        await moving(clock, clock.sleep(timedelta(minutes=10)))

        ready = await page(operator.manager.serving.health, "/readyz?verbose")

        assert "[+]caches ok: not served yet: Plain\n" in ready


class Learning(Sizing):
    """Begins a watch at run time, and can do without it."""

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        try:
            await ctx.watch(Watch(ConfigMap))
        except UnwatchableError:
            return Result.ready(WidgetStatus(note="refused"))
        return Result.ready(WidgetStatus(note="watched"))


class Declaring(Learning):
    """Declares the same kind as well, but needs it no more for that."""

    reads = (Watch(ConfigMap, optional=True),)


async def permitted(admin: Client, *rules: PolicyRule) -> Client:
    """A client that may do no more than that in the whole cluster."""
    where = ObjectMeta(name="operator")
    reference = RoleRef(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name="operator")
    subject = Subject(kind="ServiceAccount", name="operator", namespace="default")
    await admin.create(ClusterRole(metadata=where, rules=list(rules)))
    await admin.create(ClusterRoleBinding(metadata=where, role_ref=reference, subjects=[subject]))
    return admin.acting_as(Impersonation.service_account("default", "operator")).retrying(NO_RETRY)


@pytest.mark.parametrize("reconciler", [Learning(), Declaring()], ids=["dynamic", "declared"])
async def test_readiness_depends_on_no_watch_that_was_begun_at_run_time(
    reconciler: Learning, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock()
    widgets = PolicyRule(api_groups=["test.windlass.dev"], resources=["*"], verbs=["*"])
    async with Cluster() as cluster:
        admin = Client(cluster.transport())
        await install(admin)
        options = ManagerOptions(name="tester", health=LOCAL)
        manager = Manager(await permitted(admin, widgets), options, clock=clock, random=Random(1))
        manager.add(reconciler)
        operator = Operating(admin, manager, RecordingTransport(cluster.transport()))
        operator.task = asyncio.create_task(manager.run())
        await operator.make()
        widget = await moving(clock, operator.ready())
        assert widget.status.note == "refused"
        await moving(clock, clock.sleep(timedelta(minutes=10)))

        ready = await page(manager.serving.health, "/readyz?verbose")
        live = await page(manager.serving.health, "/healthz?verbose")
        await moving(clock, operator.stop())

    assert "[+]watches ok" in live
    if isinstance(reconciler, Declaring):
        assert "[-]caches failed: ConfigMap: GET /api/v1/configmaps" in ready
    else:
        assert "[+]caches ok: begun at run time: ConfigMap: GET /api/v1/configmaps" in ready
        assert "readyz check passed" in ready
    assert "403" in ready
    assert any("ConfigMap: cannot follow the server" in each.getMessage() for each in logged(caplog))


async def test_the_journal_is_served_beside_health() -> None:
    async with operating(Sizing(), options=ManagerOptions(name="tester", health=LOCAL)) as operator:
        await operator.make(size=3)
        await operator.ready()
        await operator.quiet()

        (run,) = json.loads(await page(operator.manager.serving.health, "/journal?name=w"))["runs"]

        assert (run["controller"], run["outcome"]) == ("widget", "ready")
        assert run["causes"] in (["Widget default/w added by windlass"], ["Widget found"])
        changes = {each["path"]: (each["old"], each["new"]) for each in run["writes"][0]["changes"]}
        assert changes[".status.size"] == (None, 3)
        assert changes[".status.observedGeneration"] == (-1, 1)


async def test_a_run_is_told_in_the_log_for_those_who_want_to_know(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "windlass.controller")
    async with operating(Sizing()) as operator:
        await operator.make(size=3)
        await operator.ready()
        await operator.quiet()

    runs = [each for each in caplog.records if each.getMessage() == "Reconciled"]
    fields = vars(runs[0])["windlass"]
    assert (fields["controllerKind"], fields["outcome"], fields["name"]) == ("Widget", "ready", "w")


async def test_it_lives_inside_another_application_and_beside_another_manager() -> None:
    from aiohttp import ClientSession, web

    async with Cluster() as cluster:
        user = Client(cluster.transport())
        await install(user)

        async def operators(app: web.Application) -> AsyncIterator[None]:
            managers = []
            for name, reconciler in (("one", Sizing()), ("two", Plaining())):
                manager = Manager(Client(cluster.transport()), ManagerOptions(name=name))
                manager.add(reconciler)
                managers.append(manager)
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(each.run()) for each in managers]
                yield
                for task in tasks:
                    task.cancel()

        async def show(request: web.Request) -> web.Response:
            widget = await user.get(Widget, "w", "default")
            plain = await user.get(Plain, "w", "default")
            return web.json_response([widget.status.size, plain.status.size])

        app = web.Application()
        app.router.add_get("/", show)
        app.cleanup_ctx.append(operators)
        runner = web.AppRunner(app, handle_signals=False)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        await user.create(Widget(metadata=ObjectMeta(name="w", namespace="default")))
        await user.patch(Widget, "w", MergePatch({"spec": {"size": 4}}), "default")
        await user.create(Plain(metadata=ObjectMeta(name="w", namespace="default")))
        async with ClientSession() as session:

            async def shown() -> Any:
                async with session.get(f"http://{host}:{port}/") as answer:
                    return await answer.json()

            await until(shown, lambda sizes: sizes == [4, 7])
        await runner.cleanup()


class Doorman(Companion):
    """Says hello at once, and is ready when it is told to be."""

    name = "doorman"

    def __init__(self) -> None:
        self.ready = False

    async def run(self, client: Client) -> None:
        await client.create(ConfigMap(metadata=ObjectMeta(name="hello", namespace="default")))
        await asyncio.get_running_loop().create_future()

    def problem(self) -> str | None:
        return None if self.ready else "the door is shut"


async def test_a_companion_works_and_decides_on_readiness_though_nobody_leads() -> None:
    options = ManagerOptions(leader_elect=True, lease_namespace="nowhere", health=LOCAL)
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        manager, doorman = Manager(client, options), Doorman()
        manager.accompany(doorman)
        with pytest.raises(ValueError, match="doorman"):
            manager.accompany(Doorman())
        running = asyncio.ensure_future(manager.run())

        async def greeted() -> bool:
            found = await client.list(ConfigMap, "default")
            return "hello" in {each.metadata.name for each in found}

        await until(greeted)
        assert not manager.is_leading
        with pytest.raises(RuntimeError, match="doorman accompany it before"):
            manager.accompany(Doorman())
        assert "[-]doorman failed: the door is shut" in await page(manager.serving.health, "/readyz")
        doorman.ready = True
        assert "[+]doorman ok" in await page(manager.serving.health, "/readyz?verbose")
        running.cancel()
        await asyncio.wait([running])


class Deserted(Doorman):
    """What it waits for is cancelled by somebody else."""

    async def run(self, client: Client) -> None:
        waiting = asyncio.get_running_loop().create_future()
        waiting.cancel()
        await waiting


async def test_a_companion_whose_wait_is_cancelled_by_others_is_missed() -> None:
    async with Cluster() as cluster:
        manager = Manager(Client(cluster.transport()))
        manager.accompany(Deserted())
        with pytest.raises(ExceptionGroup) as failure:
            await asyncio.wait_for(manager.run(), 5)

        assert failure.group_contains(CancelledWithinError, match="doorman")


async def test_a_manager_that_has_run_says_so_instead_of_doing_nothing() -> None:
    async with operating(Sizing()) as operator:
        await operator.make()
        await operator.ready()
        with pytest.raises(RuntimeError, match="runs once"):
            await operator.manager.run()
        await operator.stop()
        with pytest.raises(RuntimeError, match="runs once"):
            await operator.manager.run()
