"""The roles and bindings that every cluster has from its start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.access.rbac import GROUP

if TYPE_CHECKING:
    from windlass.apiserver.world import World

_FILE: Final = Path(__file__).parent / "roles.json"


def store_roles(world: World) -> None:
    """Store those that are missing, made now."""
    lists: dict[str, list[dict[str, Any]]] = orjson.loads(_FILE.read_bytes())
    now = world.now()
    for plural, objects in lists.items():
        collection = world.store.collection(f"{GROUP}/{plural}")
        for obj in objects:
            meta = obj["metadata"]
            namespace = meta.get("namespace")
            key = f"{namespace}/{meta['name']}" if namespace else meta["name"]
            if collection.get(key) is not None:
                continue
            meta["uid"] = world.uid()
            meta["creationTimestamp"] = now
            for entry in meta["managedFields"]:
                entry["time"] = now
            collection.put(key, obj, None)
