"""How an operator is run, without mistakes."""

from datetime import timedelta

from windlass import ManagerOptions
from windlass.controller import ControllerOptions
from windlass.manager import MetricsOptions

OPTIONS = ManagerOptions(
    name="shop",
    namespaces=("default",),
    drain=timedelta(seconds=20),
    metrics=MetricsOptions(),
    max_concurrent_reconciles=4,
)
OF_ONE = ControllerOptions(workers=3, time_limit=timedelta(minutes=1))
