"""The programs of the demo: each a process of its own, started again when it ends, all gone with the demo."""

from __future__ import annotations

import asyncio
import shlex
import sys
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.testing import Processes, hold_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

CONTROL_PLANE: Final = "control-plane"
OPERATORS: Final = "operators"
SIMULATOR: Final = "pagerduty"

LABELS: Final = {"node-role.kubernetes.io/worker": "worker"}
"""Of every node, for the operators whose samples ask for workers."""

_WINDLASS: Final = shlex.join([sys.executable, "-m", "windlass"])
_PROGRAM: Final = shlex.join([sys.executable, "-m", "windlass.cli.demo.cloud"])
_SERVED: Final = f"{_WINDLASS} run windlass.operators.peerpod.webhook"
_NO_PORTS: Final = "--metrics-bind-address 0 --health-probe-bind-address 0"
_POD_WEBHOOK: Final = f"env WEBHOOK_PORT=$(WINDLASS_PORT_9443) {_SERVED} {_NO_PORTS}"
_TOKEN: Final = "simulated"  # noqa: S105 - of an account in memory
_LOOK: Final = timedelta(milliseconds=200)


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """The loopback ports of the demo, free when they were chosen."""

    server: int
    simulator: int
    metrics: int
    health: int

    @classmethod
    def choose(cls) -> Addresses:
        """Ports that nobody has at the moment."""
        with ExitStack() as held:
            sockets = [held.enter_context(hold_port()) for _ in fields(cls)]
            ports = [each.getsockname()[1] for each in sockets]
        return cls(**dict(zip((each.name for each in fields(cls)), ports, strict=True)))

    @property
    def environment(self) -> dict[str, str]:
        """What the operators are told."""
        return {
            "PAGERDUTY_TOKEN": _TOKEN,
            "PAGERDUTY_API_URL": f"http://127.0.0.1:{self.simulator}",
            "PAGERDUTY_RESYNC": "10s",
            "PEERPODS_CLOUD_PROGRAMS": f"libvirt={_PROGRAM} cloud",
            "PEERPODS_GRACE": "5s",
        }


class Stage:
    """Where the programs run."""

    def __init__(self, processes: Processes, addresses: Addresses) -> None:
        self._processes = processes
        self.addresses = addresses

    @property
    def kubeconfig(self) -> Path:
        """How to reach the control plane, once it is up."""
        return self._processes.folder / "data" / "kubeconfig"

    @property
    def logs(self) -> Path:
        """Where each program has a log."""
        return self._processes.folder

    def start_control_plane(self, nodes: int, *, real: bool) -> None:
        """Start the embedded control plane with its data on disk, or the real one, and this many nodes."""
        folder = self.kubeconfig.parent
        simulated = ["--nodes", str(nodes)]
        for name, value in LABELS.items():
            simulated += ["--label", f"{name}={value}"]
        simulated += ["--image", f"*/peer-pods-webhook:*={_POD_WEBHOOK}"]
        if real:
            folder.mkdir()
            self._start(
                CONTROL_PLANE, "control-plane", "--restart", "--kubeconfig", str(self.kubeconfig), *simulated
            )
        else:
            port = str(self.addresses.server)
            self._start(CONTROL_PLANE, "up", "--port", port, "--data", str(folder), *simulated)

    def start_simulator(self) -> None:
        """Start PagerDuty."""
        self._start(
            SIMULATOR, "pagerduty-simulator", "--port", str(self.addresses.simulator), "--key", _TOKEN
        )

    def start_operators(self) -> None:
        """Start all operators in one manager, of which one process leads."""
        self._start(
            OPERATORS,
            "run",
            "windlass.operators.all",
            f"--kubeconfig={self.kubeconfig}",
            "--leader-elect",
            "--leader-election-namespace=default",
            f"--metrics-bind-address=127.0.0.1:{self.addresses.metrics}",
            f"--health-probe-bind-address=127.0.0.1:{self.addresses.health}",
        )

    async def watch(self, say: Callable[[str], None]) -> None:
        """Start again whatever ends, and say so, until cancelled."""
        while True:
            await asyncio.to_thread(self._processes.check, _LOOK)
            while self._processes.revived:
                say(f"started again: {self._processes.revived.pop(0)}")

    def _start(self, name: str, *words: str) -> None:
        self._processes.start(name, [sys.executable, "-m", "windlass", *words], lasting=True)


@asynccontextmanager
async def open_stage() -> AsyncIterator[Stage]:
    """A stage for the length of the block; at its end, every program is ended and every file removed."""
    addresses = Addresses.choose()
    processes = Processes("demo", addresses.environment)
    try:
        yield Stage(processes, addresses)
    finally:
        await asyncio.to_thread(processes.stop)
