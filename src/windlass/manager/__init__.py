"""One process of an operator: controllers, election, health, metrics and logs under one roof.

You need it to run reconcilers for real. It takes no signals, no ports and no logging setup unless it is
asked to, so that it can live inside another program and beside a second one of its kind; `windlass run` asks
for all of them.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.manager.address import Address as Address
    from windlass.manager.companion import Companion as Companion
    from windlass.manager.counting import CountingTransport as CountingTransport
    from windlass.manager.election import Election as Election
    from windlass.manager.election_options import ElectionOptions as ElectionOptions
    from windlass.manager.election_options import ElectionState as ElectionState
    from windlass.manager.election_options import unique_identity as unique_identity
    from windlass.manager.guard import Guard as Guard
    from windlass.manager.health import HealthLimits as HealthLimits
    from windlass.manager.health import QueueState as QueueState
    from windlass.manager.health import WatchState as WatchState
    from windlass.manager.health import dead_watches as dead_watches
    from windlass.manager.health import failing_watches as failing_watches
    from windlass.manager.health import late_beat as late_beat
    from windlass.manager.health import missing_kinds as missing_kinds
    from windlass.manager.health import reduced_caches as reduced_caches
    from windlass.manager.health import stale_watches as stale_watches
    from windlass.manager.health import stuck_queues as stuck_queues
    from windlass.manager.health import unready_caches as unready_caches
    from windlass.manager.health import unready_election as unready_election
    from windlass.manager.heartbeat import Heartbeat as Heartbeat
    from windlass.manager.listener import Listener as Listener
    from windlass.manager.listener import open_port as open_port
    from windlass.manager.log_time import TimeEncoding as TimeEncoding
    from windlass.manager.logs import LogFormat as LogFormat
    from windlass.manager.logs import LogOptions as LogOptions
    from windlass.manager.logs import configure_logging as configure_logging
    from windlass.manager.manager import Manager as Manager
    from windlass.manager.measure import ControllerMetrics as ControllerMetrics
    from windlass.manager.measure import QueueMetrics as QueueMetrics
    from windlass.manager.metric import Counters as Counters
    from windlass.manager.metric import Distributions as Distributions
    from windlass.manager.metric import Family as Family
    from windlass.manager.metric import Gauges as Gauges
    from windlass.manager.metric import Readings as Readings
    from windlass.manager.metrics import CacheReading as CacheReading
    from windlass.manager.metrics import Exposition as Exposition
    from windlass.manager.metrics import Metrics as Metrics
    from windlass.manager.options import ManagerOptions as ManagerOptions
    from windlass.manager.options import MetricsOptions as MetricsOptions
    from windlass.manager.options import WebhookSettings as WebhookSettings
    from windlass.manager.outcome import Outcome as Outcome
    from windlass.manager.outcome import outcome_of as outcome_of
    from windlass.manager.page import Ask as Ask
    from windlass.manager.page import Page as Page
    from windlass.manager.probe import Check as Check
    from windlass.manager.probe import Probe as Probe
    from windlass.manager.probe import Remark as Remark
    from windlass.manager.serving import Journal as Journal
    from windlass.manager.serving import JournalQuery as JournalQuery
    from windlass.manager.serving import Serving as Serving
    from windlass.manager.serving import Site as Site

__lazy__ = {
    "Address": "windlass.manager.address",
    "Ask": "windlass.manager.page",
    "CacheReading": "windlass.manager.metrics",
    "Check": "windlass.manager.probe",
    "Companion": "windlass.manager.companion",
    "ControllerMetrics": "windlass.manager.measure",
    "Counters": "windlass.manager.metric",
    "CountingTransport": "windlass.manager.counting",
    "Distributions": "windlass.manager.metric",
    "Election": "windlass.manager.election",
    "ElectionOptions": "windlass.manager.election_options",
    "ElectionState": "windlass.manager.election_options",
    "Exposition": "windlass.manager.metrics",
    "Family": "windlass.manager.metric",
    "Gauges": "windlass.manager.metric",
    "Guard": "windlass.manager.guard",
    "HealthLimits": "windlass.manager.health",
    "Heartbeat": "windlass.manager.heartbeat",
    "Journal": "windlass.manager.serving",
    "JournalQuery": "windlass.manager.serving",
    "Listener": "windlass.manager.listener",
    "LogFormat": "windlass.manager.logs",
    "LogOptions": "windlass.manager.logs",
    "Manager": "windlass.manager.manager",
    "ManagerOptions": "windlass.manager.options",
    "Metrics": "windlass.manager.metrics",
    "MetricsOptions": "windlass.manager.options",
    "Outcome": "windlass.manager.outcome",
    "Page": "windlass.manager.page",
    "Probe": "windlass.manager.probe",
    "QueueMetrics": "windlass.manager.measure",
    "QueueState": "windlass.manager.health",
    "Readings": "windlass.manager.metric",
    "Remark": "windlass.manager.probe",
    "Serving": "windlass.manager.serving",
    "Site": "windlass.manager.serving",
    "TimeEncoding": "windlass.manager.log_time",
    "WatchState": "windlass.manager.health",
    "WebhookSettings": "windlass.manager.options",
    "configure_logging": "windlass.manager.logs",
    "dead_watches": "windlass.manager.health",
    "failing_watches": "windlass.manager.health",
    "late_beat": "windlass.manager.health",
    "open_port": "windlass.manager.listener",
    "outcome_of": "windlass.manager.outcome",
    "missing_kinds": "windlass.manager.health",
    "reduced_caches": "windlass.manager.health",
    "stale_watches": "windlass.manager.health",
    "stuck_queues": "windlass.manager.health",
    "unique_identity": "windlass.manager.election_options",
    "unready_caches": "windlass.manager.health",
    "unready_election": "windlass.manager.health",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
