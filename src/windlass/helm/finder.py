"""Finding the `helm` program, and readiness that depends on it."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Protocol

from typing_extensions import override

from windlass.errors import ToolError
from windlass.helm.arguments import Arguments
from windlass.helm.complaint import complaint
from windlass.helm.process import Command, run
from windlass.manager import Companion

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.client import Client

_VERSION: Final = re.compile(r"v(\d+)\.")
_RETRY: Final = timedelta(seconds=10)


@dataclass(frozen=True)
class Found:
    """A program, and how to call it."""

    path: Path
    arguments: Arguments


class Finder:
    """Looks for the program until it is found, then no more."""

    def __init__(self, given: Path | None) -> None:
        self._given = given
        self._lock = asyncio.Lock()
        self._found: Found | None = None

    async def find(self) -> Found:
        """Return the program.

        Raises:
            ToolError: there is none, or it is not Helm.
        """
        async with self._lock:
            if self._found is None:
                self._found = await _find(self._given)
            return self._found


class Findable(Protocol):
    """What needs the program."""

    async def find(self) -> Path:
        """Find the program."""


class HelmCheck(Companion):
    """Makes a manager not ready for as long as there is no `helm`, and says how to install it."""

    name = "helm"

    def __init__(self, helm: Findable, clock: Clock) -> None:
        self.helm = helm
        self._clock = clock
        self._problem: str | None = "looking for the helm program"

    @override
    async def run(self, client: Client) -> None:
        while self._problem is not None:
            try:
                await self.helm.find()
            except ToolError as error:
                self._problem = str(error)
                await self._clock.sleep(_RETRY)
            else:
                self._problem = None

    @override
    def problem(self) -> str | None:
        return self._problem


def environment_in(folder: Path) -> dict[str, str]:
    """Return an environment for the program in which nothing of the user's own Helm is found."""
    home = str(folder)
    return {
        "PATH": os.defpath,
        "HOME": home,
        "TMPDIR": home,
        "GOTRACEBACK": "none",
        "HELM_CACHE_HOME": f"{home}/cache",
        "HELM_CONFIG_HOME": f"{home}/config",
        "HELM_DATA_HOME": f"{home}/data",
        "HELM_DRIVER": "secret",
        "KUBECACHEDIR": f"{home}/kube",
        "KUBECONFIG": f"{home}/none",
    }


async def _find(given: Path | None) -> Found:
    from windlass.tools import find_helm

    path = await asyncio.to_thread(find_helm) if given is None else given
    with TemporaryDirectory(prefix="windlass-helm-") as folder:
        command = Command(words=[str(path), "version", "--short"], environment=environment_in(Path(folder)))
        ended = await run(command)
    version = _VERSION.match(ended.printed.decode(errors="replace").strip())
    if ended.code or version is None:
        raise ToolError(f"{path} is no helm: {complaint(ended.said) or 'it tells no version'}")
    return Found(path, Arguments(int(version[1])))
