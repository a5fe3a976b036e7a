"""Logs as they are written."""

from __future__ import annotations

import io
import json
import logging
import sys
import warnings
from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from windlass.errors import ConfigError, WindlassError
from windlass.manager import LogOptions, TimeEncoding, configure_logging
from windlass.manager.log_format import JsonFormatter, TextFormatter

if TYPE_CHECKING:
    from collections.abc import Iterator

CREATED = 1763202272.120034  # 2025-11-15 10:24:32.120034 UTC
RECONCILE = {
    "controller": "web",
    "controllerGroup": "apps",
    "controllerKind": "Deployment",
    "Deployment": {"name": "shop", "namespace": "default"},
    "namespace": "default",
    "name": "shop",
    "reconcileID": "8d2a01f7-27c5-4f6b",
}


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def undone() -> Iterator[None]:
    """Leave the process's logging as it was."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(capture=False)


def record(
    message: str = "Starting workers", level: int = logging.INFO, **attributes: Any
) -> logging.LogRecord:
    made = logging.LogRecord("windlass.controller", level, "", 1, message, (), None)
    vars(made).update(created=CREATED, **attributes)
    return made


def raised(error: Exception) -> Any:
    try:
        raise error
    except type(error):
        return sys.exc_info()


def as_json(made: logging.LogRecord, time_encoding: TimeEncoding = "rfc3339") -> dict[str, Any]:
    line = JsonFormatter(time_encoding).format(made)
    assert "\n" not in line
    decoded = json.loads(line)
    assert isinstance(decoded, dict)
    return decoded


def as_text(made: logging.LogRecord, *, colour: bool = False) -> str:
    return TextFormatter(colour=colour, zone=UTC).format(made)


def test_a_json_line_has_the_names_and_the_order_of_controller_runtimes() -> None:
    line = as_json(record(windlass={**RECONCILE, "worker count": 1}))

    assert list(line.items()) == [
        ("level", "info"),
        ("ts", "2025-11-15T10:24:32Z"),
        ("logger", "windlass.controller"),
        ("msg", "Starting workers"),
        ("controller", "web"),
        ("controllerGroup", "apps"),
        ("controllerKind", "Deployment"),
        ("Deployment", {"name": "shop", "namespace": "default"}),
        ("namespace", "default"),
        ("name", "shop"),
        ("reconcileID", "8d2a01f7-27c5-4f6b"),
        ("worker count", 1),
    ]


def test_an_error_is_told_with_its_traceback() -> None:
    line = as_json(record("Reconciler error", logging.ERROR, exc_info=raised(KeyError("replicas"))))

    assert (line["level"], line["error"]) == ("error", "KeyError: 'replicas'")
    assert line["stacktrace"].startswith("Traceback (most recent call last):\n")
    assert line["stacktrace"].endswith("KeyError: 'replicas'\n")


def test_an_error_of_ours_says_enough_without_its_class() -> None:
    line = as_json(record(exc_info=raised(WindlassError("no Secret default/token"))))

    assert line["error"] == "no Secret default/token"


@pytest.mark.parametrize(
    ("level", "word"),
    [(10, "debug"), (20, "info"), (30, "warn"), (40, "error"), (50, "fatal")],
)
def test_levels_have_zaps_words(level: int, word: str) -> None:
    assert as_json(record(level=level))["level"] == word


@pytest.mark.parametrize(
    ("encoding", "ts"),
    [
        ("iso8601", "2025-11-15T10:24:32.120Z"),
        ("rfc3339", "2025-11-15T10:24:32Z"),
        ("rfc3339nano", "2025-11-15T10:24:32.120034Z"),
        ("epoch", pytest.approx(CREATED, abs=1e-6)),
        ("millis", pytest.approx(CREATED * 1000, abs=1e-3)),
        ("nano", 1763202272120034000),
    ],
)
def test_times_are_written_as_zap_writes_them(encoding: TimeEncoding, ts: Any) -> None:
    assert as_json(record(), encoding)["ts"] == ts


def test_nanoseconds_lose_noughts_at_the_end_as_in_go() -> None:
    made = record()
    made.created = 1763202272.5

    assert as_json(made, "rfc3339nano")["ts"] == "2025-11-15T10:24:32.5Z"


def test_the_extra_of_any_library_is_a_field_too() -> None:
    assert as_json(record(remote="10.0.0.1"))["remote"] == "10.0.0.1"


def test_a_field_cannot_hide_the_message() -> None:
    line = as_json(record(windlass={"msg": "mine", "level": 3}))

    assert (line["msg"], line["level"], line["msg_"], line["level_"]) == (
        "Starting workers",
        "info",
        "mine",
        3,
    )


def itself() -> dict[str, Any]:
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    return ring


@pytest.mark.parametrize(
    "value", [2**70, "\ud800", itself(), {1: object()}, object(), {(1, 2): 3}, float("nan")]
)
def test_no_line_is_lost_for_what_it_holds(value: Any) -> None:
    line = as_json(record(windlass={"value": value, "after": 1}))

    assert (line["msg"], line["after"], "value" in line) == ("Starting workers", 1, True)


def test_what_a_dataclass_does_not_show_is_not_logged() -> None:
    @dataclass
    class Login:
        user: str
        password: str = field(repr=False)

    assert "hidden" not in JsonFormatter("epoch").format(record(windlass={"login": Login("me", "hidden")}))


def test_a_text_line_is_short_and_names_the_object_once() -> None:
    assert as_text(
        record("Scaled", windlass={**RECONCILE, "replicas": 3, "why": "too busy", "empty": ""})
    ) == (
        "10:24:32 I Scaled  controller=web Deployment=default/shop reconcileID=8d2a01f7 replicas=3 "
        'why="too busy" empty=""'
    )


def test_name_and_namespace_are_shown_where_no_object_is() -> None:
    assert as_text(
        record("Created", windlass={"namespace": "default", "name": "a", "ref": {"name": "b"}})
    ) == ("10:24:32 I Created  namespace=default name=a ref=b")


def test_a_traceback_is_indented_below_its_line() -> None:
    first, *below = as_text(record("Failed", logging.ERROR, exc_info=raised(ValueError("no")))).splitlines()

    assert first == '10:24:32 E Failed  error="ValueError: no"'
    assert below[0] == "    Traceback (most recent call last):"
    assert below[-1] == "    ValueError: no"
    assert all(line.startswith("    ") for line in below)


def test_a_message_cannot_paint_on_the_terminal() -> None:
    line = as_text(record("a\x1b[2Jb\nc", windlass={"value": "\x1b[31m"}))

    assert line == '10:24:32 I a\\x1b[2Jb\n    c  value="\\u001b[31m"'


def test_colours_are_for_terminals() -> None:
    line = as_text(record(level=logging.WARNING, windlass={"a": 1}), colour=True)

    assert line == "\x1b[2m10:24:32\x1b[0m \x1b[33mW\x1b[0m Starting workers  \x1b[2ma=\x1b[0m1"


@pytest.mark.parametrize(
    ("stream", "format_", "environment", "start"),
    [
        (io.StringIO, "auto", {}, "{"),
        (Terminal, "auto", {}, "\x1b["),
        (Terminal, "auto", {"NO_COLOR": "1"}, ""),
        (Terminal, "auto", {"TERM": "dumb"}, ""),
        (Terminal, "json", {}, "{"),
        (io.StringIO, "text", {}, ""),
    ],
)
def test_auto_is_text_for_a_terminal_and_json_for_anything_else(
    stream: type[io.StringIO],
    format_: Any,
    environment: dict[str, str],
    start: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    written = stream()
    configure_logging(LogOptions(format=format_, stream=written))
    logging.getLogger("demo").info("Hello")

    line = written.getvalue()
    assert line.startswith(start) if start else line[0].isdigit()
    assert "Hello" in line


def test_configuring_again_replaces_the_last_and_leaves_other_handlers() -> None:
    theirs, first, second = logging.NullHandler(), io.StringIO(), io.StringIO()
    logging.getLogger().addHandler(theirs)
    configure_logging(LogOptions(stream=first))
    configure_logging(LogOptions(stream=second, level="error"))
    logging.getLogger("demo").warning("quiet")
    logging.getLogger("demo").error("loud")

    assert first.getvalue() == ""
    assert [json.loads(line)["msg"] for line in second.getvalue().splitlines()] == ["loud"]
    assert theirs in logging.getLogger().handlers


def test_warnings_of_python_become_lines() -> None:
    written = io.StringIO()
    configure_logging(LogOptions(stream=written))
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn("old name", DeprecationWarning, stacklevel=1)

    line = json.loads(written.getvalue())
    assert (line["logger"], line["level"]) == ("py.warnings", "warn")


@pytest.mark.parametrize(
    ("level", "threshold"),
    [
        ("debug", 10),
        ("INFO", 20),
        ("warn", 30),
        ("warning", 30),
        ("error", 40),
        ("panic", 50),
        ("1", 10),
        ("5", 10),
    ],
)
def test_levels_are_taken_as_zap_takes_them(level: str, threshold: int) -> None:
    assert LogOptions(level=level).threshold == threshold


@pytest.mark.parametrize("level", ["", "0", "-1", "loud", "1.5"])
def test_a_level_that_is_none_is_refused(level: str) -> None:
    with pytest.raises(ConfigError, match="there is no log level"):
        LogOptions(level=level)
