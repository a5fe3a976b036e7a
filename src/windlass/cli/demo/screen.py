"""The demo's two faces: a table that is drawn anew on a terminal, and plain lines anywhere else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self

import click

from windlass.cli.demo.board import Board

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType

    from rich.console import Console, Group
    from rich.table import Table as Grid
    from rich.text import Text

    from windlass.cli.demo.board import Line

_A_MINUTE: Final = timedelta(minutes=1)
_AN_HOUR: Final = timedelta(hours=1)
_WIDTH: Final = 150
_FRAME: Final = 5  # lines of a window that no resource has: head, rule, margins, what is said


class Screen(Protocol):
    """Where the demo is shown, from entering to leaving it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, board: Board) -> None:
        """Show the resources as they are now."""

    def say(self, text: str) -> None:
        """Show what goes on beside: a program that was started again, the progress of a download."""


class Lines(Screen):
    """A line for each change of a resource's state."""

    def __init__(self, introduction: str) -> None:
        self._introduction = introduction
        self._told: dict[str, tuple[str, str]] = {}

    def __enter__(self) -> Self:
        click.echo(self._introduction)
        return self

    def __exit__(self, *_: object) -> None:
        return

    def show(self, board: Board) -> None:
        """Tell what is new."""
        for line in board.lines:
            told = (line.state, line.message)
            if self._told.get(line.name) != told:
                self._told[line.name] = told
                click.echo(f"{line.name}: {' '.join(filter(None, told))}")
        for name in self._told.keys() - {line.name for line in board.lines}:
            del self._told[name]
            click.echo(f"{name}: gone")

    def say(self, text: str) -> None:
        """Tell it."""
        click.echo(text)


class Table(Screen):
    """A table that stays where it is: what there is to know is printed above, what goes on below."""

    def __init__(self, introduction: str, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self._introduction = introduction
        self._board = Board()
        self._said = ""
        self._console = console or Console()
        self._live = Live(console=self._console, get_renderable=self.drawn, refresh_per_second=2)

    def __enter__(self) -> Self:
        self._console.print(self._introduction, highlight=False, markup=False, soft_wrap=True)
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def show(self, board: Board) -> None:
        """Draw it, at the next turn."""
        self._board = board

    def say(self, text: str) -> None:
        """Let it stand below the table until there is something else to say."""
        self._said = text

    def drawn(self) -> Group:
        """What is to be seen now, in the window as it is now."""
        from rich.console import Group
        from rich.text import Text

        width, height = self._console.size
        table = _table(fitting(self._board.lines, height - _FRAME), width)
        return Group(table, Text(self._said, style="dim", no_wrap=True, overflow="ellipsis"))


def fitting(lines: Sequence[Line], room: int) -> Sequence[Line]:
    """As many lines as there is room for; if not for all, first those that are not ready."""
    if len(lines) <= room:
        return lines
    return sorted(lines, key=lambda line: line.ready)[: max(room, 1)]


def _table(lines: Sequence[Line], width: int) -> Grid:
    """The columns for which a window of this width has room."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid

    columns = [each for each in _columns(datetime.now(UTC)) if each.window <= width]
    grid = Grid(box=SIMPLE_HEAD, expand=True, pad_edge=False)
    for column in columns:
        grid.add_column(column.title, ratio=column.ratio, no_wrap=True, min_width=1)
    for line in lines:
        grid.add_row(*(column.cell(line) for column in columns))
    return grid


class _Column(NamedTuple):
    title: str
    cell: Callable[[Line], Text | str]
    window: int = 0
    ratio: int | None = None


def _columns(now: datetime) -> Sequence[_Column]:
    """All columns, each with the width of the narrowest window that has it."""
    from rich.text import Text

    def colour(line: Line) -> str:
        return "green" if line.ready else "yellow"

    return (
        _Column("", lambda line: Text("✔" if line.ready else "…", style=colour(line))),
        _Column("RESOURCE", lambda line: line.name),
        _Column("STATE", lambda line: Text(line.state, style=colour(line))),
        _Column("AGE", lambda line: age(now - line.created) if line.created else "", 72),
        _Column("CHILDREN", lambda line: line.children, 120, 2),
        _Column(
            "LAST EVENT",
            lambda line: Text(line.message or line.event, style="" if line.ready else "yellow"),
            88,
            3,
        ),
    )


def draw(board: Board, file: Path) -> None:
    """Write a picture of the table, as SVG."""
    from rich.console import Console

    from windlass.codegen import replace_text  # few draw a picture

    console = Console(record=True, width=_WIDTH, file=StringIO())
    console.print(_table(board.lines, _WIDTH))
    replace_text(file, console.export_svg(title="windlass demo"))


def age(span: timedelta) -> str:
    """How long something has been there, as kubectl writes it."""
    if span < 2 * _A_MINUTE:
        return f"{max(0, int(span.total_seconds()))}s"
    return f"{span // _A_MINUTE}m" if span < 2 * _AN_HOUR else f"{span // _AN_HOUR}h"
