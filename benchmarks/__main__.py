"""Run the benchmarks: `python -m benchmarks [--only NAME]`."""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.admission import AdmissionOptions, admission
from benchmarks.cluster import cluster
from benchmarks.demo import demo
from benchmarks.imports import PACKAGE, READY, TYPED_KIND, costs
from benchmarks.installed import installed
from benchmarks.operators import OperatorOptions, operator
from benchmarks.releases import ReleaseOptions, releases
from benchmarks.result import Row, report, row
from benchmarks.server import server
from windlass.api import ObjectMeta
from windlass.client import connect, load_config
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import start_control_plane

Environment = dict[str, str]

PEERS = ("lightkube", "kr8s", "kubernetes_asyncio")
OBJECTS = 10_000
ROUNDS = 7


async def fill(kubeconfig: Path) -> None:
    """Store the ConfigMaps that are read, sixteen at a time."""
    names = iter(range(OBJECTS))

    async def create() -> None:
        for index in names:
            labels = {"app": "bench", "shard": str(index % 16)}
            metadata = ObjectMeta(name=f"bench-{index:05}", namespace="default", labels=labels)
            await client.create(ConfigMap(metadata=metadata, data={"key": "value" * 10, "index": str(index)}))

    async with connect(load_config(kubeconfig)) as client, asyncio.TaskGroup() as group:
        for _ in range(16):
            group.create_task(create())


def work(library: str, task: str, kubeconfig: Path, count: int, environment: Environment) -> dict[str, float]:
    """What a piece of work cost a library, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.contender", library, task, str(kubeconfig), str(count)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if ran.returncode:
        sys.exit(f"{library} {task} failed:\n{ran.stderr}")
    found: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return found


def beside(task: str, kubeconfig: Path, count: int, environment: Environment) -> dict[str, dict[str, float]]:
    """The best of several rounds for each library, in turns so that a busy moment hits all of them."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for library in ("windlass", *PEERS):
            found = work(library, task, kubeconfig, count, environment)
            seen = best.setdefault(library, found)
            if seen["total"] != found["total"]:
                sys.exit(f"{library} read {found['total']} where it read {seen['total']} before")
            best[library] = {key: min(seen[key], found[key]) for key in found}
    if len({found["total"] for found in best.values()}) != 1:
        sys.exit(f"the libraries did not read the same: {best}")
    return best


def reads(kubeconfig: Path, environment: Environment) -> list[Row]:
    """CPU of a single GET, and of listing ten thousand objects."""
    count = 1000
    get = beside("get", kubeconfig, count, environment)
    listed = beside("list", kubeconfig, OBJECTS, environment)
    rows = []
    for peer in PEERS:
        figures = get["windlass"]["cpu"] / count * 1000, get[peer]["cpu"] / count * 1000
        rows.append(row("get: CPU", "ms", peer, figures))
    for key, name, unit in (
        ("cpu", "list 10k: CPU", "s"),
        ("wall", "list 10k: wall", "s"),
        ("peak_mb", "list 10k: memory", "MB"),
    ):
        rows += [row(name, unit, peer, (listed["windlass"][key], listed[peer][key])) for peer in PEERS]
    return rows


def imports(environment: Environment) -> list[Row]:
    """Time and memory of importing."""
    rows = []
    for title, statements, promise in (
        ("import", PACKAGE, 1.0),
        ("import Deployment", TYPED_KIND, 1.0),
        ("import client and kind", READY, 1.0),
    ):
        found = costs(statements, environment)
        for key, what, unit, scale in (("cpu", "CPU", "ms", 1000), ("memory_mb", "memory", "MB", 1)):
            for peer in list(statements)[1:]:
                figures = found["windlass"][key] * scale, found[peer][key] * scale
                a_quarter = title == "import Deployment" and peer == "kubernetes_asyncio" and key == "cpu"
                rows.append(row(f"{title}: {what}", unit, peer, figures, 0.25 if a_quarter else promise))
    return rows


def with_control_plane(run: Callable[[Path, Environment], list[Row]], environment: Environment) -> list[Row]:
    """Start a control plane, fill it, and measure on it."""
    with start_control_plane() as running:
        asyncio.run(fill(running.access.kubeconfig))
        return run(running.access.kubeconfig, environment)


def benchmarks(
    options: OperatorOptions, of_charts: ReleaseOptions
) -> dict[str, Callable[[Environment], list[Row]]]:
    """All that can be run, by name."""
    return {
        "admission": lambda environment: admission(environment, AdmissionOptions(rounds=options.rounds)),
        "cluster": cluster,
        "demo": demo,
        "helm": lambda environment: releases(environment, of_charts),
        "imports": imports,
        "operator": lambda environment: operator(environment, options),
        "reads": lambda environment: with_control_plane(reads, environment),
        "server": server,
    }


def arguments() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    usual, charts = OperatorOptions(), ReleaseOptions()
    parser = argparse.ArgumentParser(prog="benchmarks")
    parser.add_argument("--only", choices=sorted(benchmarks(usual, charts)))
    parser.add_argument("--rounds", type=int, default=usual.rounds, help="of operator, helm and admission")
    of_operator = parser.add_argument_group("operator")
    of_operator.add_argument("--stale", type=int, default=usual.stale, help="Widgets to reconcile; 0: none")
    of_operator.add_argument("--fill", type=int, default=usual.fill, help="Widgets to cache; 0: none")
    of_operator.add_argument("--names", nargs="+", choices=usual.names, default=usual.names)
    of_operator.add_argument("--kopf-100k", action="store_true", help="let kopf fill its index, too")
    of_helm = parser.add_argument_group("helm")
    of_helm.add_argument("--releases", type=int, default=charts.releases, help="that lie idle")
    of_helm.add_argument("--periods", type=int, default=charts.periods)
    of_helm.add_argument("--period", type=float, default=charts.period, help="in seconds")
    of_helm.add_argument("--together", type=int, default=charts.together, help="releases made at once")
    of_helm.add_argument("--without-peer", action="store_true", help="leave operator-sdk's operator out")
    return parser


def main() -> None:
    given = arguments().parse_args()
    options = OperatorOptions(
        rounds=given.rounds,
        stale=given.stale,
        fill=given.fill,
        names=tuple(given.names),
        kopf_fills=given.kopf_100k,
    )
    charts = ReleaseOptions(
        rounds=given.rounds,
        releases=given.releases,
        periods=given.periods,
        period=given.period,
        together=given.together,
        peer=not given.without_peer,
    )
    chosen = [run for name, run in benchmarks(options, charts).items() if given.only in (None, name)]
    with installed() as environment:
        report([each for run in chosen for each in run(environment)])


main()
