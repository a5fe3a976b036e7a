"""Where values come from, with a mistake of cel-go's that estimates depend on.

Paths are slices in Go. A path that is made longer twice may write both steps to the same place, as the array
behind it has room, so that the first of the longer paths changes. In `self.a.all(x, x.b.all(y, y == x.c))`
the path of `x.b` leads to `c` once `x.c` was looked at, and `x.b` is taken to be as large. Definitions are
refused because of what this comes to.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Trail:
    """A path whose longer versions share their steps as slices in Go do."""

    cells: list[str] = field(default_factory=list)
    size: int = 0

    def __len__(self) -> int:
        return self.size

    def steps(self) -> tuple[str, ...]:
        """The path as it is now."""
        return tuple(self.cells[: self.size])

    def plus(self, step: str) -> Trail:
        """The path with one step more."""
        cells = self.cells
        if self.size == len(cells):
            # Go makes room for as many again.
            cells = [*cells, *[""] * max(self.size, 1)]
        cells[self.size] = step
        return Trail(cells, self.size + 1)
