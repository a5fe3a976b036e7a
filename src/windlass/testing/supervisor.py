"""The process between a control plane and whoever started it, so that nothing is left behind.

It starts the programs that it is told to start, says when one of them ends, and ends them all and removes
their folder as soon as its starter is gone or sends SIGTERM. Whoever is killed, somebody is left to clean up:

- the starter is killed: the pipe that is this process's standard input closes (or, when a process forked by
  the starter still holds it, this process notices that it has a new parent);
- this process is killed: on Linux the kernel kills the programs, and everywhere the heir, a copy of this
  process that does nothing but wait for its end, kills what still runs and removes the folder.

It is run by the path of this file (`python -I -S supervisor.py FOLDER PID`) and imports the standard library
alone, because it stands at the beginning of every start. The conversation is one JSON object a line:

    in:  {"name": "etcd", "command": ["/usr/bin/etcd", "--data-dir=data"]}
    in:  {"name": "etcd"}   (kill it)
    out: {"name": "etcd", "pid": 4711}
    out: {"name": "etcd", "code": 1}
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
_CANNOT_START = 127  # what a shell says of a program that it cannot start
# kube-apiserver ends within 1.1 s, but waits a minute for clients that watch; no data here is worth that.
_GRACE = 2.0
_PARENT_CHECK = 1.0
_REMOVAL = 10.0


class Supervisor:
    """Starts programs in a folder, tells when they end, and ends them all when the starter is gone."""

    def __init__(self, folder: Path, parent: int) -> None:
        self._folder = folder
        self._parent = parent
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._ended: set[str] = set()
        self._received = b""
        self._stopping = False

    def run(self) -> None:
        """Serve the starter until it is gone, then clean up."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_on_signals(), selectors.EVENT_READ, _drain)
            selector.register(sys.stdin.fileno(), selectors.EVENT_READ, self._listen)
            while not self._stopping:
                for key, _ in selector.select(_PARENT_CHECK):
                    key.data(key.fd)
                self._report_ends()
                if os.getppid() != self._parent:
                    self._stop()
        self._end_all()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wake_on_signals(self) -> int:
        """A descriptor that becomes readable when a child ends or when this process is asked to end."""
        readable, writable = os.pipe()
        os.set_blocking(readable, False)
        os.set_blocking(writable, False)
        signal.set_wakeup_fd(writable)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self._stop())
        return readable

    def _stop(self) -> None:
        self._stopping = True

    def _listen(self, source: int) -> None:
        received = os.read(source, 65536)
        if not received:
            self._stop()
        *lines, self._received = (self._received + received).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "command" in order:
                self._start(order["name"], order["command"])
            else:
                self._kill(order["name"])

    def _start(self, name: str, command: list[str]) -> None:
        with (self._folder / f"{name}.log").open("ab", buffering=0) as log:
            try:
                child = subprocess.Popen(  # noqa: S603 - the starter is trusted, and there is no shell
                    command,
                    cwd=self._folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    preexec_fn=_share_fate(),  # noqa: PLW1509 - safe: this process has one thread
                )
            except OSError as error:
                log.write(f"{error}\n".encode())
                _tell(name=name, code=_CANNOT_START)
            else:
                self._children[name] = child
                self._ended.discard(name)
                _tell(name=name, pid=child.pid)

    def _kill(self, name: str) -> None:
        child = self._children.get(name)  # none when it could not be started, which was told
        if child is not None:
            child.kill()
            child.wait()  # its end is told with those of all others

    def _report_ends(self) -> None:
        for name, child in self._children.items():
            if name not in self._ended and child.poll() is not None:
                self._ended.add(name)
                _tell(name=name, code=child.returncode)

    def _end_all(self) -> None:
        """End the children in the reverse of the order in which they lean on each other."""
        deadline = time.monotonic() + _GRACE
        for child in reversed(self._children.values()):
            child.terminate()
            try:
                child.wait(max(0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def _drain(source: int) -> None:
    with suppress(BlockingIOError):
        os.read(source, 4096)


def _tell(**event: Any) -> None:
    with suppress(BrokenPipeError):  # the starter is gone, which the next turn of the loop notices
        os.write(sys.stdout.fileno(), json.dumps(event).encode() + b"\n")


def _share_fate() -> Callable[[], None] | None:
    """What a child does before it becomes the program: ask the kernel to kill it when this process ends."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    supervisor = os.getpid()

    def share_fate() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:  # it ended before the kernel was asked
            os._exit(_CANNOT_START)

    return share_fate


def leave_heir(folder: Path) -> None:
    """Leave a process that waits for the end of this one, then kills its group and removes `folder`."""
    group = os.getpgrp()
    readable, held_until_the_end = os.pipe()
    if os.fork():
        os.close(readable)
        return
    os.setpgid(0, 0)
    for descriptor in (held_until_the_end, 0, 1, 2):
        os.close(descriptor)
    os.read(readable, 1)  # returns when the only other holder of the pipe is gone
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    deadline = time.monotonic() + _REMOVAL
    while folder.exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)  # again when a dying program has just written a file
        time.sleep(0.02)
    os._exit(0)


def main() -> None:
    """Supervise; the arguments are the folder and the process id of the starter."""
    folder, parent = Path(sys.argv[1]), int(sys.argv[2])
    if os.getpgrp() != os.getpid():
        os.setsid()  # Ctrl-C in a terminal is for the starter, and the heir kills a whole group
    leave_heir(folder)
    Supervisor(folder, parent).run()


if __name__ == "__main__":
    main()
