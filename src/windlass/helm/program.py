from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import orjson
from typing_extensions import override

from windlass.errors import ConfigError, HelmError, RenderError
from windlass.helm.aside import aside
from windlass.helm.complaint import complaint
from windlass.helm.engine import Deploying, Helm
from windlass.helm.finder import Finder, Found, HelmCheck, environment_in
from windlass.helm.manifest import hook_metadata, identity, read_manifest
from windlass.helm.process import Command, ProcessLimits, run
from windlass.helm.record import Revision
from windlass.helm.turns import Turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from windlass.api import Json, Key
    from windlass.client import Client, Impersonation
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.engine import Retreat
    from windlass.helm.gateway import Gateway
    from windlass.helm.postrender import PostRenderer
    from windlass.manager import Manager

PROCESSES: Final = 6
"""How many programs run at a time unless told otherwise; each takes about 60 MiB."""

_NOT_FOUND: Final = ": release: not found"
_UNDECODABLE: Final = "cannot unmarshal"
"""How Helm says that a field of an object has a type that no API server takes."""

_FOREIGN: Final = "cannot be imported into the current release"
"""How Helm says, also while it renders on the server, that an object exists and is not the release's."""


class HelmProgram(Helm):
    """The `helm` program, version 4 or 3, which reaches the cluster through a client of ours alone.

    Each run has an environment and a folder of its own: nothing of the user's Helm or kubeconfig is used, and
    neither an object's values nor credentials are on its command line or on disk; overrides, which belong to
    the operator, are on the command line. The program is looked for at the first
    run, as `windlass.tools` does, unless it is given.

    At most `processes` programs run at a time, whichever controllers call. Half of them install or upgrade, a
    third of them uninstall, so that hooks that hang in one do not delay the other, and one program can always
    render. Where a ServiceAccount is impersonated, those of one namespace have at most half of the programs,
    so that a tenant whose hooks hang or whose charts loop does not delay the others. `limits` is what one
    program may use; one that uses more is stopped, which is reported as a failed rendering.

    Cancelling a call kills the program. A call raises `NotLeadingError` where a request of the program was
    refused for that, and whatever `Deploying.change` raises.
    """

    def __init__(
        self,
        client: Client,
        *,
        program: Path | None = None,
        processes: int = PROCESSES,
        limits: ProcessLimits | None = None,
    ) -> None:
        if processes < 3:  # noqa: PLR2004 - one each for deployments, removals and renderings
            raise ConfigError(f"processes is {processes}; Helm needs at least 3")
        self._client = client
        self._finder = Finder(program)
        self._processes = asyncio.Semaphore(processes)
        deployments = processes // 2
        removals = max(processes - deployments - 1, 1)
        self._deployments = asyncio.Semaphore(deployments)
        self._of_tenant = max(deployments, 2)
        self._turns = Turns(deployments, max(deployments - 1, 1), removals=removals)
        self._tenants: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._tenant: asyncio.Semaphore | None = None
        self._limits = limits or ProcessLimits()

    @property
    @override
    def client(self) -> Client:
        return self._client

    @property
    @override
    def turns(self) -> Turns:
        return self._turns

    @classmethod
    def of(cls, manager: Manager) -> HelmProgram:
        """Return the program that all controllers of a manager share; the manager is ready once it is found.

        Whoever calls this first makes it: one limit on processes holds for all of them.
        """
        for each in manager.companions:
            if isinstance(each, HelmCheck) and isinstance(each.helm, cls):
                return each.helm
        helm = cls(manager.client)
        if not manager.has_begun:  # else it is too late to watch over anything
            manager.accompany(HelmCheck(helm, manager.clock))
        return helm

    async def find(self) -> Path:
        """Find the program now.

        Raises:
            ToolError: there is none; the message says how to install it.
        """
        return (await self._finder.find()).path

    @override
    def acting_as(self, user: Impersonation) -> HelmProgram:
        twin = copy(self)  # it shares the program that was found
        twin._client = self._client.acting_as(user)  # noqa: SLF001 - a copy of this
        namespace = user.user.rpartition(":")[0]  # of system:serviceaccount:NAMESPACE:NAME
        turns = asyncio.Semaphore(self._of_tenant)
        twin._tenant = self._tenants.setdefault(namespace, turns)  # noqa: SLF001 - a copy of this
        return twin

    @override
    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        helm = await self._finder.find()
        on_server = lookup or _must_ask(blueprint)
        words = helm.arguments.render(blueprint, is_upgrade=is_upgrade, on_server=on_server, hooks=hooks)
        async with self._turn(), self._surroundings(on_server=on_server) as around:
            try:
                printed = await self._run(helm, words, around, blueprint.values)
            except HelmError as error:
                if error.refusals or _FOREIGN in str(error):
                    raise
                raise RenderError(str(error)) from error
        try:
            return await aside(len(printed), read_manifest, printed.decode())
        except ConfigError as error:
            raise RenderError(
                f"chart {blueprint.chart.name} renders a manifest that is not valid: {error}"
            ) from error

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        helm = await self._finder.find()
        wrote = False
        try:
            async with self._turn(deploys=True), self._surroundings(how, blueprint.release) as around:
                if how.on_start:
                    how.on_start()
                renderer = around.renderer.command if around.renderer else ()
                words = helm.arguments.deploy(blueprint, how, renderer)
                try:
                    printed = await self._run(helm, words, around, blueprint.values)
                finally:
                    wrote = around.gateway is not None and around.gateway.wrote
        except HelmError as error:
            if not (isinstance(error, RenderError) or error.refusals or wrote):
                await self._check_renders(blueprint, how, error)
                if _UNDECODABLE in str(error):
                    raise RenderError(str(error)) from error
            raise
        release: Json = orjson.loads(printed.rstrip().rpartition(b"\n")[2])  # logs of hooks may stand before
        labels = {"name": release["name"], "owner": "helm", "version": str(release["version"])}
        return Revision.of(release, {**how.labels, **labels, "status": release["info"]["status"]})

    @override
    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        helm = await self._finder.find()
        async with self._turn(), self._surroundings(how) as around:
            await self._run(helm, helm.arguments.rollback(release, revision, how), around)

    @override
    async def uninstall(self, release: Key, how: Retreat) -> bool:
        helm = await self._finder.find()
        async with self._turn(), self._surroundings(how) as around:
            try:
                await self._run(helm, helm.arguments.uninstall(release, how), around)
            except HelmError as error:
                if not str(error).endswith(_NOT_FOUND):
                    raise
                return False
            return True

    async def _check_renders(self, blueprint: Blueprint, how: Deploying, error: HelmError) -> None:
        """Find out whether a deployment that wrote nothing failed because the chart does not render.

        Raises:
            RenderError: it does not.
        """
        if _FOREIGN in str(error):
            return
        try:
            await self.render(blueprint, is_upgrade=how.is_upgrade, lookup=blueprint.chart.asks.lookup)
        except RenderError as rendering:
            raise rendering from error

    async def _run(
        self,
        helm: Found,
        words: Sequence[str],
        around: _Surroundings,
        values: Json | None = None,
    ) -> bytes:
        command = Command(
            words=[str(helm.path), *words],
            environment=around.environment,
            given=b"" if values is None else orjson.dumps(values),
            limits=self._limits,
        )
        ended = await run(command)
        if ended.code == 0:
            return ended.printed
        if ended.exceeded:
            raise RenderError(
                f"helm {words[0]} was stopped: it may use {ended.exceeded}; the chart or its values are too "
                "large, or a template does not end"
            )
        said = complaint(ended.said.replace(around.gateway.address, "") if around.gateway else ended.said)
        refusals = around.gateway.refusals if around.gateway else ()
        error = HelmError(said or f"helm {words[0]} ended with code {ended.code}", refusals=refusals)
        if around.renderer and around.renderer.failure:
            raise around.renderer.failure from error
        if around.gateway and around.gateway.refusal:
            raise around.gateway.refusal from error
        raise error

    @asynccontextmanager
    async def _turn(self, *, deploys: bool = False) -> AsyncIterator[None]:
        """Wait until one more program may run; a tenant that has its share waits for itself alone."""
        async with AsyncExitStack() as stack:
            if self._tenant is not None:
                await stack.enter_async_context(self._tenant)
            if deploys:
                await stack.enter_async_context(self._deployments)
            await stack.enter_async_context(self._processes)
            yield

    @asynccontextmanager
    async def _surroundings(
        self, how: Deploying | Retreat | None = None, release: Key | None = None, *, on_server: bool = True
    ) -> AsyncIterator[_Surroundings]:
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="windlass-helm-")))
            around = _Surroundings(folder)
            if on_server:
                from windlass.helm.gateway import Gateway  # brings aiohttp along

                on_hook = _on_hook(how, release) if isinstance(how, Deploying) else None
                gateway = Gateway(self._client, on_hook, how.on_delete if how else None)
                around.gateway = await stack.enter_async_context(gateway.listening())
            if isinstance(how, Deploying) and how.change is not None:
                from windlass.helm.postrender import PostRenderer

                renderer = PostRenderer(how.change, folder)
                around.renderer = await stack.enter_async_context(renderer.listening())
            yield around


