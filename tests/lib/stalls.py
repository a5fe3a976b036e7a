"""Operators made of charts that a test writes, on any control plane, with the real `helm`."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from polling import until
from shop_release import Shop
from windlass.api import find_condition
from windlass.client import MergePatch
from windlass.controller import ControllerOptions
from windlass.errors import NotFound, ToolError
from windlass.helm import HelmController, HelmOptions, HelmProgram, ProcessLimits, ReleaseRecord
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import ManagerOptions
from windlass.testing import TrialOptions, on_trial
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from pathlib import Path

    from windlass.api import Json
    from windlass.manager import Manager
    from windlass.testing import Access, Trial

T = TypeVar("T")

PATIENCE = 60.0
WITHIN = timedelta(seconds=PATIENCE)
NEVER = timedelta(hours=10)
"""A period that no test lives to see: what happens before it does so because something woke the operator."""
OFTEN = timedelta(seconds=1)

_DESCRIBED = "apiVersion: v2\nname: stall\nversion: 0.1.0\n"


def config_map(data: str, name: str = "{{ .Release.Name }}", annotations: str = "{}") -> str:
    """A template of a ConfigMap; its data are a YAML mapping, with templates in it."""
    return (
        "apiVersion: v1\nkind: ConfigMap\n"
        f'metadata: {{name: "{name}", annotations: {annotations}}}\ndata: {data}\n'
    )


def job(hook: str) -> str:
    """A template of a Job that is a hook. Nobody runs it: it ends when `Stall.complete` says so."""
    return (
        "apiVersion: batch/v1\nkind: Job\n"
        f'metadata: {{name: "{{{{ .Release.Name }}}}-job", annotations: {{helm.sh/hook: {hook}}}}}\n'
        "spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: web}]}}}\n"
    )


@pytest.fixture(params=["embedded", "control_plane"])
def stalls_fixture(request: pytest.FixtureRequest, tmp_path: Path) -> Stalls:
    """The embedded control plane, and then the one of the run, unless there is no helm."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    access: Access = request.getfixturevalue(request.param)
    return Stalls(access, tmp_path / "stall", f"t{token_hex(4)}")


@dataclass(frozen=True)
class Stalls:
    """A control plane, a chart that the test writes, and a word that no other test has."""

    access: Access
    chart: Path
    token: str

    def write(self, **templates: str) -> None:
        """Write templates of the chart: `write(main=…)` is `templates/main.yaml`."""
        self.files({f"templates/{name}.yaml": text for name, text in templates.items()})

    def files(self, files: Mapping[str, str]) -> None:
        """Write any files of the chart."""
        for name, text in {"Chart.yaml": _DESCRIBED, **files}.items():
            (self.chart / name).parent.mkdir(parents=True, exist_ok=True)
            (self.chart / name).write_text(text)

    def part(
        self,
        *,
        program: Path | None = None,
        workers: int = 10,
        limits: ProcessLimits | None = None,
        **options: object,
    ) -> Callable[[Manager], None]:
        """What adds the operator of the chart to a manager: see `operator`."""
        settings = HelmOptions(**{"period": NEVER, **options})  # type: ignore[arg-type]

        def add_to(manager: Manager) -> None:
            helm = HelmProgram(manager.client, program=program, limits=limits)
            controller = HelmController(of=Shop, chart=self.chart, helm=helm, options=settings)
            manager.add(controller, ControllerOptions(workers=workers))

        return add_to

    @asynccontextmanager
    async def operator(
        self,
        *more: Callable[[Manager], None],
        everywhere: bool = False,
        **options: Any,
    ) -> AsyncIterator[Stall]:
        """An operator of the chart, for one namespace or all of them.

        `options` are those of `HelmOptions`, with a period of `NEVER`; a `program` in the place of helm, and its
        `limits`; and how many `workers` there are.
        """
        add_to = self.part(**options)
        all_of_them = ManagerOptions(name="stalls") if everywhere else None
        async with on_trial(self.access, [add_to, *more], TrialOptions(manager=all_of_them)) as trial:
            yield Stall(trial, self.access)


