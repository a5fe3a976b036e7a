from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from windlass.errors import ToolError
from windlass.testing import failure

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping
    from datetime import timedelta
    from pathlib import Path

_STOP_TIMEOUT = 15.0  # longer than the supervisor waits for its children
_PAUSE = 1.0  # from one start of a program to the next, so that one that ends at once does no harm
_SUPERVISOR = "supervisor"


class Processes:
    """Programs that work together, such as those of a control plane, in a temporary folder of their own.

    Their own temporary files lie in it too, so that a program that is killed leaves nothing elsewhere.
    They belong to a supervisor (`windlass.testing.supervisor`), which ends them and removes the folder when
    this process is gone, however it went. Only `abort` may be called from another thread. `environment` is
    what they have beside this process's own.
    """

    def __init__(self, name: str = "control-plane", environment: Mapping[str, str] | None = None) -> None:
        import tempfile
        from pathlib import Path

        self.folder: Path = Path(tempfile.mkdtemp(prefix=f"windlass-{name}-"))
        self.revived: list[str] = []
        self._environment = environment or {}
        self._commands: dict[str, list[str]] = {}
        self._lasting: set[str] = set()
        self._begun: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._pids: dict[str, int] = {}
        self._killed: set[str] = set()
        self._gone: set[str] = set()
        self._received = b""
        self._supervisor = self._launch()

    @property
    def pids(self) -> Mapping[str, int]:
        """The process id of each program that is known to have started, and of the supervisor."""
        return {_SUPERVISOR: self._supervisor.pid, **self._pids}

    def start(self, name: str, command: list[str], *, lasting: bool = False) -> None:
        """Have a program started. Whether it runs, `check` tells.

        One that is `lasting` is started again by `check` when it ends, at most once a second; `revived` has a
        line for each time, which says how it ended.

        Raises:
            ToolError: the supervisor is gone.
        """
        self._commands[name] = command
        if lasting:
            self._lasting.add(name)
        self._begin(name)

    def keep_alive(self) -> None:
        """From now on, let every program be `lasting`."""
        self._lasting.update(self._commands)

    def kill(self, name: str) -> None:
        """Kill a program, and return when it is gone; for one that was killed already, that is now.

        Raises:
            ToolError: another program ended meanwhile, or the supervisor is gone.
        """
        if name not in self._commands:
            raise ToolError(f"the control plane has no program {name!r}, only {', '.join(self._commands)}")
        if name not in self._killed:
            self._killed.add(name)
            if self._due.pop(name, None) is None:
                self._order({"name": name})
            else:  # it has ended by itself, and was to be started again
                self._gone.add(name)
        while name not in self._gone:
            self._receive(os.read(_descriptor(self._supervisor.stdout), 65536))

    def revive(self, name: str) -> None:
        """Start a program anew that was killed, with the same command.

        Raises:
            ToolError: the supervisor is gone.
        """
        self._killed.discard(name)
        self._gone.discard(name)
        self.start(name, self._commands[name])

    def check(self, wait: timedelta) -> None:
        """Return after `wait`, or raise at once when a program ends before that.

        Raises:
            ToolError: a program ended, or the supervisor did; the message has the end of its log.
        """
        import selectors
        import time

        output = _descriptor(self._supervisor.stdout)
        deadline = time.monotonic() + wait.total_seconds()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while True:
                self._begin_due(time.monotonic())
                until = min((deadline, *self._due.values()))
                if selector.select(max(0.0, until - time.monotonic())):
                    self._receive(os.read(output, 65536))
                elif time.monotonic() >= deadline:
                    return

    def not_ready(self, awaited: str) -> ToolError:
        """The error for programs that run but do not get ready."""
        return ToolError(failure.not_ready(awaited, [self._log(name) for name in self._commands]))

    def abort(self) -> None:
        """Have everything ended soon, from any thread; whoever is in `check` gets a `ToolError`."""
        self._supervisor.terminate()

    def stop(self) -> None:
        """End everything and remove the folder. Doing it again does nothing."""
        import shutil
        import subprocess

        self._supervisor.terminate()
        for pipe in (self._supervisor.stdin, self._supervisor.stdout):
            if pipe:
                pipe.close()
        try:
            self._supervisor.wait(_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:  # its heir and the kernel end what it did not
            self._supervisor.kill()
            self._supervisor.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _launch(self) -> subprocess.Popen[bytes]:
        import shutil
        import subprocess
        import sys
        from pathlib import Path

        program = Path(__file__).with_name("supervisor.py")
        temporary = self.folder / "tmp"
        temporary.mkdir()
        # -I -S: no user's setting and no installed package can change or slow it.
        command = [sys.executable, "-I", "-S", str(program), str(self.folder), str(os.getpid())]
        # etcd takes every ETCD_… variable for a flag.
        env = {name: value for name, value in os.environ.items() if not name.startswith("ETCD_")}
        env["TMPDIR"] = str(temporary)
        env.update(self._environment)
        try:
            with self._log(_SUPERVISOR).open("wb") as log:
                return subprocess.Popen(  # noqa: S603 - our own program, no shell
                    command,
                    env=env,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,  # Ctrl-C is for this process, which then stops them in order
                    bufsize=0,
                )
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _begin(self, name: str) -> None:
        import time

        self._begun[name] = time.monotonic()
        self._due.pop(name, None)
        self._order({"name": name, "command": self._commands[name]})

    def _begin_due(self, now: float) -> None:
        for name in [name for name, due in self._due.items() if due <= now]:
            self._begin(name)

    def _order(self, order: Mapping[str, Any]) -> None:
        try:
            os.write(_descriptor(self._supervisor.stdin), json.dumps(order).encode() + b"\n")
        except BrokenPipeError:
            raise self._supervisor_gone() from None

    def _receive(self, received: bytes) -> None:
        if not received:
            raise self._supervisor_gone()
        *lines, self._received = (self._received + received).split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def _take(self, event: Mapping[str, Any]) -> None:
        name = event["name"]
        if "pid" in event:
            self._pids[name] = event["pid"]
        elif name in self._killed:
            self._gone.add(name)
            self._pids.pop(name, None)
        else:
            self._take_end(name, event["code"])

    def _take_end(self, name: str, code: int) -> None:
        import time

        if name not in self._lasting:
            raise ToolError(failure.ended(name, code, self._commands[name], self._log(name)))
        self._pids.pop(name, None)
        self._due[name] = max(time.monotonic(), self._begun[name] + _PAUSE)
        self.revived.append(failure.in_brief(name, code, self._log(name)))

    def _supervisor_gone(self) -> ToolError:
        code = self._supervisor.wait(_STOP_TIMEOUT)
        said = failure.last_words(self._log(_SUPERVISOR))
        return ToolError(
            "\n".join([f"the supervisor of the control plane is gone (exit code {code})", *said])
        )

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"


def _descriptor(pipe: Any) -> int:
    if pipe.closed:
        raise ToolError("the control plane was stopped")
    return int(pipe.fileno())
