"""The fixtures `control_plane`, `namespace` and `simulate`, and the options that they heed.

pytest loads this module wherever Windlass is installed, so it imports next to nothing and does nothing unless
a test asks. One control plane serves a whole run: under pytest-xdist the controller process starts it before
the workers and tells them where it is, otherwise the first test that asks does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.cluster import Access
from windlass.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.aio import ManualClock
    from windlass.cluster import Cluster
    from windlass.cluster.node import NodeOptions
    from windlass.testing.control_plane import RunningControlPlane
    from windlass.testing.embedded import EmbeddedControlPlane
    from windlass.testing.operator import Starter
    from windlass.testing.simulation import Scenario, Simulate, Survey


_RUNNING: pytest.StashKey[RunningControlPlane | EmbeddedControlPlane] = pytest.StashKey()
_HANDED_OVER = "windlass_control_plane"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("windlass", "Windlass")
    group.addoption(
        "--control-plane",
        choices=["real", "embedded"],
        help="what the control_plane fixture is: real starts etcd and kube-apiserver, once for the whole "
        "run; embedded serves Windlass's own API server from each test process",
    )
    group.addoption(
        "--control-plane-controllers",
        action="store_true",
        help="run its controllers and its scheduler too, the real ones in the real one, Windlass's in the "
        "embedded one, and three simulated nodes (windlass.testing.fast_nodes says which)",
    )
    group.addoption(
        "--simulation-seeds",
        type=int,
        help="how many seeds each simulation runs, in place of what its test says",
    )
    group.addoption("--simulation-seed", type=int, help="the one seed that each simulation runs: a replay")


@pytest.hookimpl(optionalhook=True)  # the hook is pytest-xdist's, which may not be installed
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where the control plane is."""
    if node.config.getoption("--control-plane") != "real":
        return
    try:
        node.workerinput[_HANDED_OVER] = _started(node.config).to_dict()
    except ToolError as error:  # pytest would show its own stack, not what to do
        pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.hookimpl(trylast=True)  # when the fixtures are done with it
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop an embedded control plane, whose thread would load modules while other plugins still do."""
    if session.config.getoption("--control-plane") == "embedded":
        _stop(session.config)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop a control plane that outlived the session: pytest-xdist's workers have ended by now."""
    _stop(config)


def _stop(config: pytest.Config) -> None:
    running = config.stash.get(_RUNNING, None)
    if running:
        running.stop()


@pytest.fixture(scope="session")
def control_plane(shared_control_plane: Access) -> Access:
    """The control plane of this run. All tests share it: work in a `namespace`, leave nothing outside."""
    return shared_control_plane


@pytest.fixture(scope="session")
def shared_control_plane(request: pytest.FixtureRequest) -> Access:
    """What `control_plane` is unless a project puts something else in its place."""
    config = request.config
    if not config.getoption("--control-plane"):
        pytest.skip("needs a control plane: run pytest with --control-plane real, or embedded")
    handed_over = getattr(config, "workerinput", {}).get(_HANDED_OVER)
    return Access.from_dict(handed_over) if handed_over else _started(config)


@pytest.fixture
def namespace(control_plane: Access) -> Iterator[str]:
    """The name of a namespace that is this test's alone. It is deleted afterwards, which nobody waits for."""
    from windlass.testing.namespace import create_namespace, delete_namespace

    name = create_namespace(control_plane)
    yield name
    delete_namespace(control_plane, name)


@pytest.fixture
def api_server() -> Iterator[Cluster]:
    """An API server in this process, for this test alone, at once: `Client(api_server.transport())`."""
    from windlass.cluster import Cluster

    cluster = Cluster()
    yield cluster
    cluster.server.close()


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands still until the test moves it: `await clock.advance(timedelta(hours=10))`."""
    from windlass.aio import ManualClock

    return ManualClock()


@pytest.fixture
def operator(request: pytest.FixtureRequest) -> Starter:
    """What runs an operator in a test.

        async with operator(WebAppController()) as trial: ...

    It stands on an API server of this process, which is the test's alone; or, with `--control-plane real`, on
    that of the run.
    """
    from windlass.testing.operator import Starter

    if request.config.getoption("--control-plane"):
        return Starter(request.getfixturevalue("control_plane"))
    return Starter(request.getfixturevalue("api_server"))


@pytest.fixture
def simulate(request: pytest.FixtureRequest) -> Simulate:
    """Run a scenario with many seeds, and fail with the first one that fails: `simulate(Shops, seeds=50)`."""
    many: int | None = request.config.getoption("--simulation-seeds")
    one: int | None = request.config.getoption("--simulation-seed")

    def run(scenario: Callable[[], Scenario], seeds: int = 50) -> Survey:
        from windlass.testing.simulation import simulate_many

        return simulate_many(scenario, range(many or seeds) if one is None else [one])

    return run


def _started(config: pytest.Config) -> Access:
    if _RUNNING in config.stash:
        return config.stash[_RUNNING].access
    controllers = bool(config.getoption("--control-plane-controllers"))
    nodes = _nodes() if controllers else 0
    if config.getoption("--control-plane") == "embedded":
        from windlass.cluster import ClusterOptions
        from windlass.testing.embedded import EmbeddedControlPlane

        config.stash[_RUNNING] = EmbeddedControlPlane(ClusterOptions(controllers=controllers, nodes=nodes))
    else:
        from windlass.testing.control_plane import start_control_plane
        from windlass.testing.options import ControlPlaneOptions

        config.stash[_RUNNING] = start_control_plane(
            ControlPlaneOptions(controllers=controllers, nodes=nodes)
        )
    return config.stash[_RUNNING].access


def _nodes() -> NodeOptions:
    """The nodes of a test: no test wants to wait as long as a cluster does."""
    from windlass.testing.nodes import fast_nodes

    return fast_nodes()
