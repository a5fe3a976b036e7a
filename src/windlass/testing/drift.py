from __future__ import annotations

import asyncio
from base64 import b64encode
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from windlass.api import Key, Untyped, is_secret
from windlass.client import JsonPatch, MergePatch, WatchOptions
from windlass.errors import ApiError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import timedelta

    from windlass.api import Json, Kind, Resource
    from windlass.client import Client, Patch
    from windlass.manager import Manager

EDITOR: Final = "drift-test"
"""The field manager of the edits."""

_ABSENT: Final = object()
_FROM_NOW = WatchOptions(initial_events=True)
_REFUSED: Final = (400, 403, 405, 409, 422)
_TOLD: Final = 20


@dataclass(frozen=True, kw_only=True)
class DriftReport:
    """What `assert_drift_repaired` edited, and which fields it could not edit, with the reason."""

    repaired: Sequence[str]
    not_edited: Mapping[str, str]


class _Step(NamedTuple):
    """One step into an object: a field, or the item of a list that has these keys or this value."""

    name: str = ""
    keys: Mapping[str, Any] | None = None
    value: Any = _ABSENT

    @classmethod
    def parse(cls, owned: str) -> _Step:
        prefix, _, rest = owned.partition(":")
        if prefix == "f":
            return cls(name=rest)
        return cls(keys=orjson.loads(rest)) if prefix == "k" else cls(value=orjson.loads(rest))

    def __str__(self) -> str:
        if self.name:
            return f"[{self.name}]" if "." in self.name or "/" in self.name else f".{self.name}"
        if self.keys is not None:
            return f"[{','.join(f'{name}={value}' for name, value in self.keys.items())}]"
        return f"[{self.value!r}]"

    def find(self, inside: Any) -> str | int | None:
        """Return the name or index of what the step leads to, if it is there."""
        if self.name:
            return self.name if type(inside) is dict and self.name in inside else None
        for index, item in enumerate(inside if type(inside) is list else ()):
            if self.keys is None and item == self.value:
                return index
            if self.keys is not None and type(item) is dict and self.keys.items() <= item.items():
                return index
        return None


class _Place(NamedTuple):
    """A field of an object: the steps that lead to it."""

    steps: tuple[_Step, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.steps))

    def pointer(self, obj: Json) -> str | None:
        """Return the JSON pointer to the field, if it is there."""
        pointer, inside = "", obj
        for step in self.steps:
            found = step.find(inside)
            if found is None:
                return None
            pointer += "/" + str(found).replace("~", "~0").replace("/", "~1")
            inside = inside[found]  # type: ignore[index]
        return pointer

    def value(self, obj: Json) -> Any:
        """Return the value of the field, or a mark if it is not there."""
        inside: Any = obj
        for step in self.steps:
            found = step.find(inside)
            if found is None:
                return _ABSENT
            inside = inside[found]
        return inside


@dataclass(frozen=True)
class _Subject:
    """One object whose fields are edited."""

    kind: Kind
    key: Key

    def __str__(self) -> str:
        return f"{self.kind.name} {self.key}"

    @property
    def type_(self) -> type[Untyped]:
        return Untyped.of(self.kind)


@dataclass
class _Editing:
    """Edits fields one by one, and waits until each is repaired."""

    client: Client
    within: timedelta
    repaired: list[str] = field(default_factory=list)
    not_edited: dict[str, str] = field(default_factory=dict)
    not_repaired: list[str] = field(default_factory=list)

    async def edit(self, subject: _Subject, place: _Place) -> None:
        """Change a field to another value, then remove it."""
        name, reason, edited = f"{subject} {place}", "", False
        live = await self._live(subject)
        wanted = place.value(live)
        if wanted is _ABSENT:
            self.not_edited[name] = "the server keeps it in another field"
            return
        for values in (_others(wanted, subject.kind, place), (_ABSENT,)):
            for value in values:
                why = await self._change(subject, place, value, wanted)
                if why:
                    reason = why
                    continue
                edited = True
                await self._repaired(
                    subject, place, wanted, "removed" if value is _ABSENT else f"set to {value!r}"
                )
                break
        if not edited:
            self.not_edited[name] = reason

    async def _live(self, subject: _Subject) -> Json:
        found = await self.client.get(subject.type_, subject.key.name, subject.key.namespace)
        return found.to_wire()

    async def _change(self, subject: _Subject, place: _Place, value: Any, wanted: Any) -> str:
        """Change a field; return why that was not possible."""
        pointer = place.pointer(await self._live(subject))
        if pointer is None:
            return "it is not there any more"
        operation = {"op": "replace", "path": pointer, "value": value}
        if value is _ABSENT:
            operation = {"op": "remove", "path": pointer}
        try:
            changed = await self._patch(subject, JsonPatch([operation]))
        except ApiError as error:
            if error.code not in _REFUSED:
                raise
            return error.answer.message or str(error)
        return "the server ignores the edit" if place.value(changed) == wanted else ""

    async def _patch(self, subject: _Subject, patch: Patch) -> Json:
        client = self.client.using(field_manager=EDITOR)
        return (await client.patch(subject.type_, subject.key.name, patch, subject.key.namespace)).to_wire()

    async def _repaired(self, subject: _Subject, place: _Place, wanted: Any, how: str) -> None:
        try:
            async with asyncio.timeout(self.within.total_seconds()):
                await self._until(subject, lambda live: place.value(live) == wanted)
        except TimeoutError:
            self.not_repaired.append(f"{subject} {place} {how}")
            await self._restore(subject, place, wanted)
        else:
            self.repaired.append(f"{subject} {place} {how}")

    async def _until(self, subject: _Subject, accept: Callable[[Json], bool]) -> None:
        where = f"metadata.name={subject.key.name}"
        while True:  # a server ends each watch in time
            found = self.client.watch(subject.type_, subject.key.namespace, fields=where, options=_FROM_NOW)
            async with aclosing(found) as events:
                async for event in events:
                    if event.type in ("ADDED", "MODIFIED") and accept(event.object.to_wire()):
                        return

    async def _restore(self, subject: _Subject, place: _Place, wanted: Any) -> None:
        """Put a field back that the operator did not repair, so that the next one is tried on its own."""
        last = place.steps[-1]
        parent = _Place(place.steps[:-1]).pointer(await self._live(subject))
        if last.name and parent is not None:
            name = last.name.replace("~", "~0").replace("/", "~1")
            operation = {"op": "add", "path": f"{parent}/{name}", "value": wanted}
            await self._patch(subject, JsonPatch([operation]))

    async def empty_text(self, subject: _Subject, names: Sequence[str]) -> None:
        """Edit a Secret as people do: by `stringData`, and by removing all of its values."""
        place = _Place((_Step(name="data"),))
        wanted = place.value(await self._live(subject))
        for how, edit in (
            ("edited by stringData", {"stringData": dict.fromkeys(names, "drift")}),
            ("emptied", {"data": None}),
        ):
            try:
                await self._patch(subject, MergePatch(edit))
            except ApiError as error:
                if error.code not in _REFUSED:
                    raise
                self.not_edited[f"{subject} .data {how}"] = error.answer.message
            else:
                await self._repaired(subject, place, wanted, how)


