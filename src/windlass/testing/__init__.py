"""What an operator is tested with: an API server at once, a whole cluster, the real one, faults, simulation.

In pytest, ask for a fixture:

    async def test_an_application_comes_up(operator: Starter) -> None:
        async with operator(WebAppController()) as trial:
            await trial.client.create(WebApp(metadata=ObjectMeta(name="web")))
            await trial.ready(WebApp, "web")

It runs on an API server in the test's own process or, with `--control-plane real`, on etcd and
kube-apiserver, of which one pair serves the whole run and all its workers. `control_plane` and `namespace`
give the bare server. Nothing is left behind, even when the test run is killed.

What an operator has to stand, and how to see that it does:

- `TrialOptions(whole=True)`: controllers, a scheduler and nodes run its pods.
- `Faults`: requests that are refused, lost or late, watches that break off or fall silent; by seed. A
  `FaultyTransport` has them on the way to any server, and splits networks; `Cluster.faults` has them in the
  embedded one.
- `least_privilege`: it runs under exactly its role, and neither lacks nor wastes a grant.
- `admit`: a webhook alone is asked about an object. A whole operator has its webhooks asked by the server.
- `check_conversion`: no version of a kind loses anything on the way to another and back.
- `assert_settled`: another pass over a world in which nothing changed makes no API call.
- `Trial.assert_drift_repaired`: every field that it applied is put back after an edit or a removal.
- `simulate`: thousands of runs on virtual time, each with the faults, delays, crashes and lost leases that
  its seed decides; also a fixture. A `Scenario` says what people do, and what is true.

Outside pytest, `ControlPlane` starts the real programs and `on_trial` runs an operator anywhere. The programs
come from `windlass.tools`; `windlass tools install control-plane` provides them.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.apiserver.fault import CALM as CALM
    from windlass.apiserver.fault import Faults as Faults
    from windlass.apiserver.fault import Injection as Injection
    from windlass.apiserver.fault import Scope as Scope
    from windlass.cluster import Access as Access
    from windlass.pki import KeyPair as KeyPair
    from windlass.testing.admit import Admitted as Admitted
    from windlass.testing.admit import admit as admit
    from windlass.testing.control_plane import ControlPlane as ControlPlane
    from windlass.testing.control_plane import RunningControlPlane as RunningControlPlane
    from windlass.testing.control_plane import start_control_plane as start_control_plane
    from windlass.testing.conversion import check_conversion as check_conversion
    from windlass.testing.conversion import objects_of as objects_of
    from windlass.testing.drift import DriftReport as DriftReport
    from windlass.testing.faulty import FaultyTransport as FaultyTransport
    from windlass.testing.helm import StandInHelm as StandInHelm
    from windlass.testing.install import install_kinds as install_kinds
    from windlass.testing.nodes import LOCAL_IMAGE as LOCAL_IMAGE
    from windlass.testing.nodes import fast_nodes as fast_nodes
    from windlass.testing.operator import Starter as Starter
    from windlass.testing.operator import TrialOptions as TrialOptions
    from windlass.testing.operator import on_trial as on_trial
    from windlass.testing.options import ControlPlaneOptions as ControlPlaneOptions
    from windlass.testing.port import hold_port as hold_port
    from windlass.testing.privilege import Granted as Granted
    from windlass.testing.privilege import least_privilege as least_privilege
    from windlass.testing.processes import Processes as Processes
    from windlass.testing.settled import RecordingTransport as RecordingTransport
    from windlass.testing.settled import assert_settled as assert_settled
    from windlass.testing.simulation import Court as Court
    from windlass.testing.simulation import Holding as Holding
    from windlass.testing.simulation import Judge as Judge
    from windlass.testing.simulation import Outcome as Outcome
    from windlass.testing.simulation import Outside as Outside
    from windlass.testing.simulation import Readiness as Readiness
    from windlass.testing.simulation import Scenario as Scenario
    from windlass.testing.simulation import Simulate as Simulate
    from windlass.testing.simulation import SimulatedLoop as SimulatedLoop
    from windlass.testing.simulation import SimulatedWorld as SimulatedWorld
    from windlass.testing.simulation import Weather as Weather
    from windlass.testing.simulation import simulate as simulate
    from windlass.testing.simulation import simulate_many as simulate_many
    from windlass.testing.trial import Trial as Trial

__lazy__ = {
    "LOCAL_IMAGE": "windlass.testing.nodes",
    "fast_nodes": "windlass.testing.nodes",
    "Access": "windlass.cluster.access",
    "Admitted": "windlass.testing.admit",
    "CALM": "windlass.apiserver.fault",
    "ControlPlane": "windlass.testing.control_plane",
    "ControlPlaneOptions": "windlass.testing.options",
    "Court": "windlass.testing.simulation",
    "Faults": "windlass.apiserver.fault",
    "DriftReport": "windlass.testing.drift",
    "FaultyTransport": "windlass.testing.faulty",
    "Granted": "windlass.testing.privilege",
    "Holding": "windlass.testing.simulation",
    "Injection": "windlass.apiserver.fault",
    "Judge": "windlass.testing.simulation",
    "KeyPair": "windlass.pki.certificate",
    "Outcome": "windlass.testing.simulation",
    "Outside": "windlass.testing.simulation",
    "Processes": "windlass.testing.processes",
    "Readiness": "windlass.testing.simulation",
    "RecordingTransport": "windlass.testing.settled",
    "RunningControlPlane": "windlass.testing.control_plane",
    "Scenario": "windlass.testing.simulation",
    "Scope": "windlass.apiserver.fault",
    "Simulate": "windlass.testing.simulation",
    "SimulatedLoop": "windlass.testing.simulation",
    "SimulatedWorld": "windlass.testing.simulation",
    "StandInHelm": "windlass.testing.helm",
    "Starter": "windlass.testing.operator",
    "Trial": "windlass.testing.trial",
    "TrialOptions": "windlass.testing.operator",
    "Weather": "windlass.testing.simulation",
    "admit": "windlass.testing.admit",
    "assert_settled": "windlass.testing.settled",
    "check_conversion": "windlass.testing.conversion",
    "hold_port": "windlass.testing.port",
    "install_kinds": "windlass.testing.install",
    "least_privilege": "windlass.testing.privilege",
    "objects_of": "windlass.testing.conversion",
    "on_trial": "windlass.testing.operator",
    "simulate": "windlass.testing.simulation",
    "simulate_many": "windlass.testing.simulation",
    "start_control_plane": "windlass.testing.control_plane",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
