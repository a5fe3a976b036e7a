from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.aio import SystemClock
from windlass.api import Json, write_yaml
from windlass.errors import ApiError, ConnectionFailedError, HelmError, RenderError
from windlass.helm import Blueprint, Helm, Turns, read_manifest
from windlass.testing.helm.history import Entry, History
from windlass.testing.helm.objects import Hooking, Objects, hook, is_hook

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.aio import Clock
    from windlass.api import Key
    from windlass.client import Client, Impersonation
    from windlass.helm import Deploying, Retreat, Revision

Template = Callable[[Blueprint, int], Sequence[Json]]
"""What stands for a chart: a blueprint and the number of a revision in, objects and hooks out."""

_FAILURES: Final = (ApiError, ConnectionFailedError)
_PENDING: Final = "another operation (install/upgrade/rollback) is in progress"


class StandInHelm(Helm):
    """Deploys charts that are Python functions, by their names, as Helm 4 would, without the program.

    It writes the same records and objects, in the same order, under the same field managers, and refuses what
    Helm refuses, in its words. Each step is a request of the client's, so that a crash, a fault or a lost
    lease can come between any two of them.

    `turns` limits how many releases are changed and removed at a time. It does not wait for hooks, and knows
    no `crds/`, notes or `lookup`.
    """

    def __init__(
        self,
        client: Client,
        charts: Mapping[str, Template],
        *,
        clock: Clock | None = None,
        turns: Turns | None = None,
    ) -> None:
        self._client = client
        self._turns = turns or Turns()
        self._charts = charts
        self._clock = clock or SystemClock()
        self._objects = Objects(client)

    @property
    @override
    def client(self) -> Client:
        return self._client

    @property
    @override
    def turns(self) -> Turns:
        return self._turns

    @override
    def acting_as(self, user: Impersonation) -> StandInHelm:
        twin = copy(self)
        twin._client = self._client.acting_as(user)  # noqa: SLF001 - a copy of this
        twin._objects = Objects(twin._client)  # noqa: SLF001
        return twin

    @override
    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        return [obj for obj in self._rendered(blueprint, 1) if hooks or not is_hook(obj)]

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        release = blueprint.release
        if how.on_start:
            how.on_start()
        with _translated():
            history = History(self._client, release, self._clock)
            entries = await history.read()
            current = _current(release, entries)
            entry = self._entry(blueprint, how, entries, current)
            await self._check(entry, current, release)
            await history.add(entry, how.history)
        verb = "upgrade" if current else "install"
        done = entry.told("deployed", how.description or f"{verb.capitalize()} complete")
        step = _Step(history, verb, current, done, Hooking(how.owner, how.on_delete))
        await self._perform(step, release, hooks=how.hooks)
        return done.revision()

    @override
    async def rollback(self, release: Key, revision: int, how: Retreat) -> None:
        with _translated():
            history = History(self._client, release, self._clock)
            entries = await history.read()
            wanted = next((each for each in entries if each.number == revision), None)
            if wanted is None:
                raise HelmError(f"release has no {revision} version" if entries else "release: not found")
            done = Entry({**wanted.content, "version": entries[-1].number + 1}, wanted.labels)
            done = done.told("deployed", how.description or f"Rollback to {revision}")
            await history.add(done.told("pending-rollback"), how.history)
        await self._perform(
            _Step(history, "rollback", entries[-1], done, Hooking(None, how.on_delete)),
            release,
            hooks=how.hooks,
        )

    @override
    async def uninstall(self, release: Key, how: Retreat) -> bool:
        with _translated():
            history = History(self._client, release, self._clock)
            entries = await history.read()
            if not entries:
                return False
            last = entries[-1]
            hooks = last.content["hooks"] if how.hooks else ()
            hooking = Hooking(None, how.on_delete)
            await self._objects.run_hooks(hooks, "pre-delete", release, hooking)
            await history.tell(last.told("uninstalling", "Deletion in progress (or silently failed)"))
            await self._objects.delete(_objects(last)[::-1], release)
            await self._objects.run_hooks(hooks, "post-delete", release, hooking)
            for each in entries:
                await history.drop(each)
            return True

    def _rendered(self, blueprint: Blueprint, number: int) -> Sequence[Json]:
        template = self._charts.get(blueprint.chart.name)
        if template is None:
            raise HelmError(f'chart "{blueprint.chart.name}" not found')
        try:
            return template(blueprint, number)
        except HelmError as error:
            raise RenderError(str(error)) from error

    def _entry(
        self, blueprint: Blueprint, how: Deploying, entries: Sequence[Entry], current: Entry | None
    ) -> Entry:
        """The revision that is about to be deployed."""
        number = entries[-1].number + 1 if entries else 1
        rendered = self._rendered(blueprint, number)
        objects = how.change(rendered) if how.change else rendered
        now = self._clock.now().isoformat()
        chart = blueprint.chart
        content = {
            "name": blueprint.release.name,
            "namespace": blueprint.release.namespace,
            "version": number,
            "info": {
                "first_deployed": current.content["info"]["first_deployed"] if current else now,
                "last_deployed": now,
                "status": "pending-upgrade" if current else "pending-install",
                "description": "Preparing upgrade" if current else "Initial install underway",
            },
            "chart": {
                "metadata": {"name": chart.name, "version": chart.version, "appVersion": chart.app_version}
            },
            "config": blueprint.values,
            "manifest": write_yaml(obj for obj in objects if not is_hook(obj)),
            "hooks": [hook(obj) for obj in objects if is_hook(obj)],
            "apply_method": "ssa",
        }
        return Entry(content, {**(entries[-1].labels if entries else {}), **how.labels})

    async def _check(self, entry: Entry, current: Entry | None, release: Key) -> None:
        known = [_name(obj) for obj in _objects(current)] if current else []
        new = [obj for obj in _objects(entry) if _name(obj) not in known]
        await self._objects.check(new, release, "update" if current else "install")

    async def _perform(self, step: _Step, release: Key, *, hooks: bool) -> None:
        """Bring about a revision whose record is written; a failure is told in the record, and raised."""
        try:
            with _translated():
                await self._change(step, release, hooks=hooks)
        except HelmError as error:
            what = "Release" if step.verb == "install" else step.verb.capitalize()
            with suppress(*_FAILURES):  # Helm says so in its log, and fails by the first fault
                failed = step.done.told("failed", f'{what} "{release.name}" failed: {error}')
                await step.history.tell(failed)
            raise
        with _translated():
            for each in await step.outdated():
                await step.history.tell(each.told("superseded"))
            await step.history.tell(step.done)

    async def _change(self, step: _Step, release: Key, *, hooks: bool) -> None:
        due = step.done.content["hooks"] if hooks else ()
        wanted = _objects(step.done)
        names = [_name(obj) for obj in wanted]
        before = _objects(step.before) if step.before else []
        await self._objects.run_hooks(due, f"pre-{step.verb}", release, step.hooking)
        await self._objects.apply(wanted, release)
        await self._objects.delete([obj for obj in before if _name(obj) not in names], release)
        await self._objects.run_hooks(due, f"post-{step.verb}", release, step.hooking)