async def assert_drift_repaired(
    client: Client, manager: Manager, kinds: Sequence[type[Resource]], within: timedelta
) -> DriftReport:
    """Edit every field that the manager applied, and fail unless each is put back.

    Each field is set to another value, and then removed. Fields that the server does not let others change
    are listed in the report with the server's reason.

    Raises:
        AssertionError: a field was not put back in time, or no field could be edited; the message names them.
    """
    editing = _Editing(client, within)
    for subject, managers in _subjects(manager, kinds).items():
        try:
            live = (await client.get(subject.type_, subject.key.name, subject.key.namespace)).to_wire()
        except NotFound:
            continue
        places = list(_applied(live, managers))
        for place in places:
            await editing.edit(subject, place)
        values = [place.steps[1].name for place in places if _is_value(subject.kind, place)]
        if values:
            await editing.empty_text(subject, values)
    _check(editing)
    return DriftReport(repaired=tuple(editing.repaired), not_edited=dict(editing.not_edited))


def _check(editing: _Editing) -> None:
    refused = "\n".join(f"  {name}: {why}" for name, why in list(editing.not_edited.items())[:_TOLD])
    if editing.not_repaired:
        number, seconds = len(editing.not_repaired), editing.within.total_seconds()
        left = "\n".join(f"  {each}" for each in editing.not_repaired)
        raise AssertionError(f"{number} edits were not repaired in {seconds:g} s:\n{left}")
    if not editing.repaired:
        raise AssertionError(f"no applied field could be edited:\n{refused or '  nothing was applied'}")


def _subjects(manager: Manager, kinds: Sequence[type[Resource]]) -> dict[_Subject, set[str]]:
    """Return the objects in the cache of which the manager may have applied something, and in which names."""
    wanted = {(each.__kind__.group, each.__kind__.name) for each in kinds}
    found: dict[_Subject, set[str]] = {}
    for informer in manager.cache.informers:
        kind = informer.kind.__kind__
        if wanted and (kind.group, kind.name) not in wanted:
            continue
        for key in informer.keys():  # noqa: SIM118 - no dictionary
            found.setdefault(_Subject(kind, key), set()).update(informer.managers)
    return found


def _applied(live: Json, managers: set[str]) -> Iterator[_Place]:
    """Return the fields that the managers own by their applies, each once."""
    seen: set[str] = set()
    for entry in live["metadata"].get("managedFields") or ():
        if entry["manager"] in managers and entry["operation"] == "Apply" and not entry.get("subresource"):
            for place in _leaves(entry.get("fieldsV1") or {}, ()):
                if str(place) not in seen:
                    seen.add(str(place))
                    yield place


def _leaves(fields: Json, steps: tuple[_Step, ...]) -> Iterator[_Place]:
    names = [name for name in fields if name != "."]
    if not names and steps:
        yield _Place(steps)
    for name in names:
        step = _Step.parse(name)
        if step.keys is not None and not set(fields[name]) - {"."}:
            yield _Place((*steps, step))
            continue
        for place in _leaves(fields[name], (*steps, step)):
            if step.keys is None or place.steps[-1].name not in step.keys:  # a key makes it another item
                yield place


def _others(value: Any, kind: Kind, place: _Place) -> Iterator[Any]:
    """Return other values of the same type, of which the server may accept one."""
    if _is_value(kind, place):
        yield b64encode(b"drift").decode()
    elif type(value) is bool:
        yield not value
    elif type(value) in (int, float):
        yield from (value + 1, value - 1)
    elif type(value) is str:
        yield from (f"{value}-drift", f"{value}9", "drift", "1")
    elif type(value) is list:
        yield from ([*value, "drift"], [*value, *value[:1]], [])
    elif type(value) is dict:
        yield from ({**value, "drift": "drift"}, {})


def _is_value(kind: Kind, place: _Place) -> bool:
    return is_secret(kind) and place.steps[0].name == "data" and len(place.steps) > 1
