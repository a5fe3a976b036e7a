"""The embedded API server beside the real one."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from benchmarks.result import Row, row
from windlass.testing import start_control_plane

Environment = dict[str, str]

REAL = "kube-apiserver"
LIMIT = "the limit"
WRITES = 3000
STORED = 100_000
EVENTS = 5000
RATE = 1000
STARTS = 7
START_LIMIT = 0.4
MEMORY_LIMIT = 400.0


def ran(module: str, environment: Environment, *arguments: str) -> dict[str, float]:
    """What a process prints last, read as JSON."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


@contextmanager
def embedded(environment: Environment) -> Iterator[str]:
    """The kubeconfig of an embedded server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        kubeconfig = str(Path(folder) / "kubeconfig")
        command = [sys.executable, "-m", "benchmarks.embedded", "serve", kubeconfig]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                if process.stdout is None or process.stdout.readline() != "ready\n":
                    sys.exit("the embedded server does not start")
                yield kubeconfig
            finally:
                process.terminate()


def server(environment: Environment) -> list[Row]:
    """Starting, writing, storing and watching."""
    begin = time.perf_counter()
    with start_control_plane() as running:
        real_start = time.perf_counter() - begin
        start = median(ran("embedded", environment, "start", "1")["seconds"] for _ in range(STARTS))
        with embedded(environment) as kubeconfig:
            over_https = ran("load", environment, "writes", kubeconfig, str(WRITES))
            real = ran("load", environment, "writes", str(running.access.kubeconfig), str(WRITES))
            watched = ran("load", environment, "watchers", kubeconfig, str(EVENTS))
        in_process = ran("embedded", environment, "writes", str(WRITES))
    if watched["lost"]:
        sys.exit(f"{watched['lost']} events were lost")
    stored = ran("embedded", environment, "stored", str(STORED))["mb"]
    rows = [
        row("start to first list", "s", LIMIT, (start, START_LIMIT)),
        row("start to first list", "s", REAL, (start, real_start), None),
    ]
    for verb in ("create", "patch"):
        theirs, ours = real[verb] * 1000, over_https[verb] * 1000
        rows.append(row(f"{verb}, HTTPS, 16 at a time", "ms", REAL, (ours, theirs), 1 / 1.5))
        rows.append(row(f"{verb}, in-process", "ms", REAL, (in_process[verb] * 1000, theirs), 1 / 4))
    rows.append(row("100k objects stored", "MB", LIMIT, (stored, MEMORY_LIMIT)))
    rows.append(row("100 watchers, 1,000 events/s", "s", "the writes", (watched["seen"], EVENTS / RATE), 1.2))
    return rows
