from __future__ import annotations

import asyncio
import os
import re
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import orjson
from typing_extensions import override

from windlass.errors import ConfigError, HelmError, ToolError
from windlass.helm.arguments import Arguments
from windlass.helm.aside import aside
from windlass.helm.complaint import complaint
from windlass.helm.engine import Helm
from windlass.helm.manifest import read_manifest
from windlass.helm.process import Command, run
from windlass.helm.record import Revision

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from windlass.api import Json, Key
    from windlass.client import Client
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.engine import Change, Deploying, Retreat
    from windlass.helm.gateway import Gateway
    from windlass.helm.postrender import PostRenderer

_NOT_FOUND: Final = ": release: not found"
_VERSION: Final = re.compile(r"v(\d+)\.")


class HelmProgram(Helm):
    """The `helm` program, version 4 or 3, which reaches the cluster through a client of ours alone.

    Each run has an environment and a folder of its own: nothing of the user's Helm or kubeconfig is used, and
    neither an object's values nor credentials are on its command line or on disk; overrides, which belong to
    the operator, are on the command line. The program is looked for at the first
    run, as `windlass.tools` does, unless it is given.

    Cancelling a call kills the program. A call raises `NotLeadingError` where a request of the program was
    refused for that, and whatever `Deploying.change` raises.
    """

    def __init__(self, client: Client, *, program: Path | None = None) -> None:
        self._client = client
        self._given = program
        self._lock = asyncio.Lock()
        self._found: _Found | None = None

    @property
    @override
    def client(self) -> Client:
        return self._client

    @override
    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        helm = await self._program()
        on_server = lookup or _must_ask(blueprint)
        words = helm.arguments.render(blueprint, is_upgrade=is_upgrade, on_server=on_server, hooks=hooks)
        async with self._surroundings(on_server=on_server) as around:
            printed = await self._run(helm, words, around, blueprint.values)
        try:
            return await aside(len(printed), read_manifest, printed.decode())
        except ConfigError as error:
            raise HelmError(
                f"the chart {blueprint.chart.name} renders what cannot be read: {error}"
            ) from error

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        helm = await self._program()
        async with self._surroundings(how.change) as around:
            renderer = around.renderer.command if around.renderer else ()
            words = helm.arguments.deploy(blueprint, how, renderer)
            printed = await self._run(helm, words, around, blueprint.values)
        release: Json = orjson.loads(printed.rstrip().rpartition(b"\n")[2])  # logs of hooks may stand before
        labels = {"name": release["name"], "owner": "helm", "version": str(release["version"])}
        return Revision.of(release, {**how.labels, **labels, "status": release["info"]["status"]})

    @override
    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        helm = await self._program()
        async with self._surroundings() as around:
            await self._run(helm, helm.arguments.rollback(release, revision, how), around)

    @override
    async def uninstall(self, release: Key, how: Retreat) -> None:
        helm = await self._program()
        async with self._surroundings() as around:
            try:
                await self._run(helm, helm.arguments.uninstall(release, how), around)
            except HelmError as error:
                if not str(error).endswith(_NOT_FOUND):
                    raise

    async def _program(self) -> _Found:
        async with self._lock:
            if self._found is None:
                self._found = await _find(self._given)
            return self._found

    async def _run(
        self, helm: _Found, words: Sequence[str], around: _Surroundings, values: Json | None = None
    ) -> bytes:
        ended = await run(
            Command(
                words=[str(helm.path), *words],
                environment=around.environment,
                given=b"" if values is None else orjson.dumps(values),
            )
        )
        if ended.code == 0:
            return ended.printed
        said = complaint(ended.said.replace(around.gateway.address, "") if around.gateway else ended.said)
        error = HelmError(said or f"helm {words[0]} ended with code {ended.code}")
        if around.renderer and around.renderer.failure:
            raise around.renderer.failure from error
        if around.gateway and around.gateway.refusal:
            raise around.gateway.refusal from error
        raise error

    @asynccontextmanager
    async def _surroundings(
        self, change: Change | None = None, *, on_server: bool = True
    ) -> AsyncIterator[_Surroundings]:
        async with AsyncExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="windlass-helm-")))
            around = _Surroundings(folder)
            if on_server:
                from windlass.helm.gateway import Gateway  # brings aiohttp along

                around.gateway = await stack.enter_async_context(Gateway(self._client).listening())
            if change is not None:
                from windlass.helm.postrender import PostRenderer

                around.renderer = await stack.enter_async_context(PostRenderer(change, folder).listening())
            yield around


@dataclass(frozen=True)
class _Found:
    """A program, and how to talk to it."""

    path: Path
    arguments: Arguments


@dataclass
class _Surroundings:
    """What one run of the program sees of the world."""

    folder: Path
    gateway: Gateway | None = field(default=None, init=False)
    renderer: PostRenderer | None = field(default=None, init=False)

    @property
    def environment(self) -> Mapping[str, str]:
        home = str(self.folder)
        found = {
            "PATH": os.defpath,
            "HOME": home,
            "TMPDIR": home,
            "HELM_CACHE_HOME": f"{home}/cache",
            "HELM_CONFIG_HOME": f"{home}/config",
            "HELM_DATA_HOME": f"{home}/data",
            "HELM_DRIVER": "secret",
            "KUBECACHEDIR": f"{home}/kube",
            "KUBECONFIG": f"{home}/none",
        }
        if self.gateway:
            found["HELM_KUBEAPISERVER"] = self.gateway.address
        if self.renderer:
            found["HELM_PLUGINS"] = str(self.renderer.plugins)
        return found


async def _find(given: Path | None) -> _Found:
    from windlass.tools import find_helm

    path = await asyncio.to_thread(find_helm) if given is None else given
    with TemporaryDirectory(prefix="windlass-helm-") as folder:
        environment = _Surroundings(Path(folder)).environment
        ended = await run(Command(words=[str(path), "version", "--short"], environment=environment))
    version = _VERSION.match(ended.printed.decode(errors="replace").strip())
    if ended.code or version is None:
        raise ToolError(f"{path} is no helm: {complaint(ended.said) or 'it tells no version'}")
    return _Found(path, Arguments(int(version[1])))


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
