from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.api import Untyped
from windlass.client import server_version, survey
from windlass.errors import Answer, NotFound
from windlass.helm.capabilities import Capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Kind
    from windlass.client import Client, Survey


@dataclass(frozen=True)
class _View:
    """What was found in one look; `number` says how often the former ones had been outdated by then."""

    number: int
    capabilities: Capabilities
    kinds: Mapping[tuple[str, str], Kind]


class Served:
    """What a cluster serves, asked for once and kept until it is outdated; callers share one look at a time.

    Versions whose extension server is down count as they did before: that it is out of reach for a moment
    must not make a chart drop what it has deployed.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._looking = asyncio.Lock()
        self._outdated = 0
        self._last: _View | None = None

    def outdate(self) -> None:
        """Look again before the next answer: a definition has come, changed or gone."""
        self._outdated += 1

    async def capabilities(self) -> Capabilities:
        """What charts may ask about the cluster."""
        return (await self._view()).capabilities

    async def kind(self, api_version: str, name: str) -> type[Untyped]:
        """The class for the objects of a manifest; one that is not known yet is looked for once more.

        Raises:
            NotFound: the server does not serve it.
        """
        view = await self._view()
        if (api_version, name) not in view.kinds:
            view = await self._view(other_than=view)
        found = view.kinds.get((api_version, name))
        if found is None:
            message = f"the server serves no {name} of {api_version}; is its definition (CRD) installed?"
            raise NotFound(Answer(code=404, reason="NotFound", message=message))
        return Untyped.of(found)

    async def _view(self, *, other_than: _View | None = None) -> _View:
        async with self._looking:
            last = self._last
            if last is None or last is other_than or last.number != self._outdated:
                self._last = last = await self._look(last)
            return last

    async def _look(self, before: _View | None) -> _View:
        number = self._outdated  # as it is now: what is outdated meanwhile is looked at again
        version = await server_version(self._client)
        kinds = _kinds(await survey(self._client), before.kinds if before else {})
        versions = {api_version for api_version, _ in kinds}
        names = {f"{api_version}/{name}" for api_version, name in kinds}
        capabilities = Capabilities(
            kube_version=version["gitVersion"], api_versions=frozenset(versions | names)
        )
        return _View(number, capabilities, kinds)


def _kinds(found: Survey, before: Mapping[tuple[str, str], Kind]) -> dict[tuple[str, str], Kind]:
    kinds: dict[tuple[str, str], Kind] = {}
    for served in found.served:
        kinds.setdefault((served.kind.api_version, served.kind.name), served.kind)
    unreached = {key: kind for key, kind in before.items() if key[0] in found.unknown}
    return unreached | kinds
