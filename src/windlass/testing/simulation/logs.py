from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.api import SecretFilter
from windlass.testing.simulation.process import PROCESS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.testing.simulation.trace import Trace


class _Teller(logging.Handler):
    """Writes to a trace what is logged."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self.addFilter(SecretFilter())
        self._trace = trace

    @override
    def emit(self, record: logging.LogRecord) -> None:
        process = PROCESS.get()
        error = record.exc_info[1] if record.exc_info else None
        text = record.getMessage() + (f": {type(error).__name__}: {error}" if error else "")
        self._trace.add(process.name if process else "cluster", "logs", text.partition("\n")[0])


@contextmanager
def logging_to(trace: Trace) -> Iterator[None]:
    """Have Windlass's own warnings in a trace, and nowhere else, for the length of a block."""
    log = logging.getLogger("windlass")
    before = log.handlers, log.propagate, log.level
    log.handlers, log.propagate = [_Teller(trace)], False
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.handlers, log.propagate = before[:2]
        log.setLevel(before[2])
