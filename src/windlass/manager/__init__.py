"""One process of an operator: controllers, election, health, metrics and logs under one roof.

You need it to run reconcilers for real. It takes no signals, no ports and no logging setup unless it is
asked to, so that it can live inside another program and beside a second one of its kind; `windlass run` asks
for all of them.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.manager.address import Address as Address
    from windlass.manager.counting import CountingTransport as CountingTransport
    from windlass.manager.election import Election as Election
    from windlass.manager.election_options import ElectionOptions as ElectionOptions
    from windlass.manager.election_options import ElectionState as ElectionState
    from windlass.manager.election_options import unique_identity as unique_identity
    from windlass.manager.manager import Manager as Manager
    from windlass.manager.measure import ControllerMetrics as ControllerMetrics
    from windlass.manager.measure import QueueMetrics as QueueMetrics
    from windlass.manager.metrics import CacheReading as CacheReading
    from windlass.manager.metrics import Exposition as Exposition
    from windlass.manager.metrics import Metrics as Metrics
    from windlass.manager.options import ManagerOptions as ManagerOptions
    from windlass.manager.options import MetricsOptions as MetricsOptions
    from windlass.manager.outcome import Outcome as Outcome
    from windlass.manager.outcome import outcome_of as outcome_of

__lazy__ = {
    "Address": "windlass.manager.address",
    "CacheReading": "windlass.manager.metrics",
    "ControllerMetrics": "windlass.manager.measure",
    "CountingTransport": "windlass.manager.counting",
    "Election": "windlass.manager.election",
    "ElectionOptions": "windlass.manager.election_options",
    "ElectionState": "windlass.manager.election_options",
    "Exposition": "windlass.manager.metrics",
    "Manager": "windlass.manager.manager",
    "ManagerOptions": "windlass.manager.options",
    "Metrics": "windlass.manager.metrics",
    "MetricsOptions": "windlass.manager.options",
    "Outcome": "windlass.manager.outcome",
    "QueueMetrics": "windlass.manager.measure",
    "outcome_of": "windlass.manager.outcome",
    "unique_identity": "windlass.manager.election_options",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
