"""How tools that wait for objects see those of every kind that ships: Helm and Flux by kstatus, Argo CD by a health check.

`tests/oracle/kstatus` answers by the code of these tools. Argo CD's check is the one of the guide.
"""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import readme
from oracle import SOURCE, ask, build
from shipped import CHANGES, Scripted, Shipped, shipped
from windlass.api import Untyped, read_yaml
from windlass.client import MergePatch, Request
from windlass.codegen import sample
from windlass.controller import ControllerOptions
from windlass.helm import summary
from windlass.testing import TrialOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from windlass.api import Json, Resource
    from windlass.testing import Starter, Trial

pytestmark = [
    pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go"),
    pytest.mark.timeout(120),
]
PAUSED = {"windlass.dev/paused": "true"}
LIMIT = TrialOptions(controller=ControllerOptions(time_limit=timedelta(milliseconds=500)))


class Seen(NamedTuple):
    """What kstatus and Argo CD make of an object, and what both say about it."""

    status: str
    health: str
    message: str


EXPECTED = {
    "fresh": Seen("InProgress", "Progressing", "generation is 1, but latest observed generation is -1"),
    "ready": Seen("Current", "Healthy", ""),
    "waiting": Seen("InProgress", "Progressing", "1 of 2 are ready"),
    "progressing": Seen("InProgress", "Progressing", "step 2"),
    "failed": Seen("InProgress", "Progressing", "no route"),
    "raised": Seen("InProgress", "Progressing", "no route"),
    "endless": Seen("InProgress", "Progressing", "limit"),
    "terminal": Seen("Failed", "Degraded", "size is odd"),
    "paused": Seen("InProgress", "Suspended", ""),
    "changed": Seen("InProgress", "Suspended", ""),
    "leaving": Seen("Terminating", "Progressing", "deletion"),
    "failing": Seen("Terminating", "Progressing", "deletion"),
}
REASONS = {
    "waiting": "RollingOut",
    "progressing": "Working",
    "failed": "Unreachable",
    "raised": "ReconcileFailed",
    "endless": "ReconcileFailed",
    "terminal": "BadSize",
    "leaving": "Deleting",
    "failing": "ReconcileFailed",
    "ready": "Ready",
}


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that knows."""
    return build(tmp_path_factory.mktemp("kstatus"), SOURCE / "kstatus")


@pytest.mark.parametrize("each", shipped(), ids=lambda each: each.name)
async def test_helm_flux_and_argo_see_each_kind_as_its_reconcile_ended(
    standing: Starter, oracle: Path, each: Shipped
) -> None:
    kind = each.elsewhere()
    scripted = Scripted(kind, each.reports)
    async with standing(scripted, options=LIMIT) as trial:
        states = {"fresh": await fresh(trial, kind)}
        for name in REASONS:
            await trial.client.create(made(kind, name))
        await trial.client.create(made(kind, "paused", annotations=PAUSED))
        for name in ("leaving", "failing"):
            await trial.until(kind, name, ended("Ready"))
            await trial.client.delete(kind, name)
        for name, reason in REASONS.items():
            await trial.until(kind, name, ended(reason))
            states[name] = await raw(trial, kind, name)
        change = {"metadata": {"annotations": PAUSED}, "spec": CHANGES[kind.__kind__.name]}
        await trial.client.patch(kind, "ready", MergePatch(change))
        for name, waits in (("changed", "ready"), ("paused", "paused")):
            await trial.until(kind, waits, lambda found: "Paused" in conditions(found.to_wire()))
            states[name] = await raw(trial, kind, waits)
        scripted.released.set()
        for name in ("leaving", "failing"):
            await trial.gone(kind, name)

    check = health_check(each.kind)
    answers = ask(oracle, [{"object": state, "check": check} for state in states.values()])
    told = dict(zip(states, answers, strict=True))

    assert {name: (said["status"], said["health"]["status"]) for name, said in told.items()} == {
        name: (seen.status, seen.health) for name, seen in EXPECTED.items()
    }
    for name, seen in EXPECTED.items():
        assert seen.message in told[name]["message"], name
        assert told[name]["health"]["message"] or seen.status == "Current", name
    assert {name: summary([state]) == "" for name, state in states.items()} == {
        name: seen.status == "Current" for name, seen in EXPECTED.items()
    }
    assert conditions(states["failing"])["Ready"]["message"] == "the machine cannot be reached"


def made(kind: type[Resource], name: str, **metadata: Any) -> Untyped:
    """An object to create, with a status that says that all is well."""
    wire = sample(kind)
    ready = {"type": "Ready", "status": "True", "reason": "Ready", "message": ""}
    status = {"observedGeneration": 1, "conditions": [ready]}
    found = Untyped.of(kind.__kind__).from_wire(wire | {"status": status})
    found.metadata.name = name
    found.metadata.annotations = metadata.get("annotations", {})
    return found


async def fresh(trial: Trial, kind: type[Resource]) -> Json:
    """An object that no controller looks at, as the server shows it."""
    elsewhere = made(kind, f"fresh-{trial.namespace}")
    elsewhere.metadata.namespace = "default"
    created = await trial.client.create(elsewhere)
    shown = await raw(trial, kind, elsewhere.metadata.name, "default")
    await trial.client.delete(kind, elsewhere.metadata.name, "default")
    assert created.get("status") == shown["status"] == {"observedGeneration": -1}
    return shown


async def raw(trial: Trial, kind: type[Resource], name: str, namespace: str = "") -> Json:
    """An object as it goes over the wire."""
    path = kind.__kind__.path(name, namespace or trial.namespace)
    found: Json = await trial.client.json(Request(method="GET", path=path))
    return found


def ended(reason: str) -> Callable[[Any], bool]:
    """Whether the last reconcile saw the present generation, and ended so."""

    def is_so(found: Resource) -> bool:
        wire = found.to_wire()
        fresh = wire["status"].get("observedGeneration") == found.metadata.generation
        return fresh and conditions(wire).get("Ready", {}).get("reason") == reason

    return is_so


def conditions(wire: Json) -> dict[str, Json]:
    """The conditions of an object, by type."""
    return {each["type"]: each for each in wire.get("status", {}).get("conditions", ())}


def health_check(kind: type[Resource]) -> str:
    """The health check that the guide has Argo CD use for a kind: the one of its group."""
    config = readme.block("resource.customizations", "docs/guides/waiting.md", "yaml")
    (document,) = read_yaml(config)
    (rules,) = read_yaml(document["data"]["resource.customizations"])
    return str(rules[f"{kind.__kind__.group}/*"]["health.lua"])
