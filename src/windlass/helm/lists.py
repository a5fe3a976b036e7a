"""Drift in lists that server-side apply cannot repair, because it merges them by keys.

If a port of a Service was changed from 80 to 81, an apply adds port 80 beside it, under the same name,
which the server refuses. Then the list has to be replaced as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.client import JsonPatch
from windlass.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json, Key, Untyped
    from windlass.reconcile import Context


async def replace_lists(wanted: Json, kind: type[Untyped], key: Key, ctx: Context) -> bool:
    """Replace each list of a live object that differs from the wanted one; return whether there was any.

    The fields are not left to the field manager of this write: it would keep them when Helm drops them later.
    """
    try:
        live = await ctx.live.get(kind, key.name, key.namespace)
    except NotFound:
        return False
    before = live.to_wire()
    replaced = [
        {"op": "replace", "path": path, "value": value}
        for path, value in _differing({name: wanted[name] for name in wanted if name != "metadata"}, before)
    ]
    if not replaced:
        return False
    patched = await ctx.patch(kind, key.name, JsonPatch([_unchanged(before), *replaced]), key.namespace)
    after = patched.to_wire()
    known = {_writer(entry) for entry in before["metadata"].get("managedFields") or ()}
    entries = after["metadata"].get("managedFields") or []
    left = [entry for entry in entries if entry["operation"] != "Update" or _writer(entry) in known]
    if left and len(left) < len(entries):
        release = {"op": "replace", "path": "/metadata/managedFields", "value": left}
        await ctx.patch(kind, key.name, JsonPatch([_unchanged(after), release]), key.namespace)
    return True


def _differing(wanted: Any, live: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The lists of one object that are others in the other object, with their JSON pointers."""
    if isinstance(wanted, dict) and isinstance(live, dict):
        for name, value in wanted.items():
            step = name.replace("~", "~0").replace("/", "~1")
            yield from _differing(value, live.get(name), f"{path}/{step}")
    elif isinstance(wanted, list) and isinstance(live, list) and not _holds(wanted, live):
        yield path, wanted


def _holds(wanted: Any, live: Any) -> bool:
    """Whether a live value is the wanted one, but for fields that the server added."""
    if isinstance(wanted, dict) and isinstance(live, dict):
        return all(_holds(value, live.get(name)) for name, value in wanted.items())
    if isinstance(wanted, list) and isinstance(live, list):
        return len(wanted) == len(live) and all(map(_holds, wanted, live))
    return bool(wanted == live)


def _unchanged(obj: Json) -> Json:
    return {"op": "test", "path": "/metadata/resourceVersion", "value": obj["metadata"]["resourceVersion"]}


def _writer(entry: Json) -> tuple[str, str, str]:
    return entry["manager"], entry["operation"], entry.get("subresource", "")