@dataclass(frozen=True)
class Stall:
    """An operator at work, and what one asks of its objects."""

    trial: Trial
    access: Access

    async def create(self, name: str, spec: Json | None = None, **metadata: object) -> Shop:
        """Create an object, and wait until it is deployed."""
        found = {"name": name, **metadata}
        await self.trial.client.create(Shop.model_validate({"metadata": found, "spec": spec or {}}))
        return await self.deployed(name)

    async def edit(self, name: str, **spec: object) -> None:
        """Change values in the spec of an object."""
        await self.trial.client.patch(Shop, name, MergePatch({"spec": spec}))

    async def deployed(self, name: str, reason: str = "") -> Shop:
        """An object, as soon as it is deployed and nothing is wrong with it."""

        def is_so(found: Shop) -> bool:
            return told(found, "Deployed", reason) and not any(
                told(found, each) for each in ("ReleaseFailed", "Irreconcilable")
            )

        return await self.trial.until(Shop, name, is_so, within=WITHIN)

    async def failed(self, name: str, words: str, condition: str = "ReleaseFailed") -> Shop:
        """An object, as soon as a condition has these words."""

        def is_so(found: Shop) -> bool:
            return told(found, condition) and words in message(found, condition)

        return await self.trial.until(Shop, name, is_so, within=WITHIN)

    async def says(self, name: str, **data: str) -> ConfigMap:
        """A ConfigMap, as soon as these are among its data."""
        return await self.trial.until(
            ConfigMap, name, lambda found: data.items() <= found.data.items(), within=WITHIN
        )

    async def remove(self, name: str) -> None:
        """Delete an object, and wait until it is gone and none of its records is left."""
        await self.trial.client.delete(Shop, name)
        await self.trial.gone(Shop, name, within=WITHIN)
        assert await self.revisions(name) == {}

    async def revisions(self, name: str) -> dict[int, str]:
        """How each revision of a release fared."""
        labels = f"owner=helm,name={name}"
        found = await self.trial.client.list(ReleaseRecord, self.trial.namespace, labels=labels)
        return {each.number: each.state for each in sorted(found, key=lambda record: record.number)}

    async def are(self, name: str, *states: str) -> None:
        """Wait until the revisions of a release are in these states."""
        wanted = dict(enumerate(states, 1))
        await until(lambda: self.revisions(name), lambda found: found == wanted, every=0.1, patience=PATIENCE)

    async def eventually(self, ask: Callable[[], Awaitable[T]], accept: Callable[[T], bool] = bool) -> T:
        """The first answer that will do."""
        return await until(ask, accept, every=0.1, patience=PATIENCE)

    async def passes(self, name: str, more: int = 2) -> None:
        """Wait until the operator has looked at an object so many times more."""
        before = self.trial.runs(name)[0].started
        await self.eventually(self._looks(name, before), lambda found: found >= more)

    def _looks(self, name: str, since: datetime) -> Callable[[], Awaitable[int]]:
        async def looks() -> int:
            return sum(run.started > since for run in self.trial.runs(name))

        return looks

    async def maps(self, name: str = "") -> set[str]:
        """The ConfigMaps whose names begin like this."""
        found = {each.metadata.name for each in await self.trial.client.list(ConfigMap, self.trial.namespace)}
        return {each for each in found if each.startswith(name)} - {"kube-root-ca.crt"}

    async def has(self, name: str) -> bool:
        """Whether there is a ConfigMap of this name."""
        try:
            await self.trial.client.get(ConfigMap, name)
        except NotFound:
            return False
        return True

    async def complete(self, name: str) -> None:
        """Say that the Job of a release has done its work."""
        time = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ended = [
            {"type": each, "status": "True", "lastTransitionTime": time}
            for each in ("SuccessCriteriaMet", "Complete")
        ]
        status = {"succeeded": 1, "startTime": time, "completionTime": time, "conditions": ended}
        job = f"{name}-job"
        await self.trial.until(Job, job, lambda _: True)  # a hook is made after the revision is noted
        await self.trial.client.status.patch(Job, job, MergePatch({"status": status}))

    async def helm(self, *words: str) -> str:
        """What a person does: run `helm` in the namespace."""
        process = await asyncio.create_subprocess_exec(
            *(str(find_helm()), *words, "--namespace", self.trial.namespace),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "KUBECONFIG": str(self.access.kubeconfig)},
        )
        said, _ = await process.communicate()
        assert process.returncode == 0, said.decode()
        return said.decode()

    async def settled(self, name: str, *states: str) -> None:
        """Fail unless another pass needs neither a request nor another revision than these."""
        await self.trial.settled()
        assert await self.revisions(name) == dict(enumerate(states, 1))


def told(found: Shop, condition: str, reason: str = "") -> bool:
    """Whether a condition is true, and for this reason."""
    said = find_condition(found.status.conditions, condition)
    return said is not None and said.status == "True" and reason in ("", said.reason)


def message(found: Shop, condition: str) -> str:
    """What a condition says."""
    said = find_condition(found.status.conditions, condition)
    return said.message if said else ""
