"""The end of a command that is told to stop while it is still being loaded."""

from __future__ import annotations

import os
import signal

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What tells a command to stop."""


def exit_at_once(number: int, _frame: object = None) -> None:
    """End this process with a line and without a clean-up, as a handler of a signal."""
    os.write(2, b"Stopped.\n")
    os._exit(128 + number)


def exit_on_signals() -> None:
    """Let SIGINT, SIGTERM and SIGHUP end this process at once, but for one that is ignored, as by `nohup`.

    While modules are loaded, an exception may be raised anywhere in them, and nothing has to be undone.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, exit_at_once)
