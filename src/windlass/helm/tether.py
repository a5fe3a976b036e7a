"""What stands between an operator and a program that it runs, so that the program does not outlive it.

It asks the kernel to kill this process when the operator ends, however that ends, limits what it may use, and
becomes the program. It is run by the path of this file (`python -I -S tether.py PID LIMITS PROGRAM
ARGUMENT…`); LIMITS are seconds of processor time and bytes of memory (`60,402653184`), or empty. A hook
between fork and exec would do the same, and can deadlock in an operator with threads; util-linux has a
program for it, which not every image has.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the program; the arguments are the operator's process id, the limits, the program, its own."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(sys.argv[1]):  # else it ended before the kernel was asked
        if sys.argv[2]:
            cpu, memory = map(int, sys.argv[2].split(","))
            limit(resource.RLIMIT_CPU, cpu)
            limit(resource.RLIMIT_DATA, memory)
        try:
            os.execv(sys.argv[3], sys.argv[3:])  # noqa: S606 - our own program, no shell
        except OSError as error:
            sys.exit(f"it cannot be started ({error.strerror})")


def limit(what: int, value: int) -> None:
    """Lower a limit of this process, which the program inherits; a lower one that is set already stays."""
    _, hard = resource.getrlimit(what)
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
