"""Where the objects are: the newest state of each, one revision counter, and a bounded history.

    store = Store(history=10_000)
    widgets = store.collection("example.com/widgets")
    widgets.put("default/a", {"metadata": {"name": "a"}}, expected=None)

Objects are kept as JSON text of their exact size, without kind and apiVersion, and never change in place:
whoever holds a `Record` may read it as long as they like. It knows nothing of kinds, schemas or requests.
"""

from windlass.apiserver.store.collection import Collection, Expired, Page
from windlass.apiserver.store.record import UNSETTLED, Change, Record, Stale
from windlass.apiserver.store.store import Store

__all__ = ["UNSETTLED", "Change", "Collection", "Expired", "Page", "Record", "Stale", "Store"]
