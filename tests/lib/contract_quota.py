"""Quotas and limit ranges for the contract suite, and waiting until a server holds writes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contract_objects import lease
from polling import until

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract import Api, Object, Reply

_LEASES = "count/leases.coordination.k8s.io"


class Quotas:
    """The quotas of one namespace, whose status the test writes in the place of a controller."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self._leases = f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases"
        self.path = f"/api/v1/namespaces/{namespace}/resourcequotas"

    async def limit(
        self, hard: Mapping[str, Any], used: Mapping[str, Any] | None = None, name: str = "most", **spec: Any
    ) -> None:
        """Limit something, of which nothing is used so far unless said otherwise, and wait until it holds."""
        await self.create(hard, name, **spec)
        await self.tell(hard, dict.fromkeys(hard, "0") if used is None else used, name)

    async def create(self, hard: Mapping[str, Any], name: str = "most", **spec: Any) -> None:
        """Create a quota of which nobody has told yet how much is used."""
        quota = {"metadata": {"name": name}, "spec": {"hard": hard, **spec}}
        (await self.api.create(self.path, quota)).ok()

    async def tell(self, hard: Mapping[str, Any], used: Mapping[str, Any], name: str = "most") -> None:
        """Write the status of a quota, and wait until it holds."""
        await self._tell(name, hard, used)
        await self.settled()

    async def used(self, name: str = "most") -> Object:
        """What is used of a quota."""
        quota = (await self.api.get(f"{self.path}/{name}")).ok()
        found: Object = quota["status"]["used"]
        return found

    async def settled(self) -> None:
        """Wait until the server holds writes to what was written here before.

        It learns of quotas in the order in which they were written, and leases are in nobody else's way.
        """
        quota = {"metadata": {"generateName": "last-"}, "spec": {"hard": {_LEASES: "0"}}}
        name = (await self.api.create(self.path, quota)).ok()["metadata"]["name"]
        await self._tell(name, {_LEASES: "0"}, {_LEASES: "0"})
        await until(self._try, lambda reply: reply.status == 403)
        (await self.api.delete(f"{self.path}/{name}")).ok()
        await until(self._try, lambda reply: reply.status == 201)

    async def _try(self) -> Reply:
        return await self.api.create(self._leases, lease("tried-by-quotas"), dryRun="All")

    async def _tell(self, name: str, hard: Mapping[str, Any], used: Mapping[str, Any]) -> None:
        status = {"status": {"hard": dict(hard), "used": dict(used)}}
        (await self.api.patch(f"{self.path}/{name}/status", status)).ok()


def claim(name: str, size: str = "1Gi", storage_class: str | None = None, **spec: Any) -> Object:
    """A PersistentVolumeClaim."""
    chosen = {} if storage_class is None else {"storageClassName": storage_class}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": size}},
            **chosen,
            **spec,
        },
    }


def container(name: str = "main", **resources: Any) -> Object:
    """A container that asks for these resources."""
    return {"name": name, "image": "example.com/app:1", "resources": resources}
