"""The `helm` command line alone, as a person or a pipeline runs it."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson

from benchmarks.measured import Spent
from benchmarks.shop import CHART, VALUES


class HelmAlone:
    """Installs and upgrades releases of the chart in one namespace, with a folder for its caches."""

    def __init__(self, program: Path, kubeconfig: Path, namespace: str, folder: Path) -> None:
        values = folder / "values.json"
        values.write_bytes(orjson.dumps(VALUES))
        self._program = program
        self._rest = [str(CHART), "--namespace", namespace, "--values", str(values)]
        self._environment = {"PATH": os.defpath, "HOME": str(folder), "KUBECONFIG": str(kubeconfig)}

    def install(self, names: Sequence[str], at_once: int = 1) -> Spent:
        """Install a release of each of these names, so many at once."""
        return _together(lambda name: self._run("install", name), names, at_once)

    def upgrade(self, names: Sequence[str]) -> Spent:
        """Upgrade releases to what they are."""
        return _together(lambda name: self._run("upgrade", name), names, 1)

    def _run(self, verb: str, name: str) -> float:
        """The CPU seconds of one run."""
        command = [str(self._program), verb, name, *self._rest]
        process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"helm {verb} {name} ended with {process.returncode}")
        return used.ru_utime + used.ru_stime


def _together(run: Callable[[str], float], names: Sequence[str], at_once: int) -> Spent:
    begin = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        cpu = sum(pool.map(run, names))
    return Spent(time.perf_counter() - begin, cpu)
