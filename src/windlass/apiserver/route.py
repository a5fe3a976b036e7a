from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote

_VERBS: Final = {
    "GET": "get",
    "HEAD": "get",
    "POST": "create",
    "PUT": "update",
    "PATCH": "patch",
    "DELETE": "delete",
}
_OF_COLLECTIONS: Final = {"get": "list", "delete": "deletecollection"}
_NAMESPACE_SUBRESOURCES: Final = frozenset({"status", "finalize"})


class Route(NamedTuple):
    """What a path under `/api` or `/apis` speaks of, and the verb that roles know for it.

    `rest` is what follows a subresource, as in a proxy's path.
    """

    verb: str
    group: str
    version: str
    plural: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    rest: str = ""


@lru_cache(maxsize=1024)  # the same paths come again and again
def route(method: str, path: str, *, watching: bool = False) -> Route | None:
    """The resource that a request is about, or `None` when its path is not that of a resource.

    A slash is one even where it is encoded, and between two of them is an empty name, as the real server has
    it: `namespaces//pods` are the pods of all namespaces.
    """
    if path.startswith("//"):
        return None
    match unquote(path).strip("/").split("/"):
        case ["api", version, *rest] if rest:
            group = ""
        case ["apis", group, version, *rest] if group and rest:
            pass
        case _:
            return None
    older = rest[0] == "watch" and len(rest) > 1
    if older:
        rest = rest[1:]
    namespace = ""
    match rest:
        case ["namespaces", namespace, child, *_] if child not in _NAMESPACE_SUBRESOURCES:
            rest = rest[2:]
        case ["namespaces", namespace, *_]:
            pass
    plural, name, subresource, *more = (*rest, "", "")
    verb = _VERBS.get(method, "")
    if verb == "get" and (older or (watching and not name)):
        verb = "watch"
    elif not name:
        verb = _OF_COLLECTIONS.get(verb, verb)
    return Route(verb, group, version, plural, namespace, name, subresource, "/".join(more).strip("/"))
