"""A queue of keys to work on: each once, never by two workers at a time, with all reasons for it.

Adding a key that is waiting already merges into what waits: its causes are kept together, the better priority
and the earlier time win. A key that is being worked on waits until it is done. Groups, such as namespaces,
take turns, so that a thousand keys of one do not delay the single key of another. It knows no Kubernetes and
starts no task that outlives a call.

    queue = WorkQueue[Key, Cause](clock=clock, random=random, group=lambda key: key.namespace)
    queue.add(key, cause)

    item = await queue.take()
    try:
        await work(item.key, item.causes)
        queue.forget(item.key)
    except WindlassError:
        queue.retry(item.key, Cause("retry"))
    finally:
        queue.done(item.key)
"""

from windlass.workqueue.entry import Item, Priority
from windlass.workqueue.observer import QueueObserver
from windlass.workqueue.options import QueueOptions
from windlass.workqueue.queue import WorkQueue

__all__ = ["Item", "Priority", "QueueObserver", "QueueOptions", "WorkQueue"]
