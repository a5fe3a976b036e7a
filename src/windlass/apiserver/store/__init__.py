"""Where the objects are: the newest state of each, one revision counter, and a bounded history.

    store = Store(history=10_000)
    widgets = store.collection("example.com/widgets")
    widgets.put("default/a", {"metadata": {"name": "a"}}, expected=None)

Objects are kept as JSON text of their exact size, without kind and apiVersion, and never change in place:
whoever holds a `Record` may read it as long as they like. It knows nothing of kinds, schemas or requests.
Whoever wants the objects to outlive the process gives the store a `Journal`.
"""

from windlass.apiserver.store.collection import Collection, Expired, Page
from windlass.apiserver.store.journal import Journal, Saved, Unwritable, Version
from windlass.apiserver.store.record import UNSETTLED, Change, ChangeType, Record, Stale
from windlass.apiserver.store.store import Store

__all__ = [
    "UNSETTLED",
    "Change",
    "ChangeType",
    "Collection",
    "Expired",
    "Journal",
    "Page",
    "Record",
    "Saved",
    "Stale",
    "Store",
    "Unwritable",
    "Version",
]
