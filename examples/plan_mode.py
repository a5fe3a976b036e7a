"""Plan mode: what a reconciler would do for an object, down to the fields, without doing it.

Run `python examples/plan_mode.py`. It takes the operator of `children.py` and a cluster in this process, and
prints which ConfigMaps would be applied, with each field, and how the status would end. On a real cluster,
writes are sent as dry runs, so that its defaults, rules and webhooks have their say.
"""

import asyncio

from children import Site, SiteController, SiteSpec

from windlass import Client, Key, ObjectMeta
from windlass.cluster import Cluster
from windlass.controller import plan
from windlass.testing import install_kinds


async def main() -> None:
    """Plan for one site, let it be, and plan again."""
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await install_kinds(client, [Site])
        metadata = ObjectMeta(name="docs", namespace="default")
        await client.create(Site(metadata=metadata, spec=SiteSpec(pages={"home": "hello"})))
        print(await plan(SiteController(), client, Key("default", "docs")))


if __name__ == "__main__":
    asyncio.run(main())
