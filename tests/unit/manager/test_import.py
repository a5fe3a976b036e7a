from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from windlass.aio import SystemClock
from windlass.manager import LogOptions, ManagerOptions, Metrics, Probe, Serving, Site

metrics = Metrics(SystemClock())
controller = metrics.controller("webapp", workers=1)
controller.ended(controller.started(), "success")
Serving(ManagerOptions(), Site(live=Probe("a"), ready=Probe("b"), metrics=metrics, journal=lambda _: ()))
dear = {"aiohttp", "cryptography", "prometheus_client", "pydantic", "yaml"}
print(*sorted(dear & sys.modules.keys()))
"""


def test_a_manager_that_serves_nothing_loads_no_server_and_no_prometheus() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == ""
