"""Releases of a small chart: our operator beside operator-sdk's and the `helm` command line alone.

Idle are releases that are as they should be, and looked at again once a period. Both operators then make a
pass over each, or over as many as they come to; what it costs is their CPU by the number of passes that their
metrics tell. `helm` alone makes no passes: who keeps releases right with it upgrades each once a period, for
a process and a revision.

Deployed means that the object's condition says so, or that `helm install` has ended. CPU is that of the
operator with all `helm` processes that it ran; the API server's is not in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.chart_operator import ChartOperator, Environment, Operating, counting, ours
from benchmarks.golang import install
from benchmarks.helm_alone import HelmAlone
from benchmarks.measured import Spent
from benchmarks.result import Row, row
from benchmarks.shop import Shop, Shops
from windlass.aio import run
from windlass.client import connect, load_config
from windlass.testing import install_kinds, start_control_plane
from windlass.tools import find_helm

OURS = "windlass"
SDK = "helm-operator"
ALONE = "helm alone"
ONE_BY_ONE, TWO_AT_A_TIME = f"{ALONE}, one by one", f"{ALONE}, two at a time"
UPGRADES = "helm upgrade"

_PEER = ("github.com/operator-framework/operator-sdk/cmd/helm-operator", "v1.42.3")

_USUAL_PERIOD = 60.0
_FEW = 0.1
_DEPLOYED = 1.2

Figures = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class ReleaseOptions:
    """How many releases lie idle, for how many periods of so many seconds; how many are made at once.

    Operators have a period of a minute unless told otherwise, and have it while releases are made; while
    these lie idle it is short, so that the run ends. `workers` is for both operators.
    """

    releases: int = 200
    periods: int = 10
    period: float = 3.0
    together: int = 50
    rounds: int = 3
    workers: int = 2
    peer: bool = True

    @property
    def made(self) -> int:
        """How many are made to see how long that takes, or that an operator has started."""
        return self.rounds * (1 + self.together) + 2


def releases(environment: Environment, options: ReleaseOptions) -> list[Row]:
    """What a release costs that lies idle, and one that is made."""
    program = find_helm()
    peer = [install(*_PEER), "run"] if options.peer else None
    with start_control_plane() as running, TemporaryDirectory() as name:
        folder, kubeconfig = Path(name), running.access.kubeconfig
        log = folder / "runs"
        commands = {OURS: ours(counting(program, log)), **({SDK: peer} if peer else {})}
        chosen = [
            ChartOperator(
                name=name,
                command=command,
                environment={**environment, "KUBECONFIG": str(kubeconfig)},
                workers=options.workers,
            )
            for name, command in commands.items()
        ]
        found = run(_race(kubeconfig, chosen, (folder, log), options))
        found |= _alone(HelmAlone(program, kubeconfig, "default", folder), options)
    return list(_rows(found, options))


async def _race(
    kubeconfig: Path, chosen: Sequence[ChartOperator], files: tuple[Path, Path], options: ReleaseOptions
) -> dict[str, Figures]:
    folder, log = files
    found: dict[str, Figures] = {}
    async with connect(load_config(kubeconfig)) as client:
        await install_kinds(client, [Shop])
        for each in chosen:
            shops = Shops(client, each.name)
            await shops.open()
            async with each.on(shops, folder, _USUAL_PERIOD) as operating:
                made = await _make(operating, options)
            async with each.on(shops, folder, options.period) as operating:
                found[each.name] = made | await _lie_idle(operating, lambda: _lines(log), options)
            _tell(each.name, found[each.name])
    return found


async def _make(operating: Operating, options: ReleaseOptions) -> Figures:
    await operating.deploy(["first"])  # it has started, and knows the chart
    ones = [await operating.deploy([f"one-{number}"]) for number in range(options.rounds)]
    many = [
        await operating.deploy(_names(f"many-{number}", options.together)) for number in range(options.rounds)
    ]
    if options.made < options.releases:
        await operating.deploy(_names("more", options.releases - options.made))
    return {**_medians("1 release", ones), **_medians(f"{options.together} releases", many)}


async def _lie_idle(operating: Operating, runs: Callable[[], int], options: ReleaseOptions) -> Figures:
    await operating.deploy(["last"])  # it has started
    await operating.work(2 * options.period)  # and seen each once
    before = runs()
    passes, cpu = await operating.work(options.periods * options.period)
    return {
        "idle: CPU/pass": cpu / passes,
        "idle: passes due": max(options.made, options.releases) * options.periods,
        "idle: passes": passes,
        "idle: helm processes": runs() - before,
        "idle: memory": operating.process.cost().memory,
    }


def _alone(helm: HelmAlone, options: ReleaseOptions) -> dict[str, Figures]:
    helm.install(["first"])  # it has asked the server what it serves, and keeps the answer
    ones = [helm.install([f"one-{number}"]) for number in range(options.rounds)]
    found = {ALONE: _medians("1 release", ones)}
    for name, at_once in ((ONE_BY_ONE, 1), (TWO_AT_A_TIME, 2)):
        many = [
            helm.install(_names(f"by-{at_once}-{number}", options.together), at_once)
            for number in range(options.rounds)
        ]
        found[name] = _medians(f"{options.together} releases", many)
    upgraded = _names("by-1-0", options.together)
    found[UPGRADES] = {"idle: CPU/pass": helm.upgrade(upgraded).cpu / len(upgraded)}
    for name, figures in found.items():
        _tell(name, figures)
    return found


def _names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}-{number}" for number in range(count)]


def _lines(log: Path) -> int:
    return len(log.read_text().splitlines())


def _medians(what: str, rounds: Sequence[Spent]) -> Figures:
    return {
        f"{what}: wall": median(each.wall for each in rounds),
        f"{what}: CPU": median(each.cpu for each in rounds),
    }


def _tell(name: str, figures: Figures) -> None:
    print(f"{name}: {', '.join(f'{what} {value:.4g}' for what, value in figures.items())}", flush=True)


def _rows(found: dict[str, Figures], options: ReleaseOptions) -> Iterator[Row]:
    mine = found.pop(OURS)
    due, passes = mine["idle: passes due"], mine["idle: passes"]
    yield row("chart, idle: passes left out", "", "passes due", (max(due - passes, 0), due), _FEW)
    yield row("chart, idle: helm processes", "", "passes made", (mine["idle: helm processes"], passes), 0.0)
    for name, unit, scale, promise in (
        ("idle: CPU/pass", "ms", 1000, _FEW),
        ("idle: memory", "MB", 1, 1.0),
        ("1 release: wall", "s", 1, _DEPLOYED),
        ("1 release: CPU", "s", 1, None),
        (f"{options.together} releases: wall", "s", 1, _DEPLOYED),
        (f"{options.together} releases: CPU", "s", 1, None),
    ):
        for peer, figures in found.items():
            if name in figures:
                both = mine[name] * scale, figures[name] * scale
                yield row(f"chart, {name}", unit, peer, both, promise)
