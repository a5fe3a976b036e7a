from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.node.reference import Known, Source, fault_of, mount_fault_of, mounts, needs
from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.client import Reader
    from windlass.cluster.node.pod import PodLife
    from windlass.kinds.core.v1 import Pod


class Config:
    """What a pod is configured by: ConfigMaps and Secrets, each asked for once while it is looked at."""

    def __init__(self, pod: Pod, live: Reader) -> None:
        self._pod = pod
        self._live = live
        self.known = {}

    known: Known
    """What was found; a source that was not asked for is not in it."""

    async def unfit(self, life: PodLife) -> Mapping[str, str]:
        """Why containers that do not run cannot be started, each by its name."""
        faults: dict[str, str] = {}
        for container in (*self._pod.spec.init_containers, *self._pod.spec.containers):
            found = life.containers.get(container.name)
            if found is None or found.started is not None:
                continue
            for reference in needs(container):
                await self.content(reference.source)
                fault = fault_of(reference, self.known, self._pod.metadata.namespace)
                if fault:
                    faults.setdefault(container.name, fault)
        return faults

    async def unmounted(self) -> str:
        """Why a volume cannot be mounted; empty if all can."""
        for volume, reference in mounts(self._pod):
            await self.content(reference.source)
            fault = mount_fault_of(volume, reference, self.known)
            if fault:
                return fault
        return ""

    async def content(self, source: Source) -> Mapping[str, object] | None:
        """What a ConfigMap or a Secret has in it; None if there is none."""
        if source not in self.known:
            self.known[source] = await self._read(source)
        return self.known[source]

    async def _read(self, source: Source) -> Mapping[str, object] | None:
        from windlass.kinds.core.v1 import ConfigMap, Secret

        namespace = self._pod.metadata.namespace
        try:
            if source.kind == "secret":
                return dict((await self._live.get(Secret, source.name, namespace)).data)
            found = await self._live.get(ConfigMap, source.name, namespace)
        except NotFound:
            return None
        return {**found.data, **found.binary_data}
