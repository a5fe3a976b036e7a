from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from windlass.api import ObjectMeta, Untyped
from windlass.client import Client, ClientOptions, WatchOptions
from windlass.errors import ConfigError
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import KeyReconciler, Reconciler
from windlass.testing.faulty import FaultyTransport
from windlass.testing.install import install_kinds
from windlass.testing.reserve import reserved
from windlass.testing.settled import RecordingTransport
from windlass.testing.trial import Trial

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from windlass.aio import Clock
    from windlass.api import Resource
    from windlass.client import Transport
    from windlass.cluster import Access, Cluster
    from windlass.controller import ControllerOptions
    from windlass.testing.privilege import Granted

    Part = Reconciler[Any] | KeyReconciler | Callable[[Manager], None]

_NAME = "operator"
_BUILT_IN = "windlass.kinds."
_NO_CONTROLLERS = "TrialOptions(whole=True): the control plane runs no controllers"


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """How an operator is run in a test.

    `manager`: how its manager runs; without, it looks at the test's namespace alone, so that tests that share
    a control plane do not meet.
    `controller`: how each of its controllers runs.
    `clock`: its time, such as a `ManualClock`.
    `least_privilege`: it runs under exactly the rules that its declarations ask for, and its `rules`; the
    server of this process judges that.
    `whole`: it stands on a whole cluster: controllers, a scheduler, and nodes that run pods.
    `seed`: decides its chances, and those of its network.
    """

    manager: ManagerOptions | None = None
    controller: ControllerOptions | None = None
    clock: Clock | None = None
    least_privilege: bool = False
    whole: bool = False
    seed: int = 1


class Starter:
    """What the fixture `operator` is: starts operators on the control plane of a test."""

    def __init__(self, target: Cluster | Access) -> None:
        self._target = target

    def __call__(
        self, *parts: Part, options: TrialOptions | None = None
    ) -> AbstractAsyncContextManager[Trial]:
        """Run an operator until the block is left: see `on_trial`.

        A test with `whole` fails where the control plane of the run has no controllers. One with
        `least_privilege` is skipped where the API server is not of this process.
        """
        from windlass.cluster import Cluster

        chosen = options or TrialOptions()
        if isinstance(self._target, Cluster):
            return _on_whole(parts, chosen) if chosen.whole else on_trial(self._target, parts, chosen)
        import pytest

        if chosen.least_privilege:
            pytest.skip("the least privilege is judged by the API server in this process")
        if chosen.whole and not self._target.controllers:
            pytest.fail(f"{_NO_CONTROLLERS}: run pytest with --control-plane-controllers too", pytrace=False)
        return on_trial(self._target, parts, chosen)


@asynccontextmanager
async def _on_whole(parts: Sequence[Part], options: TrialOptions) -> AsyncIterator[Trial]:
    from windlass.cluster import Cluster, ClusterOptions

    async with (
        Cluster(ClusterOptions(controllers=True, nodes=1)) as cluster,
        on_trial(cluster, parts, options) as trial,
    ):
        yield trial


@asynccontextmanager
async def on_trial(
    target: Cluster | Access, parts: Sequence[Part], options: TrialOptions | None = None
) -> AsyncIterator[Trial]:
    """Run an operator in a namespace of its own on a cluster of this process, or wherever `Access` leads.

    Its parts are reconcilers, or functions such as `add_to` that add some to a manager. Their own kinds are
    installed first. If it has webhooks, the server asks them about the objects of the namespace: within this
    process, or over TLS. The operator is stopped at the end of the block, and the namespace deleted.

        async with on_trial(cluster, [WebAppController()]) as trial:
            await trial.client.create(WebApp(metadata=ObjectMeta(name="shop")))
            await trial.ready(WebApp, "shop")

    Raises:
        ConfigError: the control plane cannot give what the options ask for; the message says what.
    """
    from windlass.cluster import Cluster

    chosen = options or TrialOptions()
    if chosen.whole and not isinstance(target, Cluster) and not target.controllers:
        raise ConfigError(f"{_NO_CONTROLLERS}; start it with controllers")
    async with AsyncExitStack() as stack:
        user = await stack.enter_async_context(_namespaced(target, whole=chosen.whole))
        granted: Granted | None = None
        if chosen.least_privilege:
            granted = await stack.enter_async_context(_granted(target, parts, user))
        chance = Random(chosen.seed)  # noqa: S311 - it is to be the same each time
        way = granted.client.transport if granted else transport_to(target)
        network = FaultyTransport(way, clock=chosen.clock, random=chance)
        sent = RecordingTransport(network)
        settings = chosen.manager or ManagerOptions(name=_NAME, namespaces=(user.options.namespace,))
        client = await stack.enter_async_context(Client(sent))
        manager = Manager(client, settings, clock=chosen.clock, random=chance)
        _join(manager, parts, chosen.controller)
        kinds = _own_kinds(manager)
        if not isinstance(target, Cluster):
            await stack.enter_async_context(reserved(target, user, kinds, _converted(manager)))
        await install_kinds(user, kinds)
        await stack.enter_async_context(_run_with_webhooks(manager, target, user))
        yield Trial(user, manager, network, sent, granted)


