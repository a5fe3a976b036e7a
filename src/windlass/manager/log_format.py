"""Lines of logs: JSON for machines, in the shape of controller-runtime's, and text for a terminal."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.errors import WindlassError
from windlass.manager.log_time import ENCODERS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from windlass.manager.log_time import TimeEncoding

_STANDARD: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "windlass"}
_LEVELS: Final = {"WARNING": "warn", "CRITICAL": "fatal"}  # where zap has another word
_TRACE: Final = "stacktrace"
# What a person at a terminal knows already, or sees from the object that the line names.
_HIDDEN: Final = frozenset({"controllerGroup", "controllerKind", "namespace", "name", _TRACE})
_SHORT_ID: Final = 8
_SPECIAL: Final = frozenset(' "=')
# A dataclass becomes its text, which leaves out what is not to be shown.
_JSON_OPTIONS: Final = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS
_COLOURS: Final = {"D": "2", "I": "32", "W": "33", "E": "31;1", "C": "31;1"}
_CONTROLS: Final = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a record carries beside its message: our fields, anybody's `extra`, the exception."""
    fields: dict[str, Any] = dict(vars(record).get("windlass") or {})
    fields |= {name: value for name, value in vars(record).items() if name not in _STANDARD}
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        fields["error"] = described(error)
        if not isinstance(error, WindlassError):  # whose message says what is wrong and what to do
            fields[_TRACE] = "".join(traceback.format_exception(error))
    if record.stack_info:
        fields.setdefault(_TRACE, record.stack_info)
    return fields


def described(error: BaseException) -> str:
    """An error in one text; of those that are not ours the class as well, without which many say nothing."""
    return str(error) if isinstance(error, WindlassError) else f"{type(error).__name__}: {error}"


class JsonFormatter(logging.Formatter):
    """One JSON object to a line, with the names and the order of controller-runtime's logs."""

    def __init__(self, time_encoding: TimeEncoding) -> None:
        super().__init__()
        self._encode_time = ENCODERS[time_encoding]

    @override
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "level": _LEVELS.get(record.levelname) or record.levelname.lower(),
            "ts": self._encode_time(record.created),
            "logger": record.name,
            "msg": record.getMessage(),
        }
        for name, value in fields_of(record).items():
            line[f"{name}_" if name in line else name] = value
        return _encoded(line)


class TextFormatter(logging.Formatter):
    """A line to be read: time, level, message, then the fields; a traceback is indented below."""

    def __init__(self, *, colour: bool, zone: tzinfo | None = None) -> None:
        super().__init__()
        self._colour = colour
        self._zone = zone

    @override
    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        time = datetime.fromtimestamp(record.created, self._zone).strftime("%H:%M:%S")
        letter = record.levelname[:1]
        pairs = " ".join(self._pair(name, value) for name, value in fields.items() if _is_shown(name, fields))
        message = _clean(record.getMessage()).replace("\n", "\n    ")
        head = f"{self._painted(time, '2')} {self._painted(letter, _COLOURS.get(letter, '0'))} {message}"
        line = f"{head}  {pairs}" if pairs else head
        trace = _clean(str(fields.get(_TRACE, ""))).rstrip("\n").replace("\n", "\n    ")
        return f"{line}\n    {trace}" if trace else line

    def _pair(self, name: str, value: Any) -> str:
        return f"{self._painted(f'{name}=', '2')}{_shown(name, value)}"

    def _painted(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour else text


def _is_shown(name: str, fields: Mapping[str, Any]) -> bool:
    """Name and namespace of the object stand in one field already, in lines that are about one."""
    return name not in _HIDDEN or (name in ("namespace", "name") and "reconcileID" not in fields)


def _shown(name: str, value: Any) -> str:
    match value:
        case {"name": str(own), "namespace": str(place), **rest} if not rest:
            value = f"{place}/{own}"
        case {"name": str(own), **rest} if not rest:
            value = own
        case str() if name == "reconcileID":
            value = value[:_SHORT_ID]
    if not isinstance(value, str):
        return _encoded(value)
    if value and value.isprintable() and not _SPECIAL & set(value):
        return value
    return json.dumps(value, ensure_ascii=not value.isprintable())


def _clean(text: str) -> str:
    """A text that cannot move a terminal's cursor or change its colours; lines stay lines."""
    return text.translate(_CONTROLS)


def _encoded(value: Any) -> str:
    """JSON of anything; what JSON has no form for becomes text, so that no line is lost for what it holds."""
    try:
        return orjson.dumps(value, default=str, option=_JSON_OPTIONS).decode()
    except TypeError:  # an integer of more than 64 bits, half a character, something inside itself
        if isinstance(value, dict):
            return (
                "{"
                + ",".join(f"{json.dumps(str(name))}:{_alone(each)}" for name, each in value.items())
                + "}"
            )
        return _alone(value)


def _alone(value: Any) -> str:
    try:
        return json.dumps(value, default=str, skipkeys=True)
    except ValueError:
        return json.dumps(repr(value))
