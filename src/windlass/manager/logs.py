from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TextIO

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from windlass.manager.log_time import TimeEncoding

LogFormat = Literal["json", "text", "auto"]

_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warn": logging.WARNING,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "panic": logging.CRITICAL,
}


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """How a process writes its logs.

    `level`: `debug`, `info`, `warn`, `error`, `panic`, or a number from 1, which zap has and is `debug` here.
    `format`: `json`, `text`, or `auto`: text for a terminal, otherwise JSON.
    `time_encoding`: how JSON writes the time.
    `stream`: where to; standard error unless it is given.

    Raises:
        ConfigError: there is no such level.
    """

    level: str = "info"
    format: LogFormat = "auto"
    time_encoding: TimeEncoding = "rfc3339"
    stream: TextIO | None = None

    def __post_init__(self) -> None:
        if self.level.lower() not in _LEVELS and not _is_verbosity(self.level):
            raise ConfigError(f"there is no log level {self.level!r}; say debug, info, warn, error or panic")

    @property
    def threshold(self) -> int:
        """The level as the standard library counts."""
        return _LEVELS.get(self.level.lower(), logging.DEBUG)


class _OurHandler(logging.StreamHandler[TextIO]):
    """The handler that `configure_logging` installs, so that the next call can find it."""


def configure_logging(options: LogOptions | None = None) -> None:
    """Write this process's logs, and Python's warnings, in one form; called again, it replaces the last call.

    The values of the Secrets that a reconcile has read are masked in what is logged while it runs.

    For a program's main alone: a library, and a manager inside another program, leave logging as it is.
    """
    from windlass.api import SecretFilter
    from windlass.manager.log_format import JsonFormatter, TextFormatter

    options = options or LogOptions()
    stream = options.stream or sys.stderr
    terminal = stream.isatty()
    handler = _OurHandler(stream)
    handler.addFilter(SecretFilter())
    if options.format == "text" or (options.format == "auto" and terminal):
        handler.setFormatter(TextFormatter(colour=terminal and _wants_colour()))
    else:
        handler.setFormatter(JsonFormatter(options.time_encoding))
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _OurHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(options.threshold)
    logging.captureWarnings(capture=True)


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_verbosity(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) > 0
