"""The operators that race: the same work written with each library."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Environment = dict[str, str]
Start = tuple[list[str], Environment]

OURS = "windlass"
GO = "controller-runtime"
KOPF = "kopf"


@dataclass(frozen=True)
class Contender:
    """How to start an operator that keeps statuses fresh, and one that fills a cache."""

    name: str
    reconcile: Callable[[str], Start]
    fill: Callable[[int], Start]


def contenders(environment: Environment, kubeconfig: Path, program: str) -> dict[str, Contender]:
    """All of them; `program` is the Go program."""
    base = {**environment, "KUBECONFIG": str(kubeconfig)}
    folder = Path(sys.executable).parent
    ours = [sys.executable, "-m", "benchmarks.peer_windlass"]
    kopf = [str(folder / "kopf"), "run", "--all-namespaces", "--standalone", "--quiet"]
    kopf.append(str(Path(__file__).with_name("peer_kopf.py")))
    every = (
        Contender(
            GO,
            lambda seed: ([program, "reconcile", seed], base),
            lambda _count: ([program, "fill"], base),
        ),
        Contender(
            OURS,
            lambda seed: ([*ours, "reconcile", seed], base),
            lambda _count: ([*ours, "fill"], base),
        ),
        Contender(
            KOPF,
            lambda seed: (kopf, {**base, "WIDGET_SEED": seed}),
            lambda count: (kopf, {**base, "WIDGET_COUNT": str(count)}),
        ),
    )
    return {each.name: each for each in every}
