"""What keeps changing while an operator should be at rest: fields of objects, and who wrote them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from windlass.client import JsonPatch, MergePatch
from windlass.controller import patched_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from types import TracebackType

    from windlass.api import Change, Key, Resource
    from windlass.cache import Informer
    from windlass.client import Request
    from windlass.manager import Manager

_MOST: Final = 5
_VERBS: Final = {"POST": "create", "PUT": "update", "DELETE": "delete"}
_APPLY: Final = "application/apply-patch+yaml"


class Changed:
    """The changes of one object: how many, of which fields, by which field managers."""

    def __init__(self, kind: type[Resource], key: Key) -> None:
        self.kind = kind
        self.key = key
        self.events: Counter[str] = Counter()
        self.paths: Counter[str] = Counter()
        self.writers: Counter[str] = Counter()

    @property
    def path(self) -> str:
        """Where the object is on the server."""
        return self.kind.__kind__.path(self.key.name, self.key.namespace)

    def note(self, change: Change[Any]) -> None:
        """Count a change."""
        self.events[change.event] += 1
        self.paths.update(change.paths)
        self.writers.update(change.writers)

    def is_by_others(self, own: Collection[str]) -> bool:
        """Whether a field manager that is none of the operator's made one of the changes."""
        return any(each not in own for each in self.writers)

    def __str__(self) -> str:
        events = "/".join(self.events)
        times = f", {self.events.total()} times" if self.events.total() > 1 else ""
        writers = f", by {', '.join(self.writers)}" if self.writers else ""
        return f"{self.kind.__kind__.name} {self.key} {events}{_listed(self.paths)}{times}{writers}"


class Churn:
    """Counts the changes of all objects that a manager watches, while its block is open."""

    def __init__(self, manager: Manager) -> None:
        self._manager = manager
        self._found: dict[tuple[type[Resource], Key], Changed] = {}
        self._seen: set[tuple[type[Resource], Key]] = set()
        self._ends: dict[Informer[Any], Callable[[], None]] = {}

    def __enter__(self) -> Self:
        self.join()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._ends.values():
            end()

    def join(self) -> None:
        """Count the changes of kinds too that were not watched yet when the block was entered."""
        for informer in self._manager.cache.informers:
            if informer not in self._ends:
                self._ends[informer] = informer.listen(self._note)

    @property
    def is_complete(self) -> bool:
        """Whether every object that was there has been told: each further change is told as one."""
        return all(
            (informer.kind, key) in self._seen
            for informer in self._manager.cache.informers
            if informer in self._ends
            for key in informer.keys()  # noqa: SIM118 - no dictionary
        )

    def begin(self) -> None:
        """Forget what was counted."""
        self._found.clear()

    def by_others(self, own: Collection[str]) -> Sequence[Changed]:
        """Return the objects that other field managers changed."""
        return [each for each in self._found.values() if each.is_by_others(own)]

    def at(self, path: str) -> Changed | None:
        """Return what happened to the object at a path, or to one that was created below it."""
        for each in self._found.values():
            if each.path == path or (each.events["added"] and each.path == f"{path}/{each.key.name}"):
                return each
        return None

    def most(self) -> Sequence[Changed]:
        """Return the objects that changed most often, the first ones first."""
        ranked = sorted(self._found.values(), key=lambda each: -each.events.total())
        return ranked[:_MOST]

    def watches(self, path: str) -> bool:
        """Whether a path leads to an object of a kind that is watched."""
        namespaces = {"", path.partition("/namespaces/")[2].partition("/")[0]}
        collections = {
            informer.kind.__kind__.path("", namespace)
            for informer in self._manager.cache.informers
            for namespace in namespaces
        }
        return path in collections or path.rpartition("/")[0] in collections

    def _note(self, change: Change[Any]) -> None:
        where = (change.kind, change.key)
        self._seen.add(where)
        if change.listed:
            return
        if where not in self._found:
            self._found[where] = Changed(*where)
        self._found[where].note(change)


def own_managers(manager: Manager, requests: Iterable[Request]) -> set[str]:
    """Return the names under which an operator writes."""
    said = {value for each in requests for name, value in each.query if name == "fieldManager"}
    return {manager.client.options.write.field_manager, *said}


def describe(request: Request, churn: Churn) -> tuple[bool, str]:
    """Return whether a request changed something, and a line that says what it did."""
    if request.method == "GET":
        return False, f"{request}: a read that the cache does not answer"
    path = _object_path(request.path)
    manager = next((value for name, value in request.query if name == "fieldManager"), "")
    by = f", as field manager {manager}" if manager else ""
    changed = churn.at(path)
    if changed is not None:
        what = (
            f"{changed.kind.__kind__.name} {changed.key}: {'/'.join(changed.events)}{_listed(changed.paths)}"
        )
        return True, f"{request}: {_verb(request)} of {what}{by}"
    if churn.watches(path):
        return False, f"{request}: {_verb(request)} that changed nothing{by}"
    return True, f"{request}: {_verb(request)} of what is not watched:{_listed(Counter(_named(request)))}{by}"


def _named(request: Request) -> list[str]:
    """Return the fields that the body of a request names."""
    try:
        content = orjson.loads(request.body or b"null")
    except orjson.JSONDecodeError:
        return []
    return patched_paths(JsonPatch(content) if isinstance(content, list) else MergePatch(content or {}))


def _object_path(path: str) -> str:
    """Return the path without a subresource."""
    return path.removesuffix("/status").removesuffix("/scale")


def _verb(request: Request) -> str:
    if request.method == "PATCH":
        return "apply" if request.headers.get("Content-Type") == _APPLY else "patch"
    return _VERBS.get(request.method, request.method)


def _listed(paths: Counter[str]) -> str:
    names = [name for name, _ in paths.most_common(_MOST)]
    more = f" and {len(paths) - _MOST} more" if len(paths) > _MOST else ""
    return f" {', '.join(names)}{more}" if names else ""
