"""Objects of a server kept in memory and in step with it, by list and watch.

You need it to read often what seldom changes, and to be told of changes. Objects are kept as the JSON text
that they are, without what nobody reads, and become typed when somebody looks. It is not a copy to write to:
writes go to the server, and the informer is told of the answer.

    cache = Cache(client)
    pods = cache.informer(Pod, Selection(namespace="default"))
    pods.index("node", lambda pod: pod.spec.node_name)
    pods.listen(lambda change: print(change.event, change.key))

    async with asyncio.TaskGroup() as group:
        group.create_task(cache.run())
        await pods.synced()
        print(pods.find("node", "worker-1"))
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.cache.cache import Cache as Cache
    from windlass.cache.informer import Informer as Informer
    from windlass.cache.options import CacheOptions as CacheOptions
    from windlass.cache.state import Phase as Phase
    from windlass.cache.state import State as State

__lazy__ = {
    "Cache": "windlass.cache.cache",
    "CacheOptions": "windlass.cache.options",
    "Informer": "windlass.cache.informer",
    "Phase": "windlass.cache.state",
    "State": "windlass.cache.state",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
