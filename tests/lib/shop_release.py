"""A kind whose objects are releases of a chart that is a Python function, for tests without Helm."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from windlass.api import Field, Json, ObjectMeta, Resource, find_condition
from windlass.client import Client
from windlass.errors import HelmError
from windlass.helm import (
    Blueprint,
    Deploying,
    HelmController,
    HelmOptions,
    HelmStatus,
    ReleaseRecord,
    Retreat,
    Revision,
    Turns,
)
from windlass.manager import Manager
from windlass.testing import Trial
from windlass.testing.helm import StandInHelm

FINALIZER = "helm.sdk.operatorframework.io/uninstall-release"


class Shop(Resource, group="example.com", version="v1"):
    """A shop, with free-form values."""

    spec: Json = Field(default_factory=dict)
    status: HelmStatus = HelmStatus()


class Mall(Resource, group="example.com", version="v1", namespaced=False):
    """A mall, which lies in no namespace."""

    spec: Json = Field(default_factory=dict)
    status: HelmStatus = HelmStatus()


def shop(name: str, spec: Json | None = None, **metadata: Any) -> Shop:
    """An object to apply."""
    return Shop(metadata=ObjectMeta(name=name, **metadata), spec=spec or {})


def templates(blueprint: Blueprint, _number: int) -> Sequence[Json]:
    """A ConfigMap for each name that the values have, and a ClusterRole where they ask for one."""
    values, name = blueprint.values, blueprint.release.name
    if values.get("broken"):
        raise HelmError("template: broken")
    objects: list[Json] = [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": f"{name}-{each}"},
            "data": {"size": str(values.get("size", 1))},
        }
        for each in values.get("maps", ["main"])
    ]
    if values.get("role"):
        role = {"name": f"{blueprint.release.namespace}-{name}"}
        objects.append(
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": role,
                "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
            }
        )
    return objects


class CountedHelm(StandInHelm):
    """A stand-in that counts what it is asked to do; a real Helm would be a process each time."""

    def __init__(
        self, client: Client, charts: Mapping[str, Callable[..., Any]], *, turns: Turns | None = None
    ) -> None:
        super().__init__(client, charts, turns=turns)
        self.runs: Counter[str] = Counter()

    @override
    async def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, lookup: bool = False, hooks: bool = False
    ) -> Sequence[Json]:
        self.runs["render"] += 1
        return await super().render(blueprint, is_upgrade=is_upgrade, lookup=lookup, hooks=hooks)

    @override
    async def deploy(self, blueprint: Blueprint, how: Deploying) -> Revision:
        self.runs["deploy"] += 1
        return await super().deploy(blueprint, how)

    @override
    async def rollback(self, release: Any, revision: int, how: Retreat) -> None:
        self.runs["rollback"] += 1
        await super().rollback(release, revision, how)

    @override
    async def uninstall(self, release: Any, how: Retreat) -> bool:
        self.runs["uninstall"] += 1
        return await super().uninstall(release, how)


def chart_folder(folder: Path, name: str = "shop") -> Path:
    """A chart of this name on disk; what it renders is said in Python."""
    chart = folder / name
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: 0.1.0\n")
    return chart


class Shops:
    """The operator, to be added to a manager; `helm` is what it runs."""

    def __init__(
        self,
        chart: Path,
        options: HelmOptions | None = None,
        *,
        templates: Callable[..., Sequence[Json]] = templates,
        controller: type[HelmController] = HelmController,
        of: type[Resource] = Shop,
    ) -> None:
        self._chart = chart
        self._options = options
        self._templates = templates
        self._controller = controller
        self._of = of
        self.helm: CountedHelm

    def __call__(self, manager: Manager) -> None:
        """Add it."""
        self.helm = CountedHelm(manager.client, {self._chart.name: self._templates})
        made = self._controller(of=self._of, chart=self._chart, helm=self.helm, options=self._options)
        manager.add(made)


def deployed(found: Shop | Mall, reason: str = "") -> bool:
    """Whether the release of a shop is in effect."""
    condition = find_condition(found.status.conditions, "Deployed")
    return condition is not None and condition.status == "True" and reason in ("", condition.reason)


def failed(found: Shop) -> bool:
    """Whether a step of its release failed."""
    return find_condition(found.status.conditions, "ReleaseFailed") is not None


async def edit(trial: Trial, name: str, spec: Json) -> None:
    """Replace the spec of a shop."""
    found = await trial.client.get(Shop, name)
    found.spec = spec
    await trial.client.update(found)


async def records(trial: Trial) -> list[tuple[int, str]]:
    """The revisions that there are, and how they fared."""
    found = await trial.client.list(ReleaseRecord, trial.namespace, labels="owner=helm")
    return sorted((each.number, each.state) for each in found)
