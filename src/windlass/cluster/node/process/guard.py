"""The process between a node and a program that it runs, so that nothing is left behind.

It starts the program in a process group of its own, passes SIGTERM on to the group, and ends as the program
does, with what is left of the group killed. When its standard input ends, because the node is gone or wants
the program killed, it kills the group at once. It is run by the path of this file (`python -I -S guard.py
COMMAND…`) and imports the standard library alone, because it stands at the beginning of every start.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_CANNOT_START = 127  # what a shell says of a program that it cannot start
_KILLED = 128


def main() -> int:
    """Run the command that the arguments are; returns what to end with."""
    guard = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until there is somebody to pass it on to
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def share_fate() -> None:
        """Let the program be asked to end, and have the kernel kill it if this process is killed."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != guard:  # it ended before the kernel was asked
                os._exit(_CANNOT_START)

    try:
        child = subprocess.Popen(  # noqa: S603 - the node is trusted, and there is no shell
            sys.argv[1:],
            stdin=subprocess.DEVNULL,
            process_group=0,
            preexec_fn=share_fate,  # noqa: PLW1509 - safe: this process has one thread yet
        )
    except OSError as error:
        print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)  # noqa: T201 - this is the container's log
        return _CANNOT_START
    signal.signal(signal.SIGTERM, lambda *_: _signal(child.pid, signal.SIGTERM))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=_kill_in_the_end, args=(child.pid,), daemon=True).start()
    code = child.wait()
    _signal(child.pid, signal.SIGKILL)
    return code if code >= 0 else _KILLED - code


def _kill_in_the_end(group: int) -> None:
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    _signal(group, signal.SIGKILL)


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


if __name__ == "__main__":
    sys.exit(main())