def transport_to(target: Cluster | Access) -> Transport:
    """How the administrator reaches a control plane."""
    from windlass.cluster import Cluster

    if isinstance(target, Cluster):
        return target.transport()
    from windlass.client import HttpTransport, load_config

    return HttpTransport(load_config(target.kubeconfig))


@asynccontextmanager
async def _namespaced(target: Cluster | Access, *, whole: bool) -> AsyncIterator[Client]:
    """An administrator with a namespace of their own, which goes with them, ready for pods."""
    from windlass.kinds.core.v1 import Namespace, ServiceAccount

    async with Client(transport_to(target)) as admin:
        made = await admin.create(Namespace(metadata=ObjectMeta(generate_name="test-")))
        name = made.metadata.name
        if whole:
            fields = "metadata.name=default"
            watch = admin.watch(
                ServiceAccount, name, fields=fields, options=WatchOptions(initial_events=True)
            )
            async with aclosing(watch):
                async for event in watch:
                    if event.type == "ADDED":
                        break
        try:
            yield Client(admin.transport, ClientOptions(namespace=name))
        finally:
            await admin.delete(Namespace, name)


@asynccontextmanager
async def _granted(target: Cluster | Access, parts: Sequence[Part], user: Client) -> AsyncIterator[Granted]:
    from windlass.cluster import Cluster
    from windlass.codegen import Setting, operator_rules
    from windlass.testing.privilege import least_privilege

    if not isinstance(target, Cluster):
        raise ConfigError(
            "least_privilege: what was granted and not used is told by a server in this process"
        )
    nobody = Manager(user)
    _join(nobody, parts, None)
    setting = Setting(namespaces=(user.options.namespace,))
    rules = operator_rules((each.reconciler for each in nobody.controllers), setting)
    async with least_privilege(target, rules) as granted:
        yield granted


@asynccontextmanager
async def _run_with_webhooks(manager: Manager, target: Cluster | Access, user: Client) -> AsyncIterator[None]:
    """Run a manager beside the block, which begins when its webhooks, if it has any, are asked."""
    if not manager.companions:
        async with _running(manager):
            yield
        return
    from windlass.testing.webhook import in_effect, reach

    servers = reach(manager, target, user.options.namespace)
    async with _running(manager), in_effect(servers, target, user):
        yield


@asynccontextmanager
async def _running(manager: Manager) -> AsyncIterator[None]:
    """Run a manager beside the block; what fails in the block is raised as it is, not in a group."""
    try:
        async with asyncio.TaskGroup() as group:
            running = group.create_task(manager.run())
            yield
            running.cancel()
    except BaseExceptionGroup as failed:
        if len(failed.exceptions) > 1:
            raise
        raise failed.exceptions[0] from None


def _join(manager: Manager, parts: Sequence[Part], options: ControllerOptions | None) -> None:
    for part in parts:
        if isinstance(part, Reconciler | KeyReconciler):
            manager.add(part, options)
        else:
            part(manager)


def _own_kinds(manager: Manager) -> list[type[Resource]]:
    """The kinds of an operator that are not Kubernetes' own, in the order in which they are named.

    An optional one is somebody else's, who may never install it.
    """
    found: dict[type[Resource], None] = {}
    declared = [
        informer.kind
        for each in manager.controllers
        for informer in each.declared
        if not each.can_do_without(informer.kind)
    ]
    for kind in (*declared, *_judged(manager)):
        theirs = kind.__module__.startswith(_BUILT_IN) or not kind.__kind__.group  # or a view of theirs
        if not issubclass(kind, Untyped) and not theirs:
            found[kind] = None
    return list(found)


def _converted(manager: Manager) -> frozenset[str]:
    """The definitions whose versions an operator's webhooks convert."""
    if not manager.companions:
        return frozenset()
    from windlass.webhook import Conversion, WebhookServer

    servers = (each for each in manager.companions if isinstance(each, WebhookServer))
    parts = (part for server in servers for part in server.parts)
    return frozenset(each.hub.__kind__.resource for each in parts if isinstance(each, Conversion))


def _judged(manager: Manager) -> Iterator[type[Resource]]:
    """The kinds that an operator's webhooks are about."""
    if manager.companions:
        from windlass.webhook import WebhookServer

        for each in manager.companions:
            if isinstance(each, WebhookServer):
                yield from each.kinds
