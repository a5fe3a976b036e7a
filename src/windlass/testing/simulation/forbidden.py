"""Refusing what goes around a simulated loop: it would be noticed neither by its time nor by its seed."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from windlass.errors import SimulationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

_WORDS: Final = {
    "_thread.start_new_thread": "a thread was to be started",
    "os.fork": "a process was to be forked",
    "os.forkpty": "a process was to be forked",
    "os.posix_spawn": "a process was to be started",
    "os.system": "a command was to be run",
    "socket.__new__": "a socket was to be opened",
    "socket.getaddrinfo": "a name was to be looked up",
    "socket.gethostbyname": "a name was to be looked up",
    "subprocess.Popen": "a process was to be started",
    "time.sleep": "time.sleep was called, which stops everybody; await a clock's sleep",
}
"""The audit events of Python that are refused, and what they mean."""

_UNTOLD: Final = (
    (time, "sleep", "time.sleep"),
    (threading, "_start_new_thread", "_thread.start_new_thread"),
    (threading, "_start_joinable_thread", "_thread.start_new_thread"),
)
"""What versions of Python have no audit event for, by where it is called."""

_simulating: dict[int, list[str]] = {}  # by thread what was refused; a hook, once there, cannot be removed
_hooked: list[bool] = []


@contextmanager
def forbidding() -> Iterator[Sequence[str]]:
    """Let nothing out of this thread for the length of a block: no socket, thread, process or real sleep.

    What is refused is also told, since whoever tried may keep the error to itself.

    Raises:
        SimulationError: from whatever tries, in place of being done.
    """
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_heard)
    thread = threading.get_ident()
    outer = _simulating.get(thread)
    refused = _simulating[thread] = []
    untold = [(module, name, getattr(module, name)) for module, name, _ in _UNTOLD if hasattr(module, name)]
    for module, name, event in _UNTOLD:
        if hasattr(module, name):
            setattr(module, name, _refusing(event, getattr(module, name)))
    try:
        yield refused
    finally:
        for module, name, function in untold:
            setattr(module, name, function)
        if outer is None:
            del _simulating[thread]
        else:
            _simulating[thread] = outer


def refuse(what: str) -> str:
    """Take note of what was wanted here; returns what to say about it."""
    said = (
        f"{what}, which a simulation cannot replay: put it behind a protocol, and pass a simulated side of it"
    )
    _simulating.get(threading.get_ident(), []).append(said)
    return said


def _refusing(event: str, function: Callable[..., T]) -> Callable[..., T]:
    """The same function, but not for a simulation."""

    def refusing(*args: Any, **kwargs: Any) -> T:
        _heard(event, ())
        return function(*args, **kwargs)

    return refusing


def _heard(event: str, _: tuple[Any, ...]) -> None:
    if event in _WORDS and threading.get_ident() in _simulating:
        raise SimulationError(refuse(_WORDS[event]))
