"""How the demo looks, on a terminal and without one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from windlass.api import Key
from windlass.cli.demo.board import Board, Line
from windlass.cli.demo.screen import Lines, Table, age, draw, fitting

if TYPE_CHECKING:
    from pathlib import Path


def line(name: str = "w", *, ready: bool = False, state: str = "NoSize", message: str = "say a size") -> Line:
    return Line(
        operator="o",
        kind="Widget",
        key=Key("default", name),
        ready=ready,
        state=state,
        message=message,
        created=datetime.now(UTC),
        children="2 Secrets",
        event="Made: it",
    )


def drawn(width: int, height: int, *lines: Line, said: str = "") -> list[str]:
    """The lines of a window of this size."""
    console = Console(width=width, height=height, file=StringIO(), force_terminal=False)
    table = Table("introduction", console)
    table.show(Board(lines=lines))
    table.say(said)
    with console.capture() as seen:
        console.print(table.drawn())
    return seen.get().splitlines()


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (timedelta(seconds=-5), "0s"),
        (timedelta(seconds=119.9), "119s"),
        (timedelta(minutes=2), "2m"),
        (timedelta(minutes=119), "119m"),
        (timedelta(hours=2), "2h"),
        (timedelta(days=3), "72h"),
    ],
)
def test_an_age_has_one_unit(span: timedelta, said: str) -> None:
    assert age(span) == said


def test_lines_tell_each_change_once_and_what_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    with Lines("introduction") as screen:
        screen.show(Board(lines=[line()]))
        screen.show(Board(lines=[line()]))
        screen.show(Board(lines=[line(ready=True, state="Ready", message="")]))
        screen.say("beside")
        screen.show(Board())

    assert capsys.readouterr().out.splitlines() == [
        "introduction",
        "Widget w: NoSize say a size",
        "Widget w: Ready",
        "beside",
        "Widget w: gone",
    ]


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (40, ["RESOURCE", "STATE"]),
        (80, ["RESOURCE", "STATE", "AGE"]),
        (100, ["RESOURCE", "STATE", "AGE", "LAST", "EVENT"]),
        (150, ["RESOURCE", "STATE", "AGE", "CHILDREN", "LAST", "EVENT"]),
    ],
)
def test_a_narrow_window_has_fewer_columns(width: int, titles: list[str]) -> None:
    seen = drawn(width, 24, line())

    assert titles in [each.split() for each in seen]
    assert max(map(len, seen)) <= width
    assert any("Widget w" in each and "NoSize" in each and "…" in each for each in seen)


def test_the_last_event_gives_way_to_what_is_missing() -> None:
    waiting = "\n".join(drawn(150, 24, line()))
    ready = "\n".join(drawn(150, 24, line(ready=True, message="")))

    assert "say a size" in waiting
    assert "Made: it" not in waiting
    assert "Made: it" in ready


@pytest.mark.parametrize("height", [8, 12, 24])
def test_a_low_window_shows_what_is_not_ready_and_what_is_said(height: int) -> None:
    ready = [line(f"ready-{number}", ready=True, state="Ready") for number in range(30)]

    seen = drawn(80, height, *ready, line("waiting"), said="s" * 200)

    assert len(seen) <= height
    assert any("Widget waiting" in each for each in seen)
    assert seen[-1].startswith("sss")
    assert any("ready-0" in each for each in seen)


def test_lines_for_which_there_is_room_stay_in_their_order() -> None:
    lines = [line("a", ready=True), line("b"), line("c", ready=True)]

    assert fitting(lines, 3) == lines
    assert [each.key.name for each in fitting(lines, 2)] == ["b", "a"]
    assert [each.key.name for each in fitting(lines, -3)] == ["b"]


def test_the_introduction_stands_above_the_table_and_is_not_wrapped() -> None:
    file = StringIO()
    with Table("word " * 20, Console(width=40, file=file, force_terminal=False)):
        pass

    assert file.getvalue().startswith("word " * 20)


def test_a_picture_has_all_columns(tmp_path: Path) -> None:
    draw(Board(lines=[line()]), tmp_path / "demo.svg")

    drawing = (tmp_path / "demo.svg").read_text()
    assert "CHILDREN" in drawing
    assert "NoSize" in drawing
