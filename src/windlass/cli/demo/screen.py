"""The demo's two faces: a table that is drawn anew on a terminal, and plain lines anywhere else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import TYPE_CHECKING, Final, Protocol, Self

import click

from windlass.cli.demo.board import Board

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from rich.console import Group
    from rich.table import Table as Grid

    from windlass.cli.demo.board import Line

_A_MINUTE: Final = timedelta(minutes=1)
_AN_HOUR: Final = timedelta(hours=1)
_WIDTH: Final = 150


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
    """A table that stays where it is; what there is to know stands above it, what goes on below."""

    def __init__(self, introduction: str) -> None:
        from rich.console import Console
        from rich.live import Live

        self._introduction = introduction
        self._board = Board()
        self._said = ""
        self._live = Live(
            console=Console(), get_renderable=self._drawn, refresh_per_second=2, screen=False, transient=False
        )

    def __enter__(self) -> Self:
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

    def _drawn(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        return Group(Text(self._introduction), _table(self._board.lines), Text(self._said, style="dim"))


def _table(lines: Sequence[Line]) -> Grid:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=SIMPLE_HEAD, expand=True, pad_edge=False)
    for title, wide in (("", False), ("RESOURCE", False), ("STATE", False), ("AGE", False)):
        grid.add_column(title, no_wrap=not wide)
    grid.add_column("CHILDREN", ratio=2, overflow="ellipsis", no_wrap=True)
    grid.add_column("LAST EVENT", ratio=3, overflow="ellipsis", no_wrap=True)
    now = datetime.now(UTC)
    for line in lines:
        mark, style = ("✔", "green") if line.ready else ("…", "yellow")
        grid.add_row(
            Text(mark, style=style),
            line.name,
            Text(line.state, style=style),
            age(now - line.created) if line.created else "",
            line.children,
            Text(line.message or line.event, style="" if line.ready else "yellow"),
        )
    return grid


def draw(board: Board, file: Path) -> None:
    """Write a picture of the table, as SVG."""
    from rich.console import Console

    console = Console(record=True, width=_WIDTH, file=StringIO())
    console.print(_table(board.lines))
    console.save_svg(str(file), title="windlass demo")


def age(span: timedelta) -> str:
    """How long something has been there, as kubectl writes it."""
    if span < 2 * _A_MINUTE:
        return f"{max(0, int(span.total_seconds()))}s"
    return f"{span // _A_MINUTE}m" if span < 2 * _AN_HOUR else f"{span // _AN_HOUR}h"