@dataclass
class _Surroundings:
    """What one run of the program sees of the world."""

    folder: Path
    gateway: Gateway | None = field(default=None, init=False)
    renderer: PostRenderer | None = field(default=None, init=False)

    @property
    def environment(self) -> Mapping[str, str]:
        found = environment_in(self.folder)
        if self.gateway:
            found["HELM_KUBEAPISERVER"] = self.gateway.address
        if self.renderer:
            found["HELM_PLUGINS"] = str(self.renderer.plugins)
        return found


def _on_hook(how: Deploying, release: Key | None) -> Callable[[Json, str], Json]:
    """What is done with each hook that Helm is about to create."""

    def adopt(hook: Json, namespace: str) -> Json:
        if how.on_hook:
            how.on_hook(str(identity(hook)))
        named = hook_metadata(hook, release) if release else hook
        return how.owner.adopt(named, namespace) if how.owner else named

    return adopt


def _must_ask(blueprint: Blueprint) -> bool:
    """Whether only the cluster can tell what a chart asks for.

    `helm template` can be told what is served, but not what is not: it takes every version of every API that
    Kubernetes has ever had for served. Other groups are served only if said so.
    """
    asked = blueprint.chart.asks.api_versions
    return asked is None or any(_is_built_in(each) for each in asked - blueprint.capabilities.api_versions)


def _is_built_in(api_version: str) -> bool:
    group, slash, _ = api_version.partition("/")
    return not slash or "." not in group or group.endswith(".k8s.io")
