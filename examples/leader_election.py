"""Leader election: two processes of one operator, of which one acts and the other takes over.

Run `python examples/leader_election.py`. Two managers share a cluster in this process; one becomes the
leader and greets. It stops, gives its lease back, and the other one greets at once. In production these are
two pods, run with `windlass run examples/minimal.py --leader-elect`.
"""

import asyncio

from minimal import Greeting, GreetingController

from windlass import Client, Manager, ManagerOptions, ObjectMeta
from windlass.cluster import Cluster
from windlass.kinds.coordination.v1 import Lease
from windlass.testing import install_kinds


def candidate(cluster: Cluster, identity: str) -> Manager:
    """One process: it has a name of its own, and stands for election."""
    options = ManagerOptions(name="greeter", leader_elect=True, lease_namespace="default", identity=identity)
    manager = Manager(Client(cluster.transport()), options)
    manager.add(GreetingController())
    return manager


async def greeted(client: Client, name: str) -> str:
    """Have a greeting made, and wait for what it says."""
    await client.create(Greeting(metadata=ObjectMeta(name=name, namespace="default")))
    async for event in client.watch(Greeting, "default"):
        if event.object.metadata.name == name and event.object.status.text:
            return event.object.status.text
    raise RuntimeError("the watch ended")


async def main() -> None:
    """Let one lead, stop it, and see the other one lead."""
    async with Cluster() as cluster, asyncio.TaskGroup() as group:
        client = Client(cluster.transport())
        await install_kinds(client, [Greeting])
        running = {name: group.create_task(candidate(cluster, name).run()) for name in ("first", "second")}
        for person in ("ada", "grace"):
            print(await greeted(client, person))
            lease = await client.get(Lease, "greeter", "default")
            print("by", lease.spec.holder_identity)
            leader = running[lease.spec.holder_identity or ""]
            leader.cancel()
            await asyncio.wait([leader])  # it ends what it has begun, and gives its lease back


if __name__ == "__main__":
    asyncio.run(main())
