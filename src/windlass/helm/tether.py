"""What stands between an operator and a program that it runs, so that the program does not outlive it.

It asks the kernel to kill this process when the operator ends, however that ends, and becomes the program. It
is run by the path of this file (`python -I -S tether.py PID PROGRAM ARGUMENT…`). A hook between fork and exec
would do the same, and can deadlock in an operator with threads; util-linux has a program for it, which not
every image has.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Become the program; the arguments are the operator's process id, the program and its arguments."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == int(sys.argv[1]):  # else it ended before the kernel was asked
        try:
            os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - our own program, no shell
        except OSError as error:
            sys.exit(f"it cannot be started ({error.strerror})")


if __name__ == "__main__":
    main()