@dataclass(frozen=True)
class _Step:
    """What takes a release from one revision to the next, which is `done` if all goes well."""

    history: History
    verb: str
    before: Entry | None
    done: Entry
    hooking: Hooking

    async def outdated(self) -> Sequence[Entry]:
        """The revisions that it supersedes."""
        if self.verb == "rollback":
            return [each for each in await self.history.read() if each.state == "deployed"]
        return [self.before] if self.before else []


def _current(release: Key, entries: Sequence[Entry]) -> Entry | None:
    """The revision that an upgrade starts from; None where there is nothing to upgrade."""
    if not entries or entries[-1].state == "uninstalled":
        return None
    if entries[-1].state.startswith("pending-"):
        raise HelmError(_PENDING)
    deployed = [each for each in entries if each.state == "deployed"]
    if not deployed and entries[-1].state not in {"failed", "superseded"}:
        raise HelmError(f'"{release.name}" has no deployed releases')
    return (deployed or entries)[-1]


def _objects(entry: Entry) -> list[Json]:
    return read_manifest(entry.content["manifest"])


def _name(obj: Json) -> tuple[str, str, str, str]:
    metadata = obj["metadata"]
    group = obj["apiVersion"].rpartition("/")[0]
    return group, obj["kind"], metadata.get("namespace", ""), metadata["name"]


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except ApiError as error:
        raise HelmError(str(error), refusals=[error.answer]) from error
    except ConnectionFailedError as error:
        raise HelmError(str(error)) from error
